import type { Json, JsonObject } from './openapi-json.ts'
import { capitalize } from './openapi-operations.ts'

/** Parameters and responses that operations repeat, by component name. */
export interface Shared {
  parameters: JsonObject
  responses: JsonObject
}

/**
 * Moves parameters and responses that several operations repeat into components and replaces them by references.
 * @param operations changed in place
 */
export function shareRepeated(operations: readonly JsonObject[], taken: JsonObject): Shared {
  const parameters = shareAll(
    operations.flatMap(({ tags, parameters }) =>
      Object.keys((parameters ?? []) as JsonObject[]).map((index) => ({
        holder: parameters as unknown as JsonObject,
        key: index,
        names: parameterNames((tags as string[])[0] ?? '', (parameters as JsonObject[])[Number(index)] ?? {}),
      })),
    ),
    {},
  )
  const responses = shareAll(
    operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses as Record<string, JsonObject>)
        .filter(([, response]) => response.$ref === undefined)
        .map(([status, response]) => ({
          holder: responses as JsonObject,
          key: status,
          names: responseNames(String(operationId), status, response),
        })),
    ),
    taken,
  )
  return {
    parameters: parameters('parameters'),
    responses: { ...taken, ...responses('responses') },
  }
}

interface Place {
  holder: JsonObject
  key: string
  /** Candidates for the name of the component. The first free one is used. */
  names: readonly string[]
}

function shareAll(places: readonly Place[], taken: JsonObject) {
  const byText = new Map<string, Place[]>()
  for (const place of places) {
    const text = JSON.stringify(contentOf(place.holder[place.key] as JsonObject))
    byText.set(text, [...(byText.get(text) ?? []), place])
  }
  return (section: string): JsonObject => {
    const shared: JsonObject = {}
    for (const [text, same] of byText) {
      const [first] = same
      if (first === undefined || same.length === 1) continue
      const name = first.names.find((each) => !(each in shared) && !(each in taken))
      if (name === undefined) throw new Error(`No name is left for ${text}.`)
      shared[name] = first.holder[first.key] as Json
      for (const { holder, key } of same) holder[key] = { $ref: `#/components/${section}/${name}` }
    }
    return shared
  }
}

/**
 * Returns the content to compare. Ignores the description of a response with a model: `The contact.` and `The new
 * contact.` differ only in their status.
 */
function contentOf(part: JsonObject): JsonObject {
  const { description: _description, ...content } = part
  return part.content === undefined ? part : content
}

function parameterNames(tag: string, { name }: JsonObject): string[] {
  const own = pascal(String(name))
  const group = pascal(tag)
  return [own, `${group}${own}`, ...[2, 3, 4, 5].map((number) => `${group}${own}${number}`)]
}

/** Returns name candidates. A response with a model is named after it, any other after its media type: `TextHtml`. */
function responseNames(operationId: string, status: string, response: JsonObject): string[] {
  const [first] = Object.entries((response.content ?? {}) as Record<string, JsonObject>)
  const [type, media] = first ?? ['', undefined]
  const model = String((media?.schema as JsonObject | undefined)?.$ref ?? '')
    .split('/')
    .at(-1)
  const own = `${capitalize(operationId)}Response`
  const names = [own, `${capitalize(operationId)}${status}Response`]
  return [model || pascal(type), ...names].filter((name) => name !== '')
}

function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join('')
}

/** Moves parameters that all operations of a path start with to the path. */
export function sharePathParameters(paths: Record<string, JsonObject>): void {
  for (const [path, methods] of Object.entries(paths)) {
    const operations = Object.values(methods) as JsonObject[]
    const [first = [], ...others] = operations.map((operation) => (operation.parameters ?? []) as Json[])
    if (others.length === 0) continue
    const texts = others.map((parameters) => parameters.map((parameter) => JSON.stringify(parameter)))
    const count = first.findIndex((each, index) => texts.some((text) => text[index] !== JSON.stringify(each)))
    const shared = count < 0 ? first : first.slice(0, count)
    if (shared.length === 0) continue
    for (const operation of operations) {
      const own = (operation.parameters as Json[]).slice(shared.length)
      if (own.length === 0) delete operation.parameters
      else operation.parameters = own
    }
    paths[path] = { parameters: shared, ...methods }
  }
}
