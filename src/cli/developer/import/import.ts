import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { type Sendwright, SendwrightError } from '../../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from '../connect.ts'
import { CommandError, describeApiFailure, reportFailure } from '../failures.ts'
import { readArgumentFile } from '../files.ts'
import { collect, withCommonOptions } from '../options.ts'
import { createOutput } from '../output.ts'
import { convertContacts, listOwnFields, namePropertyKeys } from './convert-contacts.ts'
import { convertSuppressions, IMPORTED_REASONS, type ImportedReason } from './convert-suppressions.ts'
import { convertSyntax } from './convert-syntax.ts'
import { type ImportOrigin, ORIGIN_NAMES, ORIGINS } from './origins.ts'
import { type ExportRecord, readRecords } from './read-records.ts'
import { type ForeignTemplate, readTemplates } from './read-templates.ts'
import { uploadContacts, uploadSuppressions } from './upload-rows.ts'

/** A template with the syntax of Sendwright. */
interface ConvertedTemplate {
  place: string
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  variables: { key: string; type: 'string'; fallback_value?: string }[]
  /** What has no equal, with its part and line. The tags are still in the content. */
  problems: string[]
  /** What the program that sends must change. */
  changes: string[]
}

const PARTS = ['subject', 'html', 'text'] as const

interface Options extends CommonOptions {
  from: ImportOrigin
  suppressions?: string[]
  contacts?: string[]
  templates?: string[]
  reason?: ImportedReason
  list?: string[]
  properties?: boolean
  sender?: string
  drafts?: boolean
  dryRun?: boolean
}

/** A file is held in memory while it is converted. */
const FILE_BYTES_MAX = 256 * 1024 * 1024

type Report = { object: string; file: string } & Record<string, unknown>

async function read(file: string): Promise<ExportRecord[]> {
  return readRecords(file, await readArgumentFile(file, FILE_BYTES_MAX))
}

async function importSuppressions(
  file: string,
  options: Options,
  client: Sendwright | null,
): Promise<Report> {
  const records = await read(file)
  const converted = convertSuppressions(options.from, basename(file), records, options.reason ?? null)
  const { rows, skipped } = converted
  const uploaded = client === null || rows.length === 0 ? null : await uploadSuppressions(client, rows)
  return {
    object: 'suppression_import',
    file,
    records: records.length,
    accepted: rows.length,
    skipped,
    ...uploaded,
  }
}

/** Adds a report of each file. A field becomes the same property in all of them, so all are read first. */
async function importContacts(
  files: readonly string[],
  options: Options,
  client: Sendwright | null,
  reports: Report[],
): Promise<void> {
  if (options.from === 'postmark' && files.length > 0) throw new CommandError('Postmark has no contacts.')
  const contents: [string, Buffer][] = []
  const names = new Set<string>()
  for (const file of files) {
    // Kept, because a pipe can be read only once. The records would take more memory.
    const bytes = await readArgumentFile(file, FILE_BYTES_MAX)
    contents.push([file, bytes])
    for (const name of listOwnFields(readRecords(file, bytes))) names.add(name)
  }
  const keyOfField = namePropertyKeys(names)
  for (const [file, bytes] of contents) {
    const report = await importContactFile(readRecords(file, bytes), options, client, keyOfField)
    reports.push({ object: 'contact_import', file, ...report })
  }
}

async function importContactFile(
  records: readonly ExportRecord[],
  options: Options,
  client: Sendwright | null,
  keyOfField: ReadonlyMap<string, string>,
) {
  const { rows, skipped } = convertContacts(options.from, records, keyOfField)
  const keys = [...new Set(rows.flatMap(({ properties }) => [...properties.keys()]))].sort()
  const properties = options.properties === true ? keys : []
  const uploads = client !== null && rows.length > 0
  if (uploads) await createProperties(client, properties)
  const uploaded = uploads ? await uploadContacts(client, rows, properties, options.list ?? []) : null
  const ignored = keys.filter((key) => !properties.includes(key))
  const renamed = [...listOwnFields(records)].flatMap((name) => {
    const key = keyOfField.get(name)
    return key === undefined || key === name || !keys.includes(key) ? [] : [[name, key] as const]
  })
  return {
    records: records.length,
    accepted: rows.length,
    properties,
    ignored_properties: ignored,
    renamed_fields: Object.fromEntries(renamed),
    skipped,
    ...uploaded,
  }
}

/** Creates those that do not exist yet, as text. */
async function createProperties(client: Sendwright, keys: readonly string[]): Promise<void> {
  const existing = new Set<string>()
  for await (const { key } of client.properties.list({ limit: 100 })) existing.add(key.toLowerCase())
  for (const key of keys) {
    if (!existing.has(key)) await client.properties.create({ key, type: 'string' }).orThrow()
  }
}

/** Adds a report of each template, so that those before a failure are told. */
async function importTemplates(
  file: string,
  options: Options,
  client: Sendwright | null,
  reports: Report[],
): Promise<void> {
  for (const foreign of readTemplates(options.from, await read(file))) {
    const template = convertTemplate(foreign)
    const { place, name, problems, changes } = template
    const isWanted = foreign.problem === null && (problems.length === 0 || options.drafts === true)
    // Two templates of the files may have the same name.
    const ownIds = reports.flatMap(({ result, id }) => (result === 'created' ? [id] : []))
    const storeResult =
      client === null || !isWanted ? {} : await storeTemplate(client, template, { ...options, ownIds })
    const result = isWanted ? 'converted' : 'rejected'
    reports.push({
      object: 'template_import',
      file,
      place,
      name,
      id: null,
      result,
      problems,
      changes,
      ...storeResult,
    })
  }
}

/** @param options.ownIds the templates that this run created */
async function storeTemplate(
  client: Sendwright,
  template: ConvertedTemplate,
  options: Options & { ownIds: readonly unknown[] },
) {
  const { name, alias, subject, html, text, variables, problems } = template
  try {
    // The server rejects a second template with the same alias. Without one, each run would create another copy.
    const storedId = alias === null ? await findIdOfName(client, name, options.ownIds) : null
    if (storedId !== null) return { id: storedId, result: 'rejected', problems: [...problems, NAME_TAKEN] }
    const { id } = await client.templates
      .create({
        name,
        alias,
        subject,
        variables,
        html_content: html,
        text_content: text,
        ...(options.sender?.includes('@') ? { from: options.sender } : { sender_id: options.sender ?? '' }),
        status: problems.length > 0 || options.drafts === true ? 'draft' : 'published',
      })
      .orThrow()
    return { id, result: 'created' }
  } catch (error) {
    // Another template may still fit: only what concerns all of them ends the command.
    const isOfTemplate = error instanceof SendwrightError && [409, 422].includes(error.statusCode ?? 0)
    if (!isOfTemplate) throw error
    return { result: 'rejected', problems: [...problems, describeApiFailure(error)] }
  }
}

const NAME_TAKEN = 'A template with this name already exists.'
/** The longest name, and the longest filter by name. */
const NAME_CHARACTERS_MAX = 255

/** Returns the id of another template with this name; null if there is none. */
async function findIdOfName(
  client: Sendwright,
  name: string,
  ownIds: readonly unknown[],
): Promise<string | null> {
  const q = [...name].slice(0, NAME_CHARACTERS_MAX).join('')
  for await (const stored of client.templates.list({ q, limit: 100 })) {
    if (stored.name === name && !ownIds.includes(stored.id)) return stored.id
  }
  return null
}

async function run(options: Options): Promise<void> {
  const { suppressions = [], contacts = [], templates = [], dryRun } = options
  if (suppressions.length + contacts.length + templates.length === 0) {
    throw new CommandError('Name a file: --suppressions, --contacts or --templates.')
  }
  if (templates.length > 0 && options.sender === undefined && dryRun !== true) {
    throw new CommandError('Templates need --sender: an address at a domain of yours, or the id of a sender.')
  }
  const client = dryRun === true ? null : connect(options).client
  const reports: Report[] = []
  try {
    for (const file of suppressions) reports.push(await importSuppressions(file, options, client))
    await importContacts(contacts, options, client, reports)
    for (const file of templates) await importTemplates(file, options, client, reports)
  } catch (error) {
    // What has been imported stays imported, so it is told too.
    if (reports.length === 0) throw error
    process.exitCode = reportFailure(error)
  }
  createOutput(options).blocks(reports)
  if (reports.some(hasFailed)) process.exitCode = 1
}

function hasFailed({ result, status, rejected }: Report): boolean {
  return result === 'rejected' || status === 'failed' || (Array.isArray(rejected) && rejected.length > 0)
}

/** Reads exports of other services. It sends nothing to them and fetches nothing. */
export function importCommand(): Command {
  const names = Object.values(ORIGIN_NAMES).join(', ')
  return withCommonOptions(new Command('import'))
    .description(`Import suppressions, contacts and templates from files of ${names}`)
    .addOption(
      new Option('--from <service>', 'the service that wrote the files')
        .choices(ORIGINS)
        .makeOptionMandatory(),
    )
    .option('--suppressions <file>', 'JSON or CSV; may be repeated', collect)
    .option('--contacts <file>', 'JSON or CSV; may be repeated', collect)
    .option('--templates <file>', 'JSON; may be repeated', collect)
    .addOption(
      new Option('--reason <reason>', 'for all suppressions, instead of the one in the file').choices(
        IMPORTED_REASONS,
      ),
    )
    .option('--list <id>', 'add every contact to this list; may be repeated', collect)
    .option('--properties', 'create a property for each field of contacts that Sendwright does not have')
    .option('--sender <address>', 'what the templates send from: an address, or the id of a sender')
    .option('--drafts', 'store templates as drafts, also those with parts that could not be converted')
    .option('--dry-run', 'only show what would be imported')
    .action(run)
}

/** Converts a template part by part. */
function convertTemplate(template: ForeignTemplate): ConvertedTemplate {
  const { place, name, alias, fallbacks, problem } = template
  const subject = template.subject || name
  const parts = { ...template, subject }
  const converted = PARTS.map((part) => ({ part, ...convertSyntax(parts[part]) }))
  const describe = (kind: 'problems' | 'changes') =>
    converted.flatMap((each) =>
      each[kind].map(({ line, message }) => `${each.part}, line ${line}: ${message}`),
    )
  const keys = new Map<string, string | null>()
  for (const { variables } of converted) {
    for (const [key, fallback] of variables) keys.set(key, fallback ?? keys.get(key) ?? null)
  }
  return {
    place,
    name,
    alias,
    ...(Object.fromEntries(converted.map(({ part, text }) => [part, text])) as Record<
      (typeof PARTS)[number],
      string
    >),
    variables: [...keys].map(([key, fallback]) => toVariable(key, fallback ?? fallbacks.get(key) ?? null)),
    problems: [...(problem === null ? [] : [problem]), ...describe('problems')],
    changes: [
      ...(template.subject === ''
        ? ['subject: it had none, so it is the name. Each send can set another.']
        : []),
      ...new Set(describe('changes')),
    ],
  }
}

function toVariable(key: string, fallback: string | null): ConvertedTemplate['variables'][number] {
  return { key, type: 'string', ...(fallback === null ? {} : { fallback_value: fallback }) }
}
