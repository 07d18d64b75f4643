import type { Json, JsonObject } from './openapi-json.ts'

/** Fewer common fields are a coincidence. */
const COMMON_FIELDS_MIN = 4
/** The same for two requests of one resource, such as `CreateDomainRequest` and `UpdateDomainRequest`. */
const RESOURCE_FIELDS_MIN = 3

type Named = Readonly<Record<string, JsonObject>>

/** A model, with what comparisons with all other models need. */
interface Shape {
  name: string
  model: JsonObject
  /** The schemas of its fields, as texts that are equal for equal schemas. */
  fields: ReadonlyMap<string, FieldTexts>
  required: ReadonlySet<string>
  /** Whether a model that extends it would inherit nothing but fields. */
  isPlain: boolean
}

interface FieldTexts {
  text: string
  /** The schema of a field that may be null, as it would be if it could not; otherwise null. */
  withoutNull: string | null
}

/** Returns the models. A model that has every field of another extends it, as `Email` extends `EmailSummary`. */
export function extendModels(models: Named): JsonObject {
  const shapes = Object.entries(models).map(([name, model]) => shapeOf(name, model))
  return Object.fromEntries(
    shapes.map((shape) => {
      const base = findBase(shape, shapes)
      return [shape.name, base === null ? shape.model : extend(shape, base)]
    }),
  )
}

function shapeOf(name: string, model: JsonObject): Shape {
  const { properties = {}, required = [] } = model
  const fields = Object.entries(properties as Named)
  return {
    name,
    model,
    fields: new Map(fields.map(([field, schema]) => [field, describeField(schema)])),
    required: new Set(required as string[]),
    isPlain: Object.keys(model).every((key) => COMMON_KEYWORDS.has(key)),
  }
}

function describeField(schema: JsonObject): FieldTexts {
  const types = Array.isArray(schema.type) ? schema.type.filter((each) => each !== 'null') : []
  const withoutNull = types.length === 1 ? textOf({ ...schema, type: types[0] as Json }) : null
  return { text: textOf(schema), withoutNull }
}

/** Returns the base with the most fields, or null. */
function findBase(shape: Shape, shapes: readonly Shape[]): Shape | null {
  let base: Shape | null = null
  for (const other of shapes) {
    const isOfResource = shape.name.endsWith('Request') && resourceOf(other.name) === resourceOf(shape.name)
    const fieldsMin = isOfResource ? RESOURCE_FIELDS_MIN : COMMON_FIELDS_MIN
    const isLarger = other.fields.size >= fieldsMin && other.fields.size > (base?.fields.size ?? 0)
    if (isLarger && isWithin(other, shape)) base = other
  }
  return base
}

/** The name without its verb: `DomainRequest`. */
const resourceOf = (name: string) => name.replace(/^[A-Z][a-z]+/, '')

/**
 * Returns whether `whole` has every field of `part`, the same or without null, and more fields or requirements. A
 * model for creation extends the one for updates, in which every field is optional.
 */
function isWithin(part: Shape, whole: Shape): boolean {
  const hasMore = part.fields.size < whole.fields.size || part.required.size < whole.required.size
  return (
    hasMore &&
    part.isPlain &&
    [...part.required].every((name) => whole.required.has(name)) &&
    [...part.fields].every(([name, field]) => isNarrower(whole.fields.get(name), field))
  )
}

const COMMON_KEYWORDS = new Set(['type', 'properties', 'required', 'examples', 'description'])

function isNarrower(own: FieldTexts | undefined, base: FieldTexts): boolean {
  return own !== undefined && (own.text === base.text || own.text === base.withoutNull)
}

/** Returns a text that two schemas share if they are equal but for their examples. The example of the base serves both. */
function textOf(schema: unknown): string {
  return JSON.stringify(sortKeys(schema), (key, value) => (key === 'examples' ? undefined : value))
}

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function extend({ model, fields }: Shape, base: Shape): JsonObject {
  const { type: _type, properties, required = [], ...rest } = model
  const own = Object.entries((properties ?? {}) as JsonObject).filter(
    ([field]) => fields.get(field)?.text !== base.fields.get(field)?.text,
  )
  const added = (required as string[]).filter((field) => !base.required.has(field))
  const more = {
    ...(added.length === 0 ? {} : { required: added }),
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own) }),
  }
  const parts = (part: JsonObject) => [{ $ref: `#/components/schemas/${base.name}` }, part]
  const names = new Set(own.map(([field]) => field))
  const ownExample = exampleBeyond(model, base.model, (field) => names.has(field))
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
  if (!others.every((field) => textOf(example[field]) === textOf(known[field]))) return null
  const own = Object.entries(example).filter(([field]) => isOwn(field))
  return own.length === 0 ? {} : { examples: [Object.fromEntries(own) as JsonObject] }
}
