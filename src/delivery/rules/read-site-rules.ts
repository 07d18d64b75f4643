import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import Type, { type Static } from 'typebox'
import { BUILT_IN } from './built-in-rules.ts'
import { durationOf } from './quantities.ts'
import { RELAY_SECTIONS, type RouteRule, resolveRoutes } from './relay-rules.ts'
import { resolveShaping, SHAPING_SECTIONS, type SiteRule } from './shaping-rules.ts'
import { resolveSources, SOURCE_SECTIONS, type SourceRules } from './source-rules.ts'

/** The resolved rules file, on top of the built-in rules. */
export interface Rules {
  /** The operator's rules, then the built-in ones. */
  shaping: readonly SiteRule[]
  /** Pauses of an unreachable site, in milliseconds; the last repeats. */
  probesMs: readonly number[] | null
  /** Null if no sources are configured. */
  sources: SourceRules | null
  routes: readonly RouteRule[]
}

const FILE_BYTES_MAX = 4 * 1024 * 1024
const PROBLEMS_MAX = 50
const ERRORS_MAX = 200

const RulesFile = Type.Object(
  { ...SHAPING_SECTIONS, ...SOURCE_SECTIONS, ...RELAY_SECTIONS },
  { additionalProperties: false, description: 'an object' },
)

/** The rules file is invalid. The message names each problem by its place, and repeats nothing that may be secret. */
export class BadRules extends Error {
  readonly problems: readonly string[]
  constructor(path: string, problems: readonly string[]) {
    const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => `  - ${problem}`)
    if (problems.length > PROBLEMS_MAX) lines.push(`  - and ${problems.length - PROBLEMS_MAX} more`)
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super(`The rules file ${path} has ${count}:\n${lines.join('\n')}`)
    this.name = 'BadRules'
    this.problems = problems
  }
}

/**
 * Reads and validates the whole file. Without a path, returns the built-in rules. Throws one BadRules that lists every
 * problem.
 */
export async function readRules(path: string | null): Promise<Rules> {
  if (path === null) return resolveRules({}, '.', [])
  const file = await parse(path)
  const problems = await validate(file)
  if (problems.length > 0) throw new BadRules(path, problems)
  const rules = resolveRules(file as Static<typeof RulesFile>, dirname(path), problems)
  if (problems.length > 0) throw new BadRules(path, problems)
  return rules
}

function resolveRules(file: Static<typeof RulesFile>, directory: string, problems: string[]): Rules {
  return {
    shaping: [
      ...resolveShaping(file.shaping ?? [], problems),
      ...resolveShaping(BUILT_IN, problems, 'built-in shaping'),
    ],
    probesMs: file.probes?.map(durationOf) ?? null,
    sources: resolveSources(file, problems),
    routes: resolveRoutes(file, directory, problems),
  }
}

/** Reads at most one byte more than the limit, because a wrong path may name an endless device. */
async function readBeginning(path: string): Promise<Buffer> {
  await using file = await open(path)
  const chunks: Buffer[] = []
  for await (const chunk of file.createReadStream({ end: FILE_BYTES_MAX, autoClose: false }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function parse(path: string): Promise<unknown> {
  const bytes = await readBeginning(path).catch((error: NodeJS.ErrnoException) => {
    throw new BadRules(path, [`the file cannot be read (${error.code}).`])
  })
  if (bytes.length > FILE_BYTES_MAX) throw new BadRules(path, ['the file must have at most 4 MB.'])
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser quotes the text around the error, which may be a password, so report only the position.
    const at = /at position (\d+)/.exec((error as Error).message)?.[1]
    const line = at === undefined ? null : text.slice(0, Number(at)).split('\n').length
    throw new BadRules(path, [`the file is not valid JSON${line === null ? '' : ` (line ${line})`}.`])
  }
}

/** Returns one problem for each place. A schema's `description` states what it expects. */
async function validate(file: unknown): Promise<string[]> {
  // Loaded here: it takes 10 MB, and most servers have no rules file.
  const [{ Settings }, { Errors }] = await Promise.all([import('typebox/system'), import('typebox/value')])
  const problems = new Map<string, string>()
  // Report all problems at once; the library stops after eight by default.
  Settings.Set({ maxErrors: ERRORS_MAX })
  for (const { keyword, schemaPath, instancePath, params } of Errors(RulesFile, file)) {
    const where = placeOf(instancePath)
    const details = (params ?? {}) as Record<string, unknown>
    if (keyword === 'boolean') problems.set(where, `${where}: this setting does not exist.`)
    else if (keyword === 'required')
      problems.set(where, `${where}: ${(details.requiredProperties as string[]).join(', ')} is required.`)
    else if (keyword !== 'additionalProperties' && !problems.has(where)) {
      problems.set(where, `${where}: it must be ${describe(schemaPath, keyword, details)}.`)
    }
  }
  return [...problems.values()]
}

/** Formats `/shaping/0/rate` as `shaping[0].rate`. */
function placeOf(pointer: string): string {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const text = parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  return text.replace(/^\./, '').slice(0, 200) || 'the file'
}

/** Returns what the schema expects at a place: its description, else its type or limit. */
function describe(schemaPath: string, keyword: string, params: Record<string, unknown>): string {
  let at: unknown = RulesFile
  for (const part of schemaPath.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[part]
  const description = (at as { description?: string } | undefined)?.description
  if (description !== undefined) return description
  if (keyword === 'type') return `${/^[aeiou]/.test(String(params.type)) ? 'an' : 'a'} ${String(params.type)}`
  const limit = LIMITS[keyword]
  if (limit === undefined) return 'of the form that docs/deliverability.md describes'
  return limit.replace('N', String(params.limit))
}

const LIMITS: Readonly<Record<string, string>> = {
  minimum: 'at least N',
  maximum: 'at most N',
  minItems: 'a list of at least N',
  maxItems: 'a list of at most N',
  minLength: 'a text of at least N characters',
  maxLength: 'a text of at most N characters',
  minProperties: 'an object with at least N of its settings',
}
