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
  /** Whether a POST or DELETE may run twice. */
  isSafe: boolean
  /** Whether its body is CSV. */
  isCsv: boolean
  /** Whether the body can be left out. */
  isBodyOptional: boolean
}

export interface SdkResource {
  /** The class: `TemplateFolders`. */
  name: string
  /** The property of the client, or of the resource that has it: `templateFolders`. */
  property: string
  doc: string
  methods: SdkMethod[]
  /** Resources inside it. Their class is in a file of its own. */
  children: { name: string; property: string }[]
  /** Whether another resource has it. */
  isChild: boolean
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
  const properties = new Map(fieldsOf(client).map(({ name, property }) => [name, property]))
  const sources = globSync('resources/*.ts', { cwd: SDK }).sort()
  const found = sources.flatMap((file) =>
    [...readFileSync(join(SDK, file), 'utf8').matchAll(CLASS)].map(([, doc = '', name = '', body = '']) => ({
      name,
      property: properties.get(name) ?? name.replace(/^./, (letter) => letter.toLowerCase()),
      doc: toText(doc),
      methods: readMethods(`${body}\n`),
      children: fieldsOf(body),
    })),
  )
  const parents = new Map(found.flatMap(({ name, children }) => children.map((child) => [child.name, name])))
  const order = [...properties.keys()]
  const placeOf = (name: string) => order.indexOf(parents.get(name) ?? name)
  return found
    .map((resource) => ({ ...resource, isChild: parents.has(resource.name) }))
    .sort((a, b) => placeOf(a.name) - placeOf(b.name))
}

/** Returns the resources that the fields of a class hold. */
function fieldsOf(source: string): { name: string; property: string }[] {
  return [...source.matchAll(/^ {2}readonly (\w+): (\w+)$/gm)].map(([, property = '', name = '']) => ({
    name,
    property,
  }))
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
