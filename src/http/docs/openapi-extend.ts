import type { Json, JsonObject } from './openapi-json.ts'

/**
 * The keyword by which the schema of a response names the model that it extends: `Email` has all fields of `EmailSummary`, and
 * the document describes only its own. For bodies, which get their names from their routes, the route names it
 * (`bodyExtends`).
 */
export const EXTENDS = 'x-extends'

type Named = Readonly<Record<string, JsonObject>>

/**
 * Returns the models; those with a base have only what the base lacks.
 * @param bases the name of the base by that of the model. Throws if the base is not a model, or has a field that differs.
 */
export function extendModels(models: Named, bases: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      const base = bases[name]
      return [name, base === undefined ? model : extend(name, model, base, models[base])]
    }),
  )
}

function extend(name: string, model: JsonObject, baseName: string, base: JsonObject | undefined): JsonObject {
  if (base === undefined) throw new Error(`${name} extends ${baseName}, which is not a model.`)
  const { type: _type, properties, required = [], ...rest } = model
  const fields = (properties ?? {}) as Named
  const inherited = (base.properties ?? {}) as Named
  const requiredByBase = (base.required ?? []) as string[]
  for (const [field, schema] of Object.entries(inherited)) {
    const isOptional = requiredByBase.includes(field) && !(required as string[]).includes(field)
    if (isOptional || !isNarrower(fields[field], schema)) {
      throw new Error(`${name} extends ${baseName}, but its field ${field} differs.`)
    }
  }
  const own = Object.entries(fields).filter(([field, schema]) => textOf(schema) !== textOf(inherited[field]))
  const added = (required as string[]).filter((field) => !requiredByBase.includes(field))
  const more = {
    ...(added.length === 0 ? {} : { required: added }),
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own) }),
  }
  const parts = (part: JsonObject) => [{ $ref: `#/components/schemas/${baseName}` }, part]
  const names = new Set(own.map(([field]) => field))
  const ownExample = exampleBeyond(model, base, (field) => names.has(field))
  if (ownExample === null) return { ...rest, allOf: parts(more) }
  const { examples: _examples, ...others } = rest
  return { ...others, allOf: parts({ ...more, ...ownExample }) }
}

/** Returns whether a field is that of the base. It may lack the null that the base allows. */
function isNarrower(own: JsonObject | undefined, base: JsonObject): boolean {
  if (textOf(own) === textOf(base)) return true
  const types = Array.isArray(base.type) ? base.type.filter((each) => each !== 'null') : []
  return types.length === 1 && textOf(own) === textOf({ ...base, type: types[0] as Json })
}

/** Returns a text that two schemas share if they are equal but for their examples. The example of the base serves both. */
function textOf(schema: unknown): string {
  return JSON.stringify(sortKeys(schema), (key, value) => (key === 'examples' ? undefined : value))
}

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
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
  const [baseExample] = (base.examples ?? []) as JsonObject[]
  if (example === undefined || baseExample === undefined) return null
  const others = Object.keys({ ...baseExample, ...example }).filter((field) => !isOwn(field))
  if (!others.every((field) => textOf(example[field]) === textOf(baseExample[field]))) return null
  const own = Object.entries(example).filter(([field]) => isOwn(field))
  return own.length === 0 ? {} : { examples: [Object.fromEntries(own) as JsonObject] }
}
