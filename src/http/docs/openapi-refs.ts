import type { Json, JsonObject } from './openapi-json.ts'

/**
 * Returns a part of a document with every local reference replaced by its target. Properties beside a reference, such
 * as a description, take precedence. A model that extends another has the fields of both. Our documents contain no
 * circular references. The result is for reading: what several references name is one object.
 */
export function resolveRefs<T>(part: T, document: JsonObject): T {
  const targets = new Map<string, JsonObject>()

  function follow($ref: string): JsonObject {
    const target = targets.get($ref) ?? (resolve(targetOf($ref, document)) as JsonObject)
    targets.set($ref, target)
    return target
  }

  function resolve(value: Json): Json {
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    const { $ref, ...own } = value
    const entries = Object.entries(typeof $ref === 'string' ? own : value)
    const resolved = Object.fromEntries(entries.map(([name, each]) => [name, resolve(each)]))
    return flatten(typeof $ref === 'string' ? { ...follow($ref), ...resolved } : resolved)
  }

  return resolve(part as Json) as T
}

function flatten({ allOf, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(allOf)) return allOf === undefined ? rest : { ...rest, allOf }
  const parts = allOf as JsonObject[]
  const required = parts.flatMap((part) => (part.required ?? []) as string[])
  const examples = parts.flatMap((part) => ((part.examples ?? []) as JsonObject[]).slice(0, 1))
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(examples.length === 0 ? {} : { examples: [Object.assign({}, ...examples)] }),
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
    ...rest,
  }
}

/** Throws if a reference has no target. */
function targetOf(pointer: string, document: JsonObject): Json {
  const parts = pointer.replace(/^#\//, '').split('/')
  const target = parts.reduce<Json | undefined>(
    (at, part) => (at as JsonObject | undefined)?.[part],
    document,
  )
  if (target === undefined) throw new Error(`${pointer} has no target.`)
  return target
}

type Operations = Record<string, Record<string, JsonObject>>

/** Returns the operations of a document by path and method, with references resolved and the parameters of their path. */
export function readOperations(document: JsonObject): Operations {
  const paths = Object.entries(resolveRefs(document.paths, document) as Operations)
  return Object.fromEntries(
    paths.map(([path, { parameters: shared = [], ...methods }]) => {
      const operations = Object.entries(methods).map(([method, operation]) => {
        const parameters = [...(shared as Json[]), ...((operation.parameters ?? []) as Json[])]
        return [method, parameters.length === 0 ? operation : { ...operation, parameters }] as const
      })
      return [path, Object.fromEntries(operations)] as const
    }),
  )
}
