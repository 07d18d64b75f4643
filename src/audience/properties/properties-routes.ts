import Type from 'typebox'
import { type ResourceDeps, resource } from '../../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { addProperty, removeProperty, updateProperty } from './properties.ts'
import { findProperty, listProperties, PROPERTY_COUNTER, type Property } from './properties-queries.ts'
import {
  ContactPropertyAnswer,
  Fallback,
  Key,
  NumericFallback,
  PropertyAnswer,
  PropertyType,
  propertyToJson,
  resendPropertyToJson,
} from './property-schemas.ts'

const { route } = routesOf<ResourceDeps>()

const newProperty = (fallback: Form['fallback']) =>
  Type.Object(
    { key: Key, type: PropertyType, fallback_value: Type.Optional(fallback) },
    { examples: [{ key: 'plan', type: 'string', fallback_value: 'free' }] },
  )

const propertyChanges = (fallback: Form['fallback']) =>
  Type.Object(
    {
      key: Type.Optional(Key),
      type: Type.Optional(PropertyType),
      fallback_value: Type.Optional(fallback),
    },
    { examples: [{ fallback_value: 'trial' }] },
  )

/** One form of the resource: its path, the type name of its records, and their JSON. */
interface Form {
  path: string
  kind: 'property' | 'contact_property'
  /** Used in the names of the operations. */
  noun: string
  plural: string
  schema: Type.TSchema
  fallback: typeof Fallback | typeof NumericFallback
  toJson(property: Property): { id: string }
}

const COMMON = { tag: 'Properties', permission: 'full', limit: 'general' } as const

/** Returns all routes under one path. The Resend SDK uses another path for properties. */
function propertyRoutesOf(form: Form): Route<ResourceDeps>[] {
  const { path, kind, noun, plural, schema, toJson } = form
  const properties = resource(path, kind, COMMON)
  const { postProperty, patchProperty } = writingRoutesOf(form)
  return [
    postProperty,
    properties.list(`list${plural}`, 'List properties', {
      description: 'Newest first.',
      schema,
      read: listProperties,
      counter: PROPERTY_COUNTER,
      toJson,
    }),
    properties.get(`get${noun}`, 'Get a property', {
      description: 'Returns the key, type, and fallback.',
      response: { description: 'The property.', schema },
      read: findProperty,
      toJson,
    }),
    patchProperty,
    aliasOf(patchProperty, { method: 'PUT' }),
    properties.delete(`delete${noun}`, 'Delete a property', {
      description: 'Deletes its value from every contact. Returns 409 while a segment uses the property.',
      remove: removeProperty,
    }),
  ]
}

function writingRoutesOf({ path, noun, schema, fallback, toJson }: Form) {
  const one = { description: 'The property.', schema }
  const area = path.slice(1)
  const postProperty = route('POST', path, {
    ...COMMON,
    operationId: `create${noun}`,
    action: `${area}.create`,
    summary: 'Create a property',
    description: 'A property is a custom field of contacts, such as a plan. A team can have 1,000.',
    body: newProperty(fallback),
    responses: { 201: { ...one, description: 'The new property.' } },
    async handle({ caller, body, audited, deps: { clock } }) {
      const { key, type, fallback_value: fallbackValue = null } = body
      const input = { key, type, fallbackValue }
      const property = await audited.transaction((tx) => addProperty(tx, caller.teamId, input, clock.now()))
      return { status: 201, json: toJson(property) }
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
      return { status: 200, json: toJson(property) }
    },
  })

  return { postProperty, patchProperty }
}

const OWN_ROUTES = propertyRoutesOf({
  path: '/properties',
  kind: 'property',
  noun: 'Property',
  plural: 'Properties',
  schema: PropertyAnswer,
  fallback: Fallback,
  toJson: propertyToJson,
})

/** Each is an alias of the route at the same index of `OWN_ROUTES`. */
const RESEND_ROUTES = propertyRoutesOf({
  path: '/contact-properties',
  kind: 'contact_property',
  noun: 'ContactProperty',
  plural: 'ContactProperties',
  schema: ContactPropertyAnswer,
  fallback: NumericFallback,
  toJson: resendPropertyToJson,
})

export const propertyRoutes: readonly Route<ResourceDeps>[] = [
  ...OWN_ROUTES,
  ...RESEND_ROUTES.map(
    (resend, index) => ({ ...resend, aliasOf: resend.aliasOf ?? OWN_ROUTES[index] }) as Route<ResourceDeps>,
  ),
]
