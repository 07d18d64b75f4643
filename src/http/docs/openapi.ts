import { AREAS, type Area } from '../../access/permissions.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { PageEnvelope } from '../route/page.ts'
import type { Route } from '../route/route.ts'
import { ERROR_SCHEMA, errorResponse, HEADERS } from './openapi-errors.ts'
import type { JsonObject } from './openapi-json.ts'
import { createModels, type Models } from './openapi-models.ts'
import { capitalize, describeOperation, openApiPath } from './openapi-operations.ts'
import { sharePathParameters, shareRepeated } from './openapi-share.ts'

/** The version of the API (API-21). Paths do not contain it. */
const VERSION = '1.0.0'

/** Content of the document that routes do not contain. */
export interface ApiNotes {
  /** The requests that the service sends, by name. Their schemas become models. */
  webhooks?: Record<string, JsonObject>
  /** A sentence about the tag of each area. */
  tags?: Readonly<Partial<Record<Area, string>>>
}

/** Returns the OpenAPI 3.1 document of a table of routes. */
export function describeApi(routes: readonly Route[], publicUrl: string, notes: ApiNotes = {}): JsonObject {
  const models = createModels()
  models.referResponse(JSON.parse(JSON.stringify(PageEnvelope)))
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const path = openApiPath(route)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describeOperation(route, models)
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as JsonObject[])
  const webhooks = describeWebhooks(notes.webhooks ?? {}, models)
  const { parameters, responses } = shareRepeated(operations, { Error: errorResponse() })
  sharePathParameters(paths)
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Sendwright',
      version: VERSION,
      description:
        'Transactional email over HTTP. Ids are UUIDs. Timestamps are `YYYY-MM-DD HH:MM:SS` in UTC. Unknown fields are ignored. In a request, null in an optional field means that the field is absent, unless its description says otherwise. Every path is also available under `/v1`. Every response has an `x-request-id`. Responses to authenticated requests also have `ratelimit-limit`, `ratelimit-remaining`, and `ratelimit-reset`, which the response `Error` describes.',
      contact: { name: 'The operator of this installation', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    tags: describeTags(routes, notes.tags),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Error: ERROR_SCHEMA, ...models.list() },
      headers: HEADERS,
      parameters,
      responses,
    },
  }
}

function describeTags(routes: readonly Route[], tags: ApiNotes['tags'] = {}): JsonObject[] {
  return [...new Set(routes.map(({ area }) => area))].map((area) =>
    omitUndefined({ name: AREAS[area].tag, description: tags[area] }),
  )
}

/** Describes the webhooks. `email.delivered` has the model `EmailDeliveredEvent`. */
function describeWebhooks(webhooks: Record<string, JsonObject>, models: Models): JsonObject {
  const entries = Object.entries(webhooks).map(([type, { schema, ...operation }]) => {
    const words = type.split(/[._]/).map(capitalize).join('')
    const event = describeEvent(schema as JsonObject, models)
    const content = { 'application/json': { schema: models.refer(event, `${words}Event`) } }
    return [
      type,
      { post: { operationId: `on${words}`, ...operation, requestBody: { required: true, content } } },
    ] as const
  })
  return Object.fromEntries(entries) as JsonObject
}

/** Every event extends `WebhookEvent`, with its own type and data. */
function describeEvent({ properties, ...event }: JsonObject, models: Models): JsonObject {
  const { type, data, ...shared } = properties as Record<string, JsonObject>
  const base = { ...event, properties: { type: { type: 'string' }, ...shared, data: { type: 'object' } } }
  const own = { type: { const: type?.const ?? null }, data: models.refer(data as JsonObject) }
  return { allOf: [models.refer(base, 'WebhookEvent'), { properties: own }] }
}

const SECURITY_SCHEMES: JsonObject = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sw_...`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sendwright_session',
    description:
      'The session of a user, from the dashboard only. Over https the cookie is `__Host-sendwright_session`. Requests for a team also carry `X-Sendwright-Team`. A session can do what an API key can, within the role of its user.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The value of the setting `SENDWRIGHT_OPERATOR_TOKEN`.',
  },
}
