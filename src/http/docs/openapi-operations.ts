import { AREAS } from '../../access/permissions.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { admitsNull, type Schema } from '../json/shape.ts'
import type { Route, Upload } from '../route/route.ts'
import { DEFAULT_ERROR_REFS, ERROR_REFS } from './openapi-errors.ts'
import { EXTENDS } from './openapi-extend.ts'
import type { Json, JsonObject } from './openapi-json.ts'
import type { Models } from './openapi-models.ts'

type Fields = Record<string, JsonObject>

/** Converts `/emails/:id` to `/emails/{id}`. */
export function openApiPath(route: Pick<Route, 'path'>): string {
  return route.path.replace(/:([A-Za-z]+)/g, '{$1}')
}

/** Returns the method and the path as one word: `get /emails/:id/raw` becomes `getEmailsIdRaw`. */
export function pathId(route: Pick<Route, 'method' | 'path'>): string {
  const words = route.path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return route.method.toLowerCase() + words.map(capitalize).join('')
}

export function operationId(route: Pick<Route, 'method' | 'path' | 'operationId'>): string {
  return route.operationId ?? pathId(route)
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Returns the operation of a route. Its schemas become models. */
export function describeOperation(route: Route, models: Models): JsonObject {
  const { permission, aliasOf } = route
  const parameters = [
    ...describeParameters(withPathNames(route), 'path'),
    ...describeParameters(plain(route.query), 'query'),
    ...Object.entries(route.headers ?? {}).map(([name, description]) => headerParameter(name, description)),
  ]
  const description = aliasOf === undefined ? route.description : describeAlias(aliasOf)
  return {
    operationId: operationId(route),
    tags: [AREAS[route.area].tag],
    summary: aliasOf === undefined ? route.summary : `${route.summary} (alias)`,
    ...(description === undefined ? {} : { description }),
    ...(aliasOf === undefined ? {} : { deprecated: true }),
    ...(permission === 'public' ? { security: [] } : {}),
    ...(permission === 'operator' ? { security: [{ operatorToken: [] }, { session: [] }] } : {}),
    // API keys cannot call these.
    ...(permission === 'user' || permission === 'member' ? { security: [{ session: [] }] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, models) }),
    ...(route.upload === undefined ? {} : { requestBody: uploadBody(route.upload) }),
    responses: { ...describeResponses(route, models), ...errorsOf(route) },
  }
}

function errorsOf({ responses }: Route): JsonObject {
  return Object.keys(responses).some((status) => status.startsWith('2')) ? ERROR_REFS : DEFAULT_ERROR_REFS
}

/** Names the route that new code should call. An alias of an alias names the original. */
function describeAlias(original: NonNullable<Route['aliasOf']>): string {
  if (original.aliasOf !== undefined) return describeAlias(original.aliasOf)
  return `Use \`${original.method} ${openApiPath(original)}\` instead.`
}

/** Returns a schema as plain JSON, without Sendwright's `x-` keywords that the models do not need. */
function plain(schema: unknown): JsonObject {
  if (schema === undefined) return {}
  return JSON.parse(
    JSON.stringify(schema, (name, value) => (name.startsWith('x-') && name !== EXTENDS ? undefined : value)),
  )
}

/** Returns the schema of all path parameters. Those that the route does not declare are strings. */
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
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function headerParameter(name: string, description: string): JsonObject {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

function requestBody(route: Route, models: Models): JsonObject {
  const schema = plain(asRequest(JSON.parse(JSON.stringify(route.body))))
  const required = ((schema.required ?? []) as string[]).length > 0 || schema.type === 'array'
  const model = models.refer(
    schema,
    nameOf(route, 'Request', ({ body }) => body),
    route.bodyExtends,
  )
  return { ...(required ? { required } : {}), content: { 'application/json': { schema: model } } }
}

/** Returns the model name of a body or response. An alias with the same schemas as its original shares the models. */
function nameOf(route: Route, ending: string, schemasOf: (route: Partial<Route>) => unknown): string {
  const { aliasOf } = route
  const isShared = aliasOf !== undefined && schemasOf(aliasOf) === schemasOf(route)
  return `${capitalize(operationId(isShared ? aliasOf : route))}${ending}`
}

function uploadBody({ type, description, example }: Upload): JsonObject {
  return { required: true, description, content: { [type]: { schema: { type: 'string' }, example } } }
}

function describeResponses(route: Route, models: Models): JsonObject {
  const entries = Object.entries(route.responses).map(([status, { description, schema, type, example }]) => {
    const media = {
      ...modelOf(route, schema, models),
      ...(example === undefined ? {} : { example: example as Json }),
    }
    const hasContent = schema !== undefined || type !== undefined
    const content = { [type ?? 'application/json']: media, ...(status === '200' ? otherMedia(route) : {}) }
    return [status, { description, ...(hasContent ? { content } : {}) }] as const
  })
  return Object.fromEntries(entries)
}

function modelOf(route: Route, schema: unknown, models: Models): JsonObject {
  if (schema === undefined) return {}
  return {
    schema: models.referResponse(
      plain(schema),
      nameOf(route, 'Response', ({ responses }) => responses),
    ),
  }
}

function otherMedia({ alsoAs = {} }: Route): JsonObject {
  return Object.fromEntries(
    Object.entries(alsoAs).map(([type, { description, example }]) => [
      type,
      { schema: { type: 'string', description }, example },
    ]),
  )
}

/** Returns the schema of a request for the document: null is allowed in every optional field, as `checkShape` does. */
function asRequest(schema: JsonObject): JsonObject {
  const { properties, items, anyOf } = schema
  const required = (schema.required ?? []) as string[]
  return {
    ...schema,
    ...omitUndefined({
      properties: properties && requestFields(properties as Fields, required),
      items: items && asRequest(items as JsonObject),
      anyOf: (anyOf as JsonObject[] | undefined)?.map(asRequest),
    }),
  }
}

function requestFields(fields: Fields, required: readonly string[]): JsonObject {
  const entries = Object.entries(fields).map(([name, field]) => {
    const inner = asRequest(field)
    return [name, required.includes(name) || admitsNull(field as Schema) ? inner : orNull(inner)] as const
  })
  return Object.fromEntries(entries)
}

/** Adds null to a schema. A named schema keeps its description, because the model is the same everywhere. */
function orNull(schema: JsonObject): JsonObject {
  const { description, ...rest } = schema
  const choices: Json[] = schema.title === undefined ? ((rest.anyOf ?? [rest]) as Json[]) : [schema]
  return omitUndefined({ description, anyOf: [...choices, { type: 'null' }] }) as JsonObject
}
