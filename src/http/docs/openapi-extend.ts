import type { Json, JsonObject } from './openapi-json.ts'

/** Fewer common fields than this are a coincidence. */
const COMMON_FIELDS_MIN = 4

type Named = Readonly<Record<string, JsonObject>>

/** Returns the models; one that has every field of another extends it, as `Email` extends `EmailSummary`. */
export function extendModels(models: Named): JsonObject {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      const base = findBase(model, models)
      return [name, base === null ? model : extend(model, base, models[base] as JsonObject)]
    }),
  )
}

/** The base with the most fields. */
function findBase(model: JsonObject, models: Named): string | null {
  const bases = Object.entries(models).filter(([, other]) => isWithin(other, model))
  const [first] = bases.sort(([, a], [, b]) => fieldsOf(b).length - fieldsOf(a).length)
  return first?.[0] ?? null
}

const fieldsOf = ({ properties = {} }: JsonObject) => Object.entries(properties as JsonObject)
const requiredOf = ({ required = [] }: JsonObject) => required as string[]

/**
 * Whether `whole` has every field of `part`, as it is there or without null, and asks for more. What creates a record
 * extends what changes it, in which every field is optional.
 */
function isWithin(part: JsonObject, whole: JsonObject): boolean {
  const fields = fieldsOf(part)
  const others = (whole.properties ?? {}) as Named
  const hasMore =
    fields.length < Object.keys(others).length || requiredOf(part).length < requiredOf(whole).length
  return (
    fields.length >= COMMON_FIELDS_MIN &&
    hasMore &&
    Object.keys(part).every((key) => COMMON_KEYWORDS.has(key)) &&
    requiredOf(part).every((name) => requiredOf(whole).includes(name)) &&
    fields.every(([name, schema]) => isNarrower(others[name], schema as JsonObject))
  )
}

const COMMON_KEYWORDS = new Set(['type', 'properties', 'required', 'examples', 'description'])

function isNarrower(own: JsonObject | undefined, base: JsonObject): boolean {
  if (own === undefined) return false
  if (isSame(own, base)) return true
  const type = Array.isArray(base.type) ? base.type.filter((each) => each !== 'null') : []
  return type.length === 1 && isSame(own, { ...base, type: type[0] as Json })
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other))
}

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function extend(model: JsonObject, name: string, base: JsonObject): JsonObject {
  const { type, properties, required: _required, ...rest } = model
  const known = (base.properties ?? {}) as JsonObject
  const own = Object.entries((properties ?? {}) as JsonObject).filter(
    ([field, schema]) => !isSame(schema, known[field]),
  )
  const required = requiredOf(model).filter((field) => !requiredOf(base).includes(field))
  const more = {
    type: type as Json,
    ...(required.length === 0 ? {} : { required }),
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own) }),
  }
  return { ...rest, allOf: [{ $ref: `#/components/schemas/${name}` }, more] }
}
