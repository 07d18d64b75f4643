import { API_ERRORS, type ApiErrorName } from '../../lib/api-error.ts'
import type { JsonObject } from './openapi-json.ts'

/** The errors that every route may return. */
const ERRORS: Readonly<Record<number, { name: string; description: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is not well-formed HTTP, or its `Idempotency-Key` is malformed.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing, unknown, expired, or revoked, or the session has ended.',
  },
  403: {
    name: 'Forbidden',
    description: 'The permission or domain of the key, or the role of the user, does not allow it.',
  },
  404: { name: 'NotFound', description: 'The record does not exist in this team.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not support this method. `Allow` lists the methods that it supports.',
  },
  409: {
    name: 'Conflict',
    description: 'The record is in use, already exists, or can no longer be changed.',
  },
  410: { name: 'Gone', description: 'The link has been used or has expired.' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than the endpoint allows.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The endpoint does not accept this media type, or the body is compressed.',
  },
  422: {
    name: 'ValidationError',
    description: 'A value is missing or invalid. `errors` lists the messages for each field.',
  },
  429: {
    name: 'RateLimitExceeded',
    description: 'The limit of this 60-second window is exceeded. Retry after `Retry-After` seconds.',
  },
  500: {
    name: 'InternalServerError',
    description: 'It failed, perhaps after it took effect. Report the `x-request-id`.',
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'Retry after `Retry-After` seconds, with the same key.',
  },
}

/** Headers of every response. Listing them here and in the introduction saves a list in each of 200 operations. */
const RESPONSE_HEADERS: JsonObject = {
  'ratelimit-limit': { $ref: '#/components/headers/RateLimit' },
  'ratelimit-remaining': { $ref: '#/components/headers/RateRemaining' },
  'ratelimit-reset': { $ref: '#/components/headers/RateReset' },
  'x-request-id': { $ref: '#/components/headers/RequestId' },
}

/** Errors look the same everywhere, so all operations share these two entries. */
export const ERROR_REFS: JsonObject = {
  '4XX': { $ref: '#/components/responses/Error' },
  '5XX': { $ref: '#/components/responses/Error' },
}
/** For an operation that only redirects: OpenAPI requires a success response or a default one. */
export const DEFAULT_ERROR_REFS: JsonObject = {
  '4XX': { $ref: '#/components/responses/Error' },
  default: { $ref: '#/components/responses/Error' },
}

/** Returns the response of every error, with an example of each. */
export function errorResponse(): JsonObject {
  const errors = Object.entries(ERRORS)
  const examples = errors.map(([status, { name, description }]) => [
    name,
    { summary: `${status}: ${description}${namesOf(status)}`, value: exampleOf(status) },
  ])
  const list = errors.map(([status, { name }]) => `${status} (\`${name}\`)`).join(', ')
  return {
    description: `An error. One of ${list}.`,
    headers: { ...RESPONSE_HEADERS, 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Returns a sentence that lists the names of a status, or '' if there is only one, which the example shows. */
function namesOf(status: string): string {
  const names = (Object.keys(API_ERRORS) as ApiErrorName[]).filter(
    (name) => API_ERRORS[name].status === Number(status),
  )
  if (names.length === 1) return ''
  const quoted = names.map((name) => `\`${name}\``)
  return ` \`name\` is ${[...quoted.slice(0, -2), quoted.slice(-2).join(' or ')].join(', ')}.`
}

function exampleOf(status: string): JsonObject {
  const entry = Object.entries(API_ERRORS).find(([, apiError]) => apiError.status === Number(status))
  const [name = 'bad_request', apiError = API_ERRORS.bad_request] = entry ?? []
  if (status === '422') {
    const message = 'The email field is required.'
    return { statusCode: 422, name: 'validation_error', message, errors: { email: [message] } }
  }
  if (status === '429') {
    return { statusCode: 429, name, message: 'Rate limit exceeded. Please retry after 17 seconds.' }
  }
  return { statusCode: Number(status), name, message: apiError.message }
}

export const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  required: ['statusCode', 'name', 'message'],
  properties: {
    statusCode: { type: 'integer', description: 'HTTP status.' },
    name: {
      type: 'string',
      enum: Object.keys(API_ERRORS),
      description: 'Identifies the error. Branch on this in your code.',
    },
    message: {
      type: 'string',
      description: 'A message for people. With `errors`, the first of those messages.',
    },
    hint: { type: 'string', description: 'A sentence that helps.' },
    errors: {
      type: 'object',
      description:
        'For validation errors: messages by the dotted path of the field (`attachments.0.content`).',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
}

export const HEADERS: JsonObject = {
  RateLimit: {
    description: 'Requests allowed in each 60-second window.',
    schema: { type: 'integer' },
  },
  RateRemaining: { description: 'Requests left in this window.', schema: { type: 'integer' } },
  RateReset: { description: 'Seconds until the window ends.', schema: { type: 'integer' } },
  RequestId: {
    description: "Identifies the request in the server's logs.",
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: {
    description: 'With 429 and 503: seconds to wait before retrying.',
    schema: { type: 'integer' },
  },
}
