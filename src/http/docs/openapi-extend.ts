import type { Json, JsonObject } from './openapi-json.ts'

/** Fewer common fields are a coincidence. */
const COMMON_FIELDS_MIN = 4
/** The same for two requests of one resource, such as `CreateDomainRequest` and `UpdateDomainRequest`. */
const RESOURCE_FIELDS_MIN = 3

type Named = Readonly<Record<string, JsonObject>>

/** Returns the models. A model that has every field of another extends it, as `Email` extends `EmailSummary`. */
export function extendModels(models: Named): JsonObject {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      const base = findBase(name, models)
      return [name, base === null ? model : extend(model, base, models[base] as JsonObject)]
    }),
  )
}

/** Returns the base with the most fields, or null. */
function findBase(name: string, models: Named): string | null {
  const model = models[name] as JsonObject
  const bases = Object.entries(models).filter(([otherName, other]) => {
    const isOfResource = name.endsWith('Request') && resourceOf(otherName) === resourceOf(name)
    const fieldsMin = isOfResource ? RESOURCE_FIELDS_MIN : COMMON_FIELDS_MIN
    return fieldsOf(other).length >= fieldsMin && isWithin(other, model)
  })
  const [first] = bases.sort(([, a], [, b]) => fieldsOf(b).length - fieldsOf(a).length)
  return first?.[0] ?? null
}

/** The name without its verb: `DomainRequest`. */
const resourceOf = (name: string) => name.replace(/^[A-Z][a-z]+/, '')

const fieldsOf = ({ properties = {} }: JsonObject) => Object.entries(properties as JsonObject)
const requiredOf = ({ required = [] }: JsonObject) => required as string[]

/**
 * Returns whether `whole` has every field of `part`, the same or without null, and more fields or requirements. A
 * model for creation extends the one for updates, in which every field is optional.
 */
function isWithin(part: JsonObject, whole: JsonObject): boolean {
  const fields = fieldsOf(part)
  const others = (whole.properties ?? {}) as Named
  const hasMore =
    fields.length < Object.keys(others).length || requiredOf(part).length < requiredOf(whole).length
  return (
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

/** Returns whether two schemas are equal but for their examples. The example of the base serves both. */
function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other)
}

function textOf(schema: unknown): string {
  return JSON.stringify(sortKeys(schema), (key, value) => (key === 'examples' ? undefined : value))
}

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function extend(model: JsonObject, name: string, base: JsonObject): JsonObject {
  const { type: _type, properties, required: _required, ...rest } = model
  const known = (base.properties ?? {}) as JsonObject
  const fields = Object.entries((properties ?? {}) as JsonObject)
  const own = fields.filter(([field, schema]) => !isSame(schema, known[field]))
  const required = requiredOf(model).filter((field) => !requiredOf(base).includes(field))
  const more = {
    ...(required.length === 0 ? {} : { required }),
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own) }),
  }
  const parts = (part: JsonObject) => [{ $ref: `#/components/schemas/${name}` }, part]
  const names = new Set(own.map(([field]) => field))
  const ownExample = exampleBeyond(model, base, (field) => names.has(field))
  if (ownExample === null) return { ...rest, allOf: parts(more) }
  const { examples: _examples, ...others } = rest
  return { ...others, allOf: parts({ ...more, ...ownExample }) }
}

/**
 * Returns the part of the example for the model's own fields, which readers merge with the example of the base. Null where
 * merging would give another example.
 */
function exampleBeyond(
  model: JsonObject,
  base: JsonObject,
  isOwn: (field: string) => boolean,
): JsonObject | null {
  const [example] = (model.examples ?? []) as JsonObject[]
  const [known] = (base.examples ?? []) as JsonObject[]
  if (example === undefined || known === undefined) return null
  const others = Object.keys({ ...known, ...example }).filter((field) => !isOwn(field))
  if (!others.every((field) => isSame(example[field], known[field]))) return null
  const own = Object.entries(example).filter(([field]) => isOwn(field))
  return own.length === 0 ? {} : { examples: [Object.fromEntries(own) as JsonObject] }
}
