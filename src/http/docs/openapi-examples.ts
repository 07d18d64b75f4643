import type { Json, JsonObject } from './openapi-json.ts'

/**
 * Returns an example of a schema from the examples within it: a list is an envelope with one of its records. Undefined
 * where a field has none.
 */
export function exampleOfSchema(schema: JsonObject): Json | undefined {
  const own = (schema.examples as Json[] | undefined)?.[0]
  if (own !== undefined) return own
  if (schema.type === 'array') {
    const item = exampleOfSchema((schema.items ?? {}) as JsonObject)
    return item === undefined ? undefined : [item]
  }
  if (schema.type !== 'object') return exampleOfScalar(schema)
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(
    ([name, property]) => [name, exampleOfSchema(property)] as const,
  )
  if (fields.some(([, example]) => example === undefined)) return undefined
  return Object.fromEntries(fields) as JsonObject
}

/** The envelope of a list consists of these. */
function exampleOfScalar(schema: JsonObject): Json | undefined {
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'boolean') return false
  return schema.type === 'integer' ? 1 : undefined
}
