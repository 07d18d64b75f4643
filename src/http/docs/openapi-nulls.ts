import { admitsNull, type Schema } from '../json/shape.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/** Returns the schema of a request with null allowed in every optional field, as `checkShape` allows it. */
export function withNulls(schema: JsonObject): JsonObject {
  const { properties, items, anyOf } = schema
  const required = (schema.required ?? []) as string[]
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: withNullFields(properties as Fields, required) }),
    ...(items === undefined ? {} : { items: withNulls(items as JsonObject) }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonObject[]).map(withNulls) }),
  }
}

type Fields = Record<string, JsonObject>

function withNullFields(fields: Fields, required: readonly string[]): JsonObject {
  const entries = Object.entries(fields).map(([name, field]) => {
    const inner = withNulls(field)
    return [name, required.includes(name) || admitsNull(field as Schema) ? inner : orNull(inner)] as const
  })
  return Object.fromEntries(entries)
}

function orNull({ description, ...schema }: JsonObject): JsonObject {
  const choices = (schema.anyOf ?? [schema]) as Json[]
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [...choices, { type: 'null' }],
  }
}
