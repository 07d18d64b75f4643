import Type, { type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db } from '../../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../../http/page.ts'
import { deletedToJson } from '../../http/present.ts'
import { aliasOf, type Route, routesOf } from '../../http/route.ts'
import { Deleted, IdParams, Timestamp, Uuid } from '../../http/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { addProperty, removeProperty, updateProperty } from './properties.ts'
import { findProperty, listProperties, PROPERTY_COUNTER, type Property } from './properties-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const EXAMPLE = {
  object: 'property',
  id: '0198c0de-0000-7000-8000-0000000000a1',
  key: 'plan',
  type: 'string',
  fallback_value: 'free',
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

const PropertyType = Type.Enum(['string', 'number', 'date'], {
  description: 'The type of the values. It never changes.',
})

const FIELDS = {
  id: Uuid,
  key: Type.String({ description: 'The key as it was entered.' }),
  type: PropertyType,
}
const TIMES = { created_at: Timestamp, updated_at: Timestamp }
const FALLBACK_RULE = 'Used when a contact has no value for this property.'

export const PropertyAnswer = Type.Object(
  {
    object: Type.Literal('property'),
    ...FIELDS,
    fallback_value: Type.Union([Type.String(), Type.Null()], { description: FALLBACK_RULE }),
    ...TIMES,
  },
  { title: 'Property', examples: [EXAMPLE] },
)

/** The same as the Resend SDK has it. */
const ContactPropertyAnswer = Type.Object(
  {
    object: Type.Literal('contact_property'),
    ...FIELDS,
    fallback_value: Type.Union([Type.String(), Type.Number(), Type.Null()], {
      description: `${FALLBACK_RULE} Of a number, a number.`,
    }),
    ...TIMES,
  },
  { title: 'ContactProperty', examples: [{ ...EXAMPLE, object: 'contact_property' }] },
)

const Key = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^\\s*[A-Za-z][A-Za-z0-9_]*\\s*$',
  description:
    'A letter, then letters, digits and `_`; white space around it is dropped. Unique in the account without regard to case.',
})
const FALLBACK_TEXT = Type.String({ maxLength: 1000 })
const FALLBACK_INPUT = 'Used when a contact has no value. It must fit the type, and is kept as text.'
const Fallback = Type.Union([FALLBACK_TEXT, Type.Null()], { description: FALLBACK_INPUT })
/** The Resend SDK sends the fallback of a number as a number. */
const NumericFallback = Type.Union([FALLBACK_TEXT, Type.Number(), Type.Null()], {
  description: `${FALLBACK_INPUT} Of a number, text or a number.`,
})

const newProperty = (fallback: Form['fallback']) =>
  Type.Object(
    { key: Key, type: PropertyType, fallback_value: Type.Optional(fallback) },
    { examples: [{ key: 'plan', type: 'string', fallback_value: 'free' }] },
  )

const propertyChanges = (fallback: Form['fallback']) =>
  Type.Object(
    {
      key: Type.Optional(Key),
      type: Type.Optional(
        Type.Enum(['string', 'number', 'date'], { description: 'May only repeat what it is.' }),
      ),
      fallback_value: Type.Optional(fallback),
    },
    { examples: [{ fallback_value: 'trial' }] },
  )

function propertyToJson(property: Property): Static<typeof PropertyAnswer> {
  return {
    object: 'property',
    id: property.id,
    key: property.key,
    type: property.type,
    fallback_value: property.fallbackValue,
    created_at: formatTime(property.createdAt),
    updated_at: formatTime(property.updatedAt),
  }
}

function resendPropertyToJson(property: Property): Static<typeof ContactPropertyAnswer> {
  const { fallback_value: fallback, ...shown } = propertyToJson(property)
  return {
    ...shown,
    object: 'contact_property',
    fallback_value: property.type === 'number' && fallback !== null ? Number(fallback) : fallback,
  }
}

/** One form of the resource: its path, what its records call themselves, and how they look. */
interface Form {
  path: string
  kind: 'property' | 'contact_property'
  /** For the names of its operations. */
  noun: string
  plural: string
  schema: Type.TSchema
  fallback: typeof Fallback | typeof NumericFallback
  show(property: Property): { id: string }
}

const COMMON = { tag: 'Properties', permission: 'full', limit: 'general' } as const

/** Everything under one path: the Resend SDK knows properties by another name. */
function propertyRoutesOf(form: Form): Route<Deps>[] {
  const { postProperty, patchProperty, deleteProperty } = writingRoutesOf(form)
  const { getProperties, getProperty } = readingRoutesOf(form)
  return [
    postProperty,
    getProperties,
    getProperty,
    patchProperty,
    aliasOf(patchProperty, { method: 'PUT' }),
    deleteProperty,
  ]
}

function readingRoutesOf({ path, noun, plural, schema, show }: Form) {
  const getProperties = route('GET', path, {
    ...COMMON,
    operationId: `list${plural}`,
    summary: 'List properties',
    description: 'Newest first.',
    query: PageQuery,
    responses: { 200: { description: 'Newest first.', schema: listOf(schema) } },
    async handle({ caller, query, deps: { lists, config } }) {
      const page = readPage(query)
      const { rows, hasMore } = await listProperties(lists, caller.teamId, page)
      const total = await readCounter(lists, caller.teamId, PROPERTY_COUNTER)
      const list = { publicUrl: config.publicUrl, path, query, page, total, hasMore }
      return { status: 200, json: listToJson({ ...list, data: rows.map(show) }) }
    },
  })

  const getProperty = route('GET', `${path}/:id`, {
    ...COMMON,
    operationId: `get${noun}`,
    summary: 'Get a property',
    description: 'Returns the key, type, and fallback.',
    params: IdParams,
    responses: { 200: { description: 'The property.', schema } },
    async handle({ caller, params, deps: { db } }) {
      const property = await findProperty(db, caller.teamId, params.id)
      if (property === null) throw new ApiError('not_found')
      return { status: 200, json: show(property) }
    },
  })
  return { getProperties, getProperty }
}

function writingRoutesOf({ path, kind, noun, schema, fallback, show }: Form) {
  const one = { description: 'The property.', schema }
  const area = path.slice(1)
  const postProperty = route('POST', path, {
    ...COMMON,
    operationId: `create${noun}`,
    action: `${area}.create`,
    summary: 'Create a property',
    description:
      'A property defines a value that contacts can have, such as a plan. An account may have 1,000.',
    body: newProperty(fallback),
    responses: { 201: { ...one, description: 'The new property.' } },
    async handle({ caller, body, audited, deps: { clock } }) {
      const { key, type, fallback_value: fallbackValue = null } = body
      const input = { key, type, fallbackValue }
      const property = await audited.transaction((tx) => addProperty(tx, caller.teamId, input, clock.now()))
      return { status: 201, json: show(property) }
    },
  })

  const patchProperty = route('PATCH', `${path}/:id`, {
    ...COMMON,
    operationId: `update${noun}`,
    action: `${area}.update`,
    summary: 'Update a property',
    description:
      'Changes only the fields you send. The type cannot change, because contacts have values of it.',
    params: IdParams,
    body: propertyChanges(fallback),
    responses: { 200: one },
    async handle({ caller, params, body, audited, deps: { clock } }) {
      const { key, type, fallback_value: fallbackValue } = body
      const property = await audited.transaction((tx) =>
        updateProperty(tx, caller.teamId, params.id, { key, type, fallbackValue }, clock.now()),
      )
      return { status: 200, json: show(property) }
    },
  })

  const deleteProperty = route('DELETE', `${path}/:id`, {
    ...COMMON,
    operationId: `delete${noun}`,
    action: `${area}.delete`,
    summary: 'Delete a property',
    description: 'Deletes its value from every contact. Returns 409 while a segment uses the property.',
    params: IdParams,
    responses: { 200: { description: 'The record was deleted.', schema: Deleted } },
    async handle({ caller, params, audited, deps: { clock } }) {
      const id = params.id.toLowerCase()
      await audited.transaction((tx) => removeProperty(tx, caller.teamId, id, clock.now()))
      return { status: 200, json: deletedToJson(kind, id) }
    },
  })

  return { postProperty, patchProperty, deleteProperty }
}

const OWN_ROUTES = propertyRoutesOf({
  path: '/properties',
  kind: 'property',
  noun: 'Property',
  plural: 'Properties',
  schema: PropertyAnswer,
  fallback: Fallback,
  show: propertyToJson,
})

/** Each stands for the route of `OWN_ROUTES` in the same place. */
const RESEND_ROUTES = propertyRoutesOf({
  path: '/contact-properties',
  kind: 'contact_property',
  noun: 'ContactProperty',
  plural: 'ContactProperties',
  schema: ContactPropertyAnswer,
  fallback: NumericFallback,
  show: resendPropertyToJson,
})

export const propertyRoutes: readonly Route<Deps>[] = [
  ...OWN_ROUTES,
  ...RESEND_ROUTES.map(
    (resend, index) => ({ ...resend, aliasOf: resend.aliasOf ?? OWN_ROUTES[index] }) as Route<Deps>,
  ),
]
