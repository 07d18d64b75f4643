/** A type of the API, in no particular language. */
export type ApiType =
  | { kind: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'any' }
  | { kind: 'literal'; values: readonly (string | boolean)[] }
  | { kind: 'list'; item: ApiType }
  | { kind: 'map'; value: ApiType }
  | { kind: 'model'; name: string }
  | { kind: 'union'; of: readonly ApiType[] }

export interface ApiField {
  name: string
  type: ApiType
  isRequired: boolean
}

/** An object of the API. */
export interface ApiModel {
  name: string
  fields: ApiField[]
}

// biome-ignore lint/suspicious/noExplicitAny: a schema has any form
type Schema = Record<string, any>

/** Collects the models that the types of an OpenAPI document refer to. */
export class Models {
  readonly found = new Map<string, ApiModel>()
  readonly #schemas: Record<string, Schema>
  /** The schema of each model, as JSON. */
  readonly #sources = new Map<string, string>()

  constructor(document: object) {
    this.#schemas = (document as Schema).components.schemas
  }

  /** Returns the type of a schema. An object without a name gets that of its place: `EmailRecipient`. */
  typeOf(schema: Schema, place: string): ApiType {
    const { $ref, anyOf, allOf, enum: choices, type, const: constant } = schema
    if ($ref !== undefined) return this.#named($ref.split('/').at(-1))
    if (constant !== undefined) return { kind: 'literal', values: [constant] }
    if (choices !== undefined) return oneOf(choices.map(literal))
    if (anyOf !== undefined) {
      return oneOf(anyOf.map((each: Schema, index: number) => this.typeOf(each, `${place}${index || ''}`)))
    }
    if (Array.isArray(type)) return oneOf(type.map((each) => this.typeOf({ ...schema, type: each }, place)))
    if (type === 'null') return { kind: 'null' }
    if (allOf !== undefined || schema.properties !== undefined) return this.#object(schema, place)
    if (type === 'object') return { kind: 'map', value: this.#valueOf(schema.additionalProperties, place) }
    if (type === 'array') return { kind: 'list', item: this.typeOf(schema.items ?? {}, singular(place)) }
    return { kind: type ?? 'any' }
  }

  #valueOf(schema: Schema | boolean | undefined, place: string): ApiType {
    return typeof schema === 'object' ? this.typeOf(schema, singular(place)) : { kind: 'any' }
  }

  #named(name: string): ApiType {
    const schema = this.#schemas[name] ?? {}
    const isObject = schema.allOf !== undefined || schema.properties !== undefined
    return isObject ? this.#object(schema, name) : this.typeOf(schema, name)
  }

  /** Throws if another object has the name: its fields would be those of this one. */
  #object(schema: Schema, name: string): ApiType {
    const { description: _description, ...shape } = schema
    const source = JSON.stringify(shape)
    const known = this.#sources.get(name) ?? source
    if (known !== source) throw new Error(`Two different objects are called ${name}.`)
    this.#sources.set(name, source)
    if (!this.found.has(name)) {
      const model: ApiModel = { name, fields: [] }
      this.found.set(name, model)
      const { properties, required } = this.#merge(schema)
      model.fields = Object.entries(properties).map(([field, each]) => ({
        name: field,
        type: this.typeOf(each, name + toPascal(field)),
        isRequired: required.has(field),
      }))
    }
    return { kind: 'model', name }
  }

  /** Returns the fields of an object with those of the objects that it extends. */
  #merge(schema: Schema): { properties: Record<string, Schema>; required: Set<string> } {
    const properties: Record<string, Schema> = {}
    const required = new Set<string>()
    const parts = schema.allOf ?? []
    for (const part of [...parts, { properties: schema.properties, required: schema.required }]) {
      const target = part.$ref
        ? this.#merge(this.#schemas[part.$ref.split('/').at(-1)] ?? {})
        : this.#own(part)
      Object.assign(properties, target.properties)
      for (const name of target.required) required.add(name)
    }
    return { properties, required }
  }

  #own(part: Schema): { properties: Record<string, Schema>; required: Set<string> } {
    return part.allOf
      ? this.#merge(part)
      : { properties: part.properties ?? {}, required: new Set(part.required ?? []) }
  }
}

function literal(value: string | boolean | null): ApiType {
  return value === null ? { kind: 'null' } : { kind: 'literal', values: [value] }
}

/** Returns a union without repetition; literals become one. */
function oneOf(types: readonly ApiType[]): ApiType {
  const flat = types.flatMap((type) => (type.kind === 'union' ? type.of : [type]))
  const literals = flat.flatMap((type) => (type.kind === 'literal' ? type.values : []))
  const others = flat.filter((type) => type.kind !== 'literal')
  const all: ApiType[] = [
    ...(literals.length === 0 ? [] : [{ kind: 'literal', values: [...new Set(literals)] } as const]),
    ...others,
  ]
  const unique = [...new Map(all.map((type) => [JSON.stringify(type), type])).values()]
  if (unique.some(({ kind }) => kind === 'any')) return { kind: 'any' }
  return unique.length === 1 ? (unique[0] as ApiType) : { kind: 'union', of: unique }
}

const singular = (place: string) => place.replace(/(?<!s)s$/, '')

export const toPascal = (name: string) =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase())
export const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
