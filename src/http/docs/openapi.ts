import { API_ERRORS, type ApiErrorName } from '../../lib/api-error.ts'
import type { Route, Upload } from '../route.ts'
import type { Json, JsonObject } from './openapi-json.ts'
import { withNulls } from './openapi-nulls.ts'

/** The version of the API (API-21). Paths carry none. */
const VERSION = '1.0.0'

/** Statuses that a route answers with besides its own, and why. */
const ERRORS: Record<number, { name: string; description: string }> = {
  400: {
    name: 'BadRequest',
    description: 'The request is no well-formed HTTP, or its Idempotency-Key is malformed.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing, unknown, expired or revoked; or nobody is logged in.',
  },
  403: {
    name: 'Forbidden',
    description: 'The permission or domain of the key, or the role of the person, does not allow this.',
  },
  404: { name: 'NotFound', description: 'Not found in this account.' },
  405: { name: 'MethodNotAllowed', description: 'The path is known, the method is another; see `Allow`.' },
  409: { name: 'Conflict', description: 'It is in use, exists already, or is past changing.' },
  410: { name: 'Gone', description: 'The link was used already, or is too old.' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than the endpoint allows.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not of the media type that the endpoint takes, or is compressed.',
  },
  422: {
    name: 'ValidationError',
    description: 'Something in the request is missing or invalid; `errors` names the fields.',
  },
  429: { name: 'RateLimitExceeded', description: 'The window of 60 seconds is used up; see `Retry-After`.' },
  500: { name: 'InternalServerError', description: 'Our fault. Quote the `x-request-id`.' },
  503: { name: 'ServiceUnavailable', description: 'Nothing was accepted. Try again; see `Retry-After`.' },
}

const RATE_HEADERS = {
  'ratelimit-limit': { $ref: '#/components/headers/RateLimitLimit' },
  'ratelimit-remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'ratelimit-reset': { $ref: '#/components/headers/RateLimitReset' },
  'x-request-id': { $ref: '#/components/headers/RequestId' },
}

/**
 * Returns the OpenAPI 3.1 document of a table of routes.
 * @param webhooks the requests that the service sends
 */
export function describeApi(
  routes: readonly Route[],
  publicUrl: string,
  webhooks: JsonObject = {},
): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const path = openApiPath(route)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describeOperation(route)
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Sendwright',
      version: VERSION,
      description:
        'Transactional email over HTTP. Ids are UUIDs, timestamps are `YYYY-MM-DD HH:MM:SS` in UTC, unknown fields are ignored. In a request, null in an optional field is the same as leaving it out, unless the field gives null a meaning. Every path also answers under `/v1`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks,
    components: describeComponents(),
  }
}

/** `/emails/:id` as `/emails/{id}`. */
export function openApiPath(route: Pick<Route, 'path'>): string {
  return route.path.replace(/:([A-Za-z]+)/g, '{$1}')
}

/** `get /emails/:id/raw` as `getEmailsIdRaw`. */
function operationId(route: Route): string {
  const words = route.path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return (
    route.method.toLowerCase() +
    words.map((word) => (word[0] as string).toUpperCase() + word.slice(1)).join('')
  )
}

function describeOperation(route: Route): JsonObject {
  const parameters = [
    ...describeParameters(withPathNames(route), 'path'),
    ...describeParameters(plain(route.query), 'query'),
    ...Object.entries(route.headers ?? {}).map(([name, description]) => headerParameter(name, description)),
  ]
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.permission === 'public' ? { security: [] } : {}),
    ...(route.permission === 'operator' ? { security: [{ operatorToken: [] }, { session: [] }] } : {}),
    ...(isForPeople(route) ? { security: [{ session: [] }] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(withNulls(plain(route.body))) }),
    ...(route.upload === undefined ? {} : { requestBody: uploadBody(route.upload) }),
    responses: describeResponses(route),
  }
}

/** Routes that no key may ask. */
function isForPeople({ permission }: Route): boolean {
  return permission === 'user' || permission === 'member'
}

/** Schemas as JSON alone, without the keywords that only our own checks know. */
function plain(schema: unknown): JsonObject {
  if (schema === undefined) return {}
  return JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('x-') ? undefined : value)))
}

/** A path names its parameters even where a route declares no schema for them. */
function withPathNames(route: Route): JsonObject {
  const names = [...route.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] as string)
  const declared = (plain(route.params).properties ?? {}) as JsonObject
  const properties = Object.fromEntries(names.map((name) => [name, declared[name] ?? { type: 'string' }]))
  return { properties, required: names }
}

function describeParameters(schema: JsonObject, place: 'path' | 'query'): JsonObject[] {
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(([name, property]) => {
    const { description, ...rest } = property
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function headerParameter(name: string, description: string): JsonObject {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

function requestBody(schema: JsonObject): JsonObject {
  const isRequired = ((schema.required ?? []) as string[]).length > 0 || schema.type === 'array'
  return { required: isRequired, content: { 'application/json': { schema } } }
}

function uploadBody({ type, description, example }: Upload): JsonObject {
  return { required: true, description, content: { [type]: { schema: { type: 'string' }, example } } }
}

function describeResponses(route: Route): JsonObject {
  const responses: JsonObject = {}
  for (const [status, response] of Object.entries(route.responses)) {
    const type = response.type ?? 'application/json'
    const schema = response.schema === undefined ? undefined : plain(response.schema)
    const example = (response.example as Json | undefined) ?? exampleOfSchema(schema)
    const media = {
      ...(schema === undefined ? {} : { schema }),
      ...(example === undefined ? {} : { example }),
    }
    const hasContent = response.schema !== undefined || response.type !== undefined
    responses[status] = {
      description: response.description,
      headers: RATE_HEADERS,
      ...(hasContent ? { content: { [type]: media, ...(status === '200' ? otherMedia(route) : {}) } } : {}),
    }
  }
  for (const [status, error] of Object.entries(ERRORS)) {
    if (!(status in responses) && isMet(Number(status), route)) {
      responses[status] = { $ref: `#/components/responses/${error.name}` }
    }
  }
  return responses
}

function otherMedia({ alsoAs = {} }: Route): JsonObject {
  return Object.fromEntries(
    Object.entries(alsoAs).map(([type, { description, example }]) => [
      type,
      { schema: { type: 'string', description }, example },
    ]),
  )
}

/** A record says by itself what it looks like; a list is an envelope with one of its records in it. */
function exampleOfSchema(schema: JsonObject | undefined): Json | undefined {
  if (schema === undefined) return undefined
  const own = (schema.examples as Json[] | undefined)?.[0]
  if (own !== undefined) return own
  if (schema.type === 'array') {
    const item = exampleOfSchema(schema.items as JsonObject)
    return item === undefined ? undefined : [item]
  }
  if (schema.type !== 'object') return exampleOfScalar(schema)
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(
    ([name, property]) => [name, exampleOfSchema(property)] as const,
  )
  if (fields.some(([, example]) => example === undefined)) return undefined
  return Object.fromEntries(fields) as JsonObject
}

/** What the envelope of a list is made of. */
function exampleOfScalar(schema: JsonObject): Json | undefined {
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'boolean') return false
  return schema.type === 'integer' ? 1 : undefined
}

/** Whether a route can answer with an error. */
function isMet(status: number, route: Route): boolean {
  if (status === 405) return false
  const isLogin = route.permission === 'public' && route.body !== undefined
  if (route.permission === 'public' && !isLogin) return status === 400 || status >= 500
  if (status === 410) return isLogin
  if (status === 404) return route.path.includes(':') || route.permission === 'member'
  if (status === 409) return route.method !== 'GET'
  const hasBody = route.body !== undefined || route.upload !== undefined
  if (status === 413 || status === 415) return hasBody
  if (status === 422) return hasBody || route.query !== undefined
  return true
}

function describeComponents(): JsonObject {
  const names = (status: string) =>
    (Object.keys(API_ERRORS) as ApiErrorName[]).filter((name) => API_ERRORS[name].status === Number(status))
  const responses = Object.entries(ERRORS).map(([status, { name, description }]) => [
    name,
    {
      description: `${description} \`name\` is ${names(status)
        .map((word) => `\`${word}\``)
        .join(' or ')}.`,
      headers: {
        ...RATE_HEADERS,
        ...(status === '429' || status === '503'
          ? { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }
          : {}),
        ...(status === '405' ? { allow: { schema: { type: 'string' } } } : {}),
      },
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: exampleOf(status) },
      },
    },
  ])
  return {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sw_...`.' },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'sendwright_session',
        description:
          'A person who is logged in, from pages of the dashboard alone; behind https `__Host-sendwright_session`. On what belongs to a team with the header `X-Sendwright-Team`. What keys may ask, sessions may too, by their role.',
      },
      operatorToken: { type: 'http', scheme: 'bearer', description: 'SENDWRIGHT_OPERATOR_TOKEN.' },
    },
    schemas: { Error: ERROR_SCHEMA },
    headers: HEADERS,
    responses: Object.fromEntries(responses),
  }
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

const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  required: ['statusCode', 'name', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    name: { type: 'string', enum: Object.keys(API_ERRORS) },
    message: { type: 'string', description: 'For people; the first of `errors` where there are any.' },
    errors: {
      type: 'object',
      description: 'On validation errors: messages by dotted path of the field (`attachments.0.content`).',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
}

const HEADERS: JsonObject = {
  RateLimitLimit: {
    description: 'Requests that a window of 60 seconds admits.',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: { description: 'Requests that are left of them.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until the window ends.', schema: { type: 'integer' } },
  RequestId: { description: 'Names this request in our logs.', schema: { type: 'string', format: 'uuid' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
}
