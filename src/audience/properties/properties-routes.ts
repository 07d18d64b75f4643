import Type from 'typebox'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import type { Route } from '../../http/route/route.ts'
import { addProperty, removeProperty, updateProperty } from './properties.ts'
import { findProperty, listProperties, PROPERTY_COUNTER, type Property } from './properties-queries.ts'
import {
  ContactPropertyAnswer,
  Fallback,
  Key,
  NumericFallback,
  PropertyAnswer,
  PropertyTypeName,
  propertyToJson,
  resendPropertyToJson,
} from './property-schemas.ts'

const newProperty = (fallback: Form['fallback']) =>
  Type.Object(
    { key: Key, type: PropertyTypeName, fallback_value: Type.Optional(fallback) },
    { examples: [{ key: 'plan', type: 'string', fallback_value: 'free' }] },
  )

const propertyChanges = (fallback: Form['fallback']) =>
  Type.Object(
    {
      key: Type.Optional(Key),
      type: Type.Optional(PropertyTypeName),
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

/** Returns all routes under one path. The Resend SDK uses another path for properties. */
function propertyRoutesOf({
  path,
  kind,
  noun,
  plural,
  schema,
  fallback,
  toJson,
}: Form): Route<ResourceDeps>[] {
  const properties = new Resource(path, kind, {
    area: 'properties',
    permission: 'full',
    noun: 'property',
    schema,
    toJson,
  })
  return [
    properties.create(`create${noun}`, 'Create a property', {
      description: 'A property is a custom field of contacts, such as a plan. A team can have 1,000.',
      body: newProperty(fallback),
      input: ({ key, type, fallback_value: fallbackValue = null }) => ({ key, type, fallbackValue }),
      create: addProperty,
    }),
    properties.list(`list${plural}`, 'List properties', {
      description: 'Newest first.',
      read: listProperties,
      counter: PROPERTY_COUNTER,
    }),
    properties.get(`get${noun}`, 'Get a property', {
      description: 'Returns the key, type, and fallback.',
      read: findProperty,
    }),
    ...properties.update(`update${noun}`, 'Update a property', {
      description:
        'Changes only the fields you send. The type cannot change, because contacts have values of it.',
      body: propertyChanges(fallback),
      input: ({ key, type, fallback_value: fallbackValue }) => ({ key, type, fallbackValue }),
      update: updateProperty,
    }),
    properties.delete(`delete${noun}`, 'Delete a property', {
      description: 'Deletes its value from every contact. Returns 409 while a segment uses the property.',
      remove: removeProperty,
    }),
  ]
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
