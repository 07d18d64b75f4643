import { admitsNull, type Schema } from '../json/shape.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/**
 * Returns the schema of a request for the document: null is allowed in every optional field, as `checkShape` does,
 * and fields that the handler requires (`x-required`) are required.
 */
export function asRequest(schema: JsonObject): JsonObject {
  const { properties, items, anyOf } = schema
  const byHandler = (schema['x-required'] ?? []) as string[]
  const required = [...((schema.required ?? []) as string[]), ...byHandler]
  return {
    ...schema,
    ...(required.length === 0 ? {} : { required }),
    ...(properties === undefined
      ? {}
      : { properties: requestFields(properties as Fields, required, byHandler) }),
    ...(items === undefined ? {} : { items: asRequest(items as JsonObject) }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonObject[]).map(asRequest) }),
  }
}

type Fields = Record<string, JsonObject>

function requestFields(
  fields: Fields,
  required: readonly string[],
  requiredByHandler: readonly string[],
): JsonObject {
  const entries = Object.entries(fields).map(([name, field]) => {
    const inner = asRequest(field)
    if (requiredByHandler.includes(name)) return [name, withoutNull(inner)] as const
    return [name, required.includes(name) || admitsNull(field as Schema) ? inner : orNull(inner)] as const
  })
  return Object.fromEntries(entries)
}

/** Removes null from a field whose absence the handler reports itself. */
function withoutNull(schema: JsonObject): JsonObject {
  if (schema.anyOf === undefined) return schema
  return { ...schema, anyOf: (schema.anyOf as JsonObject[]).filter((choice) => choice.type !== 'null') }
}

/** Adds null to a schema. A named schema keeps its description, because the model is the same everywhere. */
function orNull(schema: JsonObject): JsonObject {
  const { description, ...rest } = schema
  const choices: Json[] = schema.title === undefined ? ((rest.anyOf ?? [rest]) as Json[]) : [schema]
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [...choices, { type: 'null' }],
  }
}
