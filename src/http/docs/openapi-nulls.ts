import { omitUndefined } from '../../lib/omit-undefined.ts'
import { admitsNull, type Schema } from '../json/shape.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/** Returns the schema of a request for the document: null is allowed in every optional field, as `checkShape` does. */
export function asRequest(schema: JsonObject): JsonObject {
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

type Fields = Record<string, JsonObject>

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
