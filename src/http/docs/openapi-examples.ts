import { EXAMPLE_TEXTS } from './example-texts.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/**
 * Builds an example of a schema from the examples in it: a list is an envelope with one record. Returns undefined if a text
 * has none.
 * @param name of the field, by which texts without an example have one
 */
export function exampleOfSchema(schema: JsonObject, name = ''): Json | undefined {
  const own = (schema.examples as Json[] | undefined)?.[0]
  if (own !== undefined) return own
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const choices = choicesOf(schema)
  if (choices !== null) {
    return choices.map((choice) => exampleOfSchema(choice, name)).find((example) => example !== undefined)
  }
  if (schema.type === 'array') {
    const item = exampleOfSchema((schema.items ?? {}) as JsonObject, name)
    return item === undefined ? undefined : [item]
  }
  return schema.type === 'object' ? exampleOfObject(schema) : exampleOfScalar(schema, name)
}

function choicesOf(schema: JsonObject): JsonObject[] | null {
  if (schema.anyOf !== undefined) return schema.anyOf as JsonObject[]
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : null
}

function exampleOfObject(schema: JsonObject): Json | undefined {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(
    ([name, property]) => [name, exampleOfSchema(property, name)] as const,
  )
  if (fields.some(([, example]) => example === undefined)) return undefined
  return Object.fromEntries(fields) as JsonObject
}

function exampleOfScalar({ type, format, minimum }: JsonObject, name: string): Json | undefined {
  if (type === 'null') return null
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (format === 'uuid') return EXAMPLE_TEXTS.id
  if (format === 'uri') return 'https://mail.example.com'
  return type === 'string' ? EXAMPLE_TEXTS[name] : undefined
}

/** Moves the example of each object in a schema to those of its fields that need one. */
export type SpreadExamples = (schema: JsonObject) => JsonObject

/**
 * The example of a whole response repeats what the schemas of its fields show: constants, ids, timestamps, and models with
 * their own examples. Only the other fields keep theirs. A model that occurs in several responses takes its examples from
 * the first.
 */
export function createSpreadExamples(): SpreadExamples {
  const named = new Map<string, JsonObject>()

  function spread(schema: JsonObject, fallback?: Json, name = ''): JsonObject {
    const { title, properties, anyOf } = schema
    if (title !== undefined && properties === undefined && anyOf === undefined) return schema
    if (typeof title !== 'string') return spreadInside(schema, fallback, name)
    const key = JSON.stringify(schema)
    const result = named.get(key) ?? spreadInside(schema, fallback, name)
    named.set(key, result)
    return result
  }

  function spreadInside(schema: JsonObject, fallback: Json | undefined, name: string): JsonObject {
    const { examples, ...rest } = schema
    const example = (examples as Json[] | undefined)?.[0] ?? fallback
    const { properties, items, anyOf } = rest
    if (properties !== undefined) return { ...rest, properties: spreadFields(properties as Fields, example) }
    if (items !== undefined) return spreadItems(rest, example, name)
    if (anyOf !== undefined && isRecord(example)) {
      return { ...rest, anyOf: (anyOf as JsonObject[]).map((choice) => spread(choice, example, name)) }
    }
    const isKept =
      example !== undefined &&
      example !== null &&
      !SHOWN_TYPES.has(String(rest.type)) &&
      needsExample(schema, example, name)
    return isKept ? { ...rest, examples: [example] } : rest
  }

  function spreadItems(schema: JsonObject, example: Json | undefined, name: string): JsonObject {
    const [first, ...others] = Array.isArray(example) ? example : []
    const items = spread(schema.items as JsonObject, first, name)
    const isEmpty = Array.isArray(example) && first === undefined && others.length === 0
    return isEmpty && exampleOfSchema(items, name) === undefined
      ? { ...schema, items, examples: [[]] }
      : { ...schema, items }
  }

  function spreadFields(fields: Fields, example: Json | undefined): JsonObject {
    const values = isRecord(example) ? example : {}
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, spread(field, values[name], name)]),
    )
  }

  return (schema) => spread(schema)
}

/** A number or boolean that cannot be null needs no example. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(['integer', 'boolean'])

type Fields = Record<string, JsonObject>

function isRecord(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Ids, times and URLs need no example, nor do values that the schema or the name of the field shows. */
function needsExample(schema: JsonObject, example: Json, name: string): boolean {
  if (schema.type === 'null') return false
  if (schema.type === 'string' && schema.enum === undefined && Object.hasOwn(EXAMPLE_TEXTS, name))
    return false
  if (schema.format !== undefined || schema.examples !== undefined || schema.title !== undefined) return false
  if (schema.anyOf !== undefined) {
    return (schema.anyOf as JsonObject[]).every(
      (choice) => choice.type === 'null' || needsExample(choice, example, name),
    )
  }
  return JSON.stringify(example) !== JSON.stringify(exampleOfSchema(schema, name))
}
