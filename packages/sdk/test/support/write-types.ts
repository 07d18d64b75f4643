import { registerHooks } from 'node:module'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = Record<string, Json>

/** The operations that a program calls: with an API key, or with the operator's token. */
const SECURITY = new Set(['apiKey', 'operatorToken'])
const HEAD =
  '/* Types of the OpenAPI document. `npm test -- packages/sdk/test/document.test.ts -u` writes this file. */\n\n'

/**
 * Returns the TypeScript types of an OpenAPI document, as the SDK contains them. They omit what the SDK does not call:
 * aliases, routes for sessions, pages for browsers.
 */
export async function writeTypes(document: JsonObject): Promise<string> {
  // openapi-typescript needs the JavaScript API of the compiler, which TypeScript 7 does not have.
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
  })
  try {
    const { default: openapiTypes, astToString } = await import('openapi-typescript')
    const types = await openapiTypes(trim(document) as never, { emptyObjectsUnknown: true })
    return HEAD + withoutRepetition(astToString(types))
  } finally {
    hooks.deregister()
  }
}

/** Whether the SDK has a method for an operation. */
export function isForPrograms(operation: JsonObject): boolean {
  const security = (operation.security ?? [{ apiKey: [] }]) as JsonObject[]
  return operation.deprecated !== true && security.some((choice) => Object.keys(choice).some(isKey))
}

function isKey(name: string): boolean {
  return SECURITY.has(name)
}

function trim(document: JsonObject): JsonObject {
  const paths = Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, methods]) => {
    const kept = Object.entries(methods as Record<string, JsonObject>).flatMap(([name, operation]) =>
      name !== 'parameters' && isForPrograms(operation) ? [[name, withQueryOnly(operation, document)]] : [],
    )
    return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : []
  })
  const webhooks = Object.entries(document.webhooks as Record<string, Record<string, JsonObject>>).map(
    ([name, { post }]) => [name, { post: { requestBody: post?.requestBody } }],
  )
  const trimmed = { ...document, paths: Object.fromEntries(paths), webhooks: Object.fromEntries(webhooks) }
  return trimModels(withoutErrors(trimmed) as JsonObject)
}

/** The SDK reads the types of query parameters only: it names those of paths and headers itself. */
function withQueryOnly(operation: JsonObject, document: JsonObject): JsonObject {
  const { parameters } = document.components as { parameters: Record<string, JsonObject> }
  const all = (operation.parameters ?? []) as JsonObject[]
  const query = all.filter((parameter) => {
    const name =
      String(parameter.$ref ?? '')
        .split('/')
        .at(-1) ?? ''
    return (parameters[name] ?? parameter).in === 'query'
  })
  return { ...operation, parameters: query }
}

/** Errors have one form, and examples are for the reference. */
function withoutErrors(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutErrors)
  if (value === null || typeof value !== 'object') return value
  const unused = ['4XX', '5XX', 'default', 'headers', 'examples', 'example', 'format']
  const entries = Object.entries(value).filter(
    ([name, inner]) => !unused.includes(name) || (name === 'headers' && isSchema(inner)),
  )
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutErrors(inner as Json)]))
}

/** Tells the field `headers` of an email from the headers of a response. */
function isSchema(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Keeps only the components that the paths and webhooks refer to. */
function trimModels(document: JsonObject): JsonObject {
  const components = document.components as Record<string, JsonObject>
  const kept = new Set<string>(['schemas/Error'])
  const visit = (value: Json): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      if (name === undefined || kept.has(name)) continue
      kept.add(name)
      const [kind = '', key = ''] = name.split('/')
      visit(components[kind]?.[key] ?? null)
    }
  }
  visit([document.paths ?? null, document.webhooks ?? null])
  const trimmed = Object.entries(components).map(([kind, models]) => [
    kind,
    Object.fromEntries(Object.entries(models).filter(([key]) => kept.has(`${kind}/${key}`))),
  ])
  return { ...document, components: Object.fromEntries(trimmed) }
}

/**
 * Removes members that say only that something is absent, and the comments of paths, which those of the operations
 * repeat: half of the text.
 */
function withoutRepetition(text: string): string {
  const [paths = '', ...rest] = text.split(/^(?=export interface webhooks)/m)
  return [paths.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, ''), ...rest]
    .join('')
    .replace(
      /^ +(?:query|header|path|cookie|get|put|post|delete|options|head|patch|trace|requestBody)\?: never;\n|^ +responses: never;\n/gm,
      '',
    )
    .replace(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, '')
    .replace(/^ +parameters: \{\n +\};\n/gm, '')
    .replace(/export type \$defs = [^\n]*\n/, '')
}
