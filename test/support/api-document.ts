import type { Json, JsonObject } from '../../src/http/docs/openapi-json.ts'
import { readOperations } from '../../src/http/docs/openapi-refs.ts'

/**
 * Returns the operations of an OpenAPI document by path and method, in the form that the tests traverse: references
 * are resolved, and a nullable type is a union of that type and null.
 * @param document as `GET /openapi.json` returns it
 */
export function readApiDocument<Operation>(document: unknown): Record<string, Record<string, Operation>> {
  return withChoices(readOperations(document as JsonObject)) as Record<string, Record<string, Operation>>
}

function withChoices(value: Json): Json {
  if (Array.isArray(value)) return value.map(withChoices)
  if (value === null || typeof value !== 'object') return value
  const { type, enum: choices, description, examples, ...rest } = mapValues(value)
  const said = {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
  }
  if (!Array.isArray(type) || type.length !== 2 || type[1] !== 'null') {
    return {
      ...(type !== undefined && { type }),
      ...(choices !== undefined && { enum: choices }),
      ...said,
      ...rest,
    }
  }
  const values = Array.isArray(choices) ? { enum: choices.filter((choice) => choice !== null) } : {}
  return { ...said, anyOf: [{ type: type[0] as Json, ...values, ...rest }, { type: 'null' }] }
}

function mapValues(object: JsonObject): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => [
    name,
    name === 'examples' || name === 'example' ? value : withChoices(value),
  ])
  return Object.fromEntries(entries) as JsonObject
}
