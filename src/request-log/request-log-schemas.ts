import Type from 'typebox'
import { PAGE_PARAMETERS } from '../http/route/page.ts'
import { IdOrNull, IntegerOrNull, Text, TextOrNull, Timestamp, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { ReadRequest } from './request-log-queries.ts'

const LoggedError = Type.Object(
  {
    statusCode: Type.Integer({ description: 'HTTP status.' }),
    name: Text('Name of the error.'),
    message: Text('Message of the error.'),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Messages by field.' }),
    ),
  },
  {
    title: 'LoggedError',
    examples: [
      { statusCode: 422, name: 'validation_error', message: 'The from address domain is not verified.' },
    ],
  },
)

/** Has the fields of a log of Resend's API, and more. */
export const LogAnswer = Type.Object(
  {
    object: Type.Literal('log'),
    id: Type.String({ format: 'uuid', description: 'The `x-request-id` of the response.' }),
    created_at: Timestamp,
    method: Text('HTTP method.'),
    endpoint: Text('Path, with ids; `*` or a name in braces replaces other values.'),
    route: TextOrNull('Path as in this document, such as `/emails/{id}`. Null if unknown.'),
    response_status: Type.Integer({ description: 'HTTP status.' }),
    duration_ms: Type.Integer({ description: 'Milliseconds until the response was sent.' }),
    request_size: IntegerOrNull('Bytes of the request body.'),
    response_size: IntegerOrNull('Bytes of the response body.'),
    user_agent: TextOrNull('User agent of the client.'),
    ip_address: TextOrNull('IP address of the client.'),
    api_key: Type.Object({ id: Uuid, name: TextOrNull('Name of the key.') }),
    record_id: IdOrNull('Record that a POST created, such as an email.'),
    request_body: Type.Null({ description: 'Always null: request bodies are not stored.' }),
    response_body: Type.Union([LoggedError, Type.Null()], {
      description: 'The error, without email addresses; otherwise null.',
    }),
  },
  {
    title: 'Log',
    examples: [
      {
        object: 'log',
        id: '0198c0de-0000-7000-8000-0000000000e1',
        created_at: '2026-01-15 09:30:00',
        method: 'POST',
        endpoint: '/emails',
        route: '/emails',
        response_status: 422,
        duration_ms: 4,
        request_size: 312,
        response_size: 141,
        user_agent: 'resend-node:6.38.0',
        ip_address: '203.0.113.9',
        api_key: { id: '0198c0de-0000-7000-8000-0000000000b2', name: 'Shop backend' },
        record_id: null,
        request_body: null,
        response_body: {
          statusCode: 422,
          name: 'validation_error',
          message: 'The from address domain is not verified.',
        },
      },
    ],
  },
)

export const LogQuery = Type.Object({
  ...PAGE_PARAMETERS,
  request_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `x-request-id` of a response.' }),
  ),
  method: Type.Optional(Type.String({ maxLength: 20, description: 'HTTP method.' })),
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](\\d\\d|[xX][xX])$',
      description: 'Status, or a class such as `4xx`.',
    }),
  ),
  route: Type.Optional(
    Type.String({ maxLength: 200, description: 'Path as in this document: `/emails/{id}`.' }),
  ),
  endpoint: Type.Optional(
    Type.String({ maxLength: 500, description: 'Path, or a prefix that ends with a slash.' }),
  ),
  api_key_id: Type.Optional(Type.String({ format: 'uuid', description: 'Requests with this key.' })),
  start_date: Type.Optional(
    Type.String({ description: 'Requests at or after this ISO 8601 date or timestamp.' }),
  ),
  end_date: Type.Optional(
    Type.String({ description: 'Requests before this time. A date includes the whole day.' }),
  ),
})

export function logToJson(request: ReadRequest) {
  return {
    object: 'log',
    id: request.id,
    created_at: formatTime(request.createdAt),
    method: request.method,
    endpoint: request.path,
    route: request.route,
    response_status: request.status,
    duration_ms: request.durationMs,
    request_size: request.requestBytes,
    response_size: request.responseBytes,
    user_agent: request.userAgent,
    ip_address: request.ipAddress,
    api_key: { id: request.apiKeyId, name: request.apiKeyName },
    record_id: request.recordId,
    request_body: null,
    response_body: request.error,
  }
}
