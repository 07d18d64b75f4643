import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SDK = join(import.meta.dirname, '../../../packages/sdk/src')

/** One method of the SDK for Node.js. */
export interface SdkMethod {
  name: string
  doc: string
  verb: string
  path: string
  /** What becomes of the response. */
  result: 'json' | 'list' | 'bytes' | 'download'
  /** Whether it takes an `Idempotency-Key`. */
  isKeyed: boolean
  /** Whether a POST may run twice. */
  isSafe: boolean
  /** Whether its body is CSV. */
  isCsv: boolean
  /** Whether the body can be left out. */
  isBodyOptional: boolean
}

export interface SdkResource {
  /** The class: `TemplateFolders`. */
  name: string
  /** The property of the client: `templateFolders`. */
  property: string
  doc: string
  methods: SdkMethod[]
}

const CLASS = /\/\*\*([^/]*?)\*\/\nexport class (\w+) extends Resource \{\n([\s\S]*?)\n\}\n/g
const METHOD = / {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+)\(([\s\S]*?)\n {2}\}\n?/g
const CALL = /this\.call\('(\w+)', '(\/[^']*)'|this\.(page|bytes|download)\('(\/[^']*)'/

/**
 * Reads the methods of the SDK for Node.js from its source: which operation each of them calls, and how. The other
 * clients have the same methods. A test of the SDK requires that no operation of the API is missing.
 */
export function readSdk(): SdkResource[] {
  const client = readFileSync(join(SDK, 'client.ts'), 'utf8')
  const properties = new Map(
    [...client.matchAll(/readonly (\w+): (\w+)/g)].map(([, name, type]) => [type, name]),
  )
  const sources = globSync('resources/*.ts', { cwd: SDK }).sort()
  const found = sources.flatMap((file) =>
    [...readFileSync(join(SDK, file), 'utf8').matchAll(CLASS)].map(([, doc = '', name = '', body = '']) => ({
      name,
      property: properties.get(name) ?? '',
      doc: toText(doc),
      methods: readMethods(`${body}\n`),
    })),
  )
  const order = [...properties.values()]
  return found.sort((a, b) => order.indexOf(a.property) - order.indexOf(b.property))
}

function readMethods(body: string): SdkMethod[] {
  return [...body.matchAll(METHOD)].flatMap(([, doc = '', name = '', text = '']) => {
    const [, verb = 'get', called, read, readPath] = CALL.exec(text) ?? []
    const path = called ?? readPath
    if (path === undefined) return []
    return {
      name,
      doc: toText(doc).replace('`for await`', 'A loop'),
      verb,
      path,
      result: read === undefined ? 'json' : read === 'page' ? 'list' : (read as 'bytes' | 'download'),
      isKeyed: text.includes('isKeyed: true'),
      isSafe: text.includes('isSafe: true'),
      isCsv: text.includes('csv: Csv'),
      isBodyOptional: / = \{\}/.test(text.slice(0, text.indexOf('{\n'))),
    }
  })
}

function toText(doc: string): string {
  return doc
    .replace(/^\s*\* ?/gm, '')
    .trim()
    .replaceAll('\n', ' ')
}
