import fc from 'fast-check'

/** A JSON Schema in the OpenAPI document. */
export interface JsonSchema {
  description?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  maxLength?: number
  format?: string
  minimum?: number
  maximum?: number
  examples?: unknown[]
}

const NASTY = fc.constantFrom<unknown>(
  null,
  '',
  '\0',
  '\ud800',
  'a\r\nBcc: b@c.test',
  '__proto__',
  '\u202e\u2028',
  '😀'.repeat(300),
  "'; drop table email; --",
  '{{constructor}} {{__proto__}} {{{{',
  'a@b.test> SIZE=1',
  '9999-12-31T23:59:59Z',
  -1,
  1e300,
  Number.MIN_VALUE,
  [],
  {},
  [[[]]],
  JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{}}}'),
)

const WORDS = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('bob@to.test', 'Ann <ann@to.test>', 'true', '2026-01-01', 'https://to.test/'),
)

/** Generates values that mostly match a schema; about every eighth node is unexpected. */
export function arbitraryOf(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema, depth)
  return fc.oneof({ arbitrary: fitting, weight: 7 }, { arbitrary: NASTY, weight: 1 })
}

function fittingOf(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((branch) => fittingOf(branch, depth)))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return schema.format === 'uuid' ? fc.uuid() : WORDS.map((text) => text.slice(0, schema.maxLength))
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 1000 })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, depth + 1), { maxLength: 3 })
    case 'object':
      return objectOf(schema, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties: entry }: JsonSchema,
  depth: number,
) {
  if (typeof entry === 'object') return fc.dictionary(WORDS, arbitraryOf(entry, depth + 1), { maxKeys: 3 })
  const fields: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, property] of Object.entries(properties)) fields[name] = arbitraryOf(property, depth + 1)
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
}

export interface StringField {
  path: string[]
  schema: JsonSchema
}

/** Returns all string fields of a body; `0` in a path stands for the first item of an array, `KEY` for any key. */
export function stringFieldsOf(schema: JsonSchema, path: string[] = []): StringField[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((branch) => stringFieldsOf(branch, path))
  if (schema.type === 'string' && schema.enum === undefined && !('const' in schema)) return [{ path, schema }]
  if (schema.type === 'array') return stringFieldsOf(schema.items ?? {}, [...path, '0'])
  const entry = schema.additionalProperties
  if (typeof entry === 'object') return stringFieldsOf(entry, [...path, 'KEY'])
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    stringFieldsOf(property, [...path, name]),
  )
}

/** Returns the paths of all string fields of a body. */
export const stringPathsOf = (schema: JsonSchema): string[][] =>
  stringFieldsOf(schema).map(({ path }) => path)

/** Returns a copy of `body` with `value` at `path`. Missing parents are created. */
export function withField(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(body) || (body === undefined && name === '0')) {
    const items: unknown[] = Array.isArray(body) ? [...body] : []
    items[Number(name)] = withField(items[Number(name)], rest, value)
    return items
  }
  const fields = typeof body === 'object' && body !== null ? body : {}
  return { ...fields, [name]: withField((fields as Record<string, unknown>)[name], rest, value) }
}

/** Returns a copy of `body` in which the parents of the field at `path` exist, with the fields that they require. */
export function withParents(body: unknown, path: readonly string[], schema: JsonSchema): unknown {
  const [name, ...rest] = path
  if (name === undefined) return body
  if (schema.anyOf !== undefined) {
    const branch = schema.anyOf.find((each) => each.type === (name === '0' ? 'array' : 'object'))
    return branch === undefined ? body : withParents(body, path, branch)
  }
  const parent = typeof body === 'object' && body !== null ? body : smallestOf(schema)
  const { items, properties, additionalProperties: entry } = schema
  const child = (name === '0' ? items : properties?.[name]) ?? (typeof entry === 'object' ? entry : {})
  const value = withParents((parent as Record<string, unknown>)[name], rest, child)
  return value === undefined ? parent : withField(parent, [name], value)
}

/** Returns a value with the required fields of a schema only. */
function smallestOf({ type, enum: choices, anyOf, ...schema }: JsonSchema): unknown {
  if (anyOf?.[0] !== undefined) return smallestOf(anyOf[0])
  if (type === 'array') return []
  if (type !== 'object')
    return schema.examples?.[0] ?? schema.const ?? choices?.[0] ?? (type === 'string' ? 'a' : 1)
  const required = (schema.required ?? []).map((name) => [name, smallestOf(schema.properties?.[name] ?? {})])
  return Object.fromEntries(required)
}
