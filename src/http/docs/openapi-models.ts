import { createSpreadExamples } from './openapi-examples.ts'
import { EXTENDS, extendModels } from './openapi-extend.ts'
import type { Json, JsonObject } from './openapi-json.ts'

/** The named schemas of a document, collected while its operations are described. */
export interface Models {
  /**
   * Returns the schema for the document. Each schema with a `title`, at any depth, becomes a reference to the model
   * of that name. A body without a title gets `name`, and may extend the model `base`.
   */
  refer(schema: JsonObject, name?: string, base?: string): JsonObject
  /** Does the same for a response, whose examples are at its fields. */
  referResponse(schema: JsonObject, name?: string): JsonObject
  /** Returns the models by name, for `components.schemas`. */
  list(): JsonObject
}

export function createModels(): Models {
  const schemas: Record<string, JsonObject> = {}
  const bases: Record<string, string> = {}
  const spreadExamples = createSpreadExamples()

  /** Registers a model. Throws if two schemas have the same name: a generated client would get a wrong type. */
  function register(name: string, model: JsonObject): JsonObject {
    const previous = schemas[name]
    if (previous !== undefined && JSON.stringify(previous) !== JSON.stringify(model)) {
      throw new Error(`Two different schemas are called ${name}.`)
    }
    schemas[name] = model
    return { $ref: `#/components/schemas/${name}` }
  }

  function refer(schema: JsonObject, name?: string, base?: string): JsonObject {
    const { title = name, [EXTENDS]: extended = base, ...own } = schema
    const model = mergeNull(referInside(own))
    if (typeof title !== 'string') return model
    if (extended !== undefined) bases[title] = String(extended)
    return register(title, model)
  }

  function referInside(schema: JsonObject): JsonObject {
    const { properties, patternProperties, items, anyOf, ...rest } = schema
    return {
      ...rest,
      ...(rest.enum === undefined || rest.type !== undefined ? {} : typeOfChoices(rest.enum as Json[])),
      ...(properties === undefined ? {} : { properties: referFields(properties as JsonObject) }),
      ...(patternProperties === undefined ? {} : mapOf(patternProperties as JsonObject)),
      ...(items === undefined ? {} : { items: refer(items as JsonObject) }),
      ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonObject[]).map((choice) => refer(choice)) }),
    }
  }

  function referFields(fields: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(fields).map(([field, schema]) => [field, refer(schema as JsonObject)]),
    )
  }

  /** Our maps accept any name, which OpenAPI expresses as `additionalProperties`. */
  function mapOf(patterns: JsonObject): JsonObject {
    return { additionalProperties: refer((Object.values(patterns)[0] ?? {}) as JsonObject) }
  }

  return {
    refer,
    referResponse: (schema, name) => refer(spreadExamples(schema), name),
    list: () => extendModels(schemas, bases),
  }
}

function typeOfChoices(choices: Json[]): JsonObject {
  const types = [...new Set(choices.map((choice) => (choice === null ? 'null' : typeof choice)))]
  return { type: types.length === 1 ? (types[0] as string) : types }
}

/** Simplifies a choice: one alternative becomes that alternative, and one type or null becomes `['string', 'null']`. */
function mergeNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (anyOf === undefined) return schema
  const choices = (anyOf as JsonObject[]).filter((choice) => choice.type !== 'null')
  const [only] = choices
  if (choices.length === 1 && (anyOf as Json[]).length === 1) return { ...only, ...rest }
  if (choices.length !== 1 || only === undefined || choices.length === (anyOf as Json[]).length) return schema
  if (typeof only.type !== 'string' || only.const !== undefined) return schema
  const choicesOfValue = only.enum === undefined ? {} : { enum: [...(only.enum as Json[]), null] }
  return { ...only, ...rest, type: [only.type, 'null'], ...choicesOfValue }
}
