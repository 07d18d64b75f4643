import { readApiDocument } from '../../support/api-document.ts'
import { type JsonSchema, stringPathsOf, withField } from '../../support/schema-arbitrary.ts'
import { isFull } from '../../support/thorough.ts'
import { withOwnIds } from '../../support/world.ts'
import type { HeldServer } from './held-server.ts'
import { createUnits, fill, isEverything, jsonShapes, jsonWith, MARK_VALUE } from './pathological.ts'

/** One request, which is created anew for each run. */
export interface Case {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body?: () => Buffer
}

interface Described {
  security?: Record<string, unknown>[]
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema?: JsonSchema }> }
}

export interface Operation extends Described {
  method: string
  path: string
}

export async function readOperations(server: HeldServer): Promise<Operation[]> {
  const document = JSON.parse((await server.request('GET', '/openapi.json', server.asKey)).text)
  return Object.entries(readApiDocument<Described>(document)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, method, path })),
  )
}

/**
 * Routes that parse, build, track and render texts get many kinds; other routes get one, which varies with the seed.
 */
const DEEP: Readonly<Record<string, readonly string[]>> = {
  '/emails': ['from', 'to', 'subject', 'html', 'text'],
  '/emails/mime': ['raw_message'],
  '/templates/preview': ['html_content', 'text_content'],
}
const DEEP_KINDS = isFull ? 20 : 3
/** All bodies go through one JSON parser: these routes get all shapes, or one in `SHAPES_STEP`, and the others some. */
const SHAPED = isFull ? ['/emails', '/templates'] : ['/emails']
const SHAPES = isFull ? 2 : 1
const isSampled = !isFull && !isEverything
/** So many days pass until all have had their turn, as with the steps below. */
const SHAPES_STEP = isSampled ? 2 : 1
/** Of the text fields of each route, one in this many is filled, and at least one; one route in this many gets shapes. */
const FIELDS_STEP = isSampled ? 6 : 1
const ROUTES_STEP = isSampled ? 4 : 1
/** One route in this many gets long paths and queries. All routes share the code that reads them. */
const ADDRESSES_STEP = isSampled ? 3 : 1

/**
 * Returns cases for every body of the OpenAPI document: JSON in the most expensive shapes, and text fields filled with the
 * most expensive content.
 */
export function bodyCases(
  server: HeldServer,
  operations: readonly Operation[],
  bytes: number,
  seed: number,
): Case[] {
  const units = createUnits(seed)
  return operations.flatMap((operation, index) => {
    const { method, path } = operation
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema === undefined) return []
    const common = { method, path: pathOf(operation, server), headers: headersOf(operation, server) }
    const all = Object.entries(jsonShapes(bytes))
    const isShaped = method === 'post' && SHAPED.includes(path)
    const some = (index + seed) % ROUTES_STEP === 0 ? units.pickSome(all, SHAPES) : []
    const ofToday = all.filter((_, at) => (at + seed) % SHAPES_STEP === 0)
    const shapes = (isShaped || isEverything ? ofToday : some).map(([name, body]) => ({
      ...common,
      name: `${method} ${path}: ${name}`,
      body,
    }))
    const example = exampleOf(operation, server)
    const fields = stringPathsOf(schema)
    const isDeep = (field: string[]) => method === 'post' && DEEP[path]?.includes(field.join('.')) === true
    const plain = fields.filter((field) => !isDeep(field))
    const chosen = plain.filter((_, at) => at % FIELDS_STEP === seed % Math.min(FIELDS_STEP, plain.length))
    const texts = [...fields.filter(isDeep), ...chosen].flatMap((field) => {
      const kinds = !isDeep(field) ? units.some(1) : isEverything ? units.all : units.some(DEEP_KINDS)
      return kinds.map((unit) => ({
        ...common,
        name: `${method} ${path}: ${field.join('.')} of ${JSON.stringify(unit)}`,
        body: () => jsonWith(withField(example, field, MARK_VALUE), unit, bytes),
      }))
    })
    return [...shapes, ...texts]
  })
}

function exampleOf(operation: Operation, server: HeldServer): unknown {
  const { path, method } = operation
  if (method === 'post' && path === '/emails') return server.ann.email({ to: 'bob@receiver.test' })
  if (method === 'post' && path === '/emails/batch') return [server.ann.email({ to: 'bob@receiver.test' })]
  const example = operation.requestBody?.content['application/json']?.schema?.examples?.[0]
  return withOwnIds(example, server.world)
}

/** Returns cases with paths and queries of the maximum header length. */
export function addressCases(server: HeldServer, operations: readonly Operation[], seed: number): Case[] {
  const units = createUnits(seed + 1)
  const today = operations.filter((_, index) => (index + seed) % ADDRESSES_STEP === 0)
  return today.flatMap((operation) => {
    const { method, path, parameters = [] } = operation
    const headers = headersOf(operation, server)
    const own = pathOf(operation, server)
    const filled = (bytes: number) =>
      units.some(isFull ? 2 : 1).map((unit) => ({ unit, text: encode(unit, bytes) }))
    const inPath = path.includes('{')
      ? filled(8_000).map(({ unit, text }) => ({
          method,
          headers,
          path: path.replace(/\{[^}]+\}/g, text),
          name: `${method} ${path}: id of ${JSON.stringify(unit)}`,
        }))
      : []
    const inQuery = parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name }) =>
        filled(8_000).map(({ unit, text }) => ({
          method,
          headers,
          path: `${own}?${name}=${text}`,
          name: `${method} ${path}: ?${name} of ${JSON.stringify(unit)}`,
        })),
      )
    const many = {
      method,
      headers,
      path: `${own}?${fill('a[]=1&', 8_000)}`,
      name: `${method} ${path}: many parameters`,
    }
    return [...inPath, ...inQuery, many]
  })
}

/** Repeats a unit in URL encoding, up to this length. */
function encode(unit: string, bytes: number): string {
  const encoded = encodeURIComponent(unit.toWellFormed())
  return encoded.repeat(Math.max(1, Math.floor(bytes / encoded.length)))
}

/** Returns the GET requests below a record's path. */
export function readCases(
  server: HeldServer,
  operations: readonly Operation[],
  path: string,
  id: string,
): Case[] {
  return operations
    .filter((operation) => operation.method === 'get' && operation.path.startsWith(`${path}/{`))
    .map((operation) => ({
      name: `get ${operation.path}`,
      method: 'get',
      path: operation.path.replace(/\{id\}/, id).replace(/\{[^}]+\}/g, '0'),
      headers: headersOf(operation, server),
    }))
}

function pathOf({ path }: Operation, { world }: HeldServer): string {
  const kind = path.split('/')[1] as string
  return path.replace(/\{id\}/, world[kind] ?? '').replace(/\{[^}]+\}/g, world.lists ?? '')
}

function headersOf({ security = [] }: Operation, { asKey, asOwner }: HeldServer): Record<string, string> {
  const isForPeople = security.length > 0 && security.every((hop) => 'session' in hop)
  return isForPeople ? asOwner : asKey
}
