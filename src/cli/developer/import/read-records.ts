import { parse } from 'csv-parse/sync'
import { CommandError } from '../failures.ts'
import { decodeUtf8 } from '../files.ts'

/** One record of an export. */
export interface ExportRecord {
  /** Where it is in the file: `line 3` of CSV, `record 3` of JSON. */
  place: string
  /** The values by name, in the order of the file. */
  fields: ReadonlyMap<string, unknown>
}

/** Names of the lists in responses of the services' APIs. */
const LISTS = [
  'Suppressions',
  'SuppressedDestinationSummaries',
  'Contacts',
  'Templates',
  'items',
  'data',
  'result',
  'results',
]
const DEPTH_MAX = 5
const DELIMITERS = [',', ';', '\t'] as const

/**
 * Reads the records of an export: CSV, a JSON document, or several of them (one response of an API after another).
 * Throws CommandError.
 */
export function readRecords(file: string, bytes: Buffer): ExportRecord[] {
  const text = decodeUtf8(file, bytes)
  return /^\s*[[{]/.test(text) ? readJson(file, text) : readCsv(file, text)
}

function readJson(file: string, text: string): ExportRecord[] {
  const values = parseDocuments(file, text).flatMap((document) => findRecords(document, 0))
  return values.map((value, index) => ({
    place: `record ${index + 1}`,
    // A list of addresses alone, as SendGrid has for groups.
    fields: new Map(typeof value === 'string' ? [['email', value]] : Object.entries(value)),
  }))
}

/** Reads one document, or one in each line. */
function parseDocuments(file: string, text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line))
    } catch {
      // The message about the whole is more useful.
    }
    throw new CommandError(`${file} is not valid JSON: ${(error as Error).message}`)
  }
}

/** Returns the records of a response: those of its list, or itself. */
function findRecords(value: unknown, depth: number): (object | string)[] {
  if (Array.isArray(value)) {
    return depth > DEPTH_MAX ? [] : value.flatMap((each) => findRecords(each, depth + 1))
  }
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  const list = LISTS.find((name) => Array.isArray(Reflect.get(value, name)))
  return list === undefined ? [value] : findRecords(Reflect.get(value, list), depth + 1)
}

function readCsv(file: string, text: string): ExportRecord[] {
  try {
    const options = { bom: true, delimiter: findDelimiter(text), skip_empty_lines: true, info: true }
    const [header, ...rows] = parse(text, options) as unknown as Row[]
    const columns = header?.record ?? []
    return rows.map(({ record, info }) => ({
      place: `line ${info.lines}`,
      fields: new Map(columns.map((name, index) => [name.trim(), record[index]])),
    }))
  } catch (error) {
    throw new CommandError(`${file} is not valid CSV: ${(error as Error).message}`)
  }
}

/**
 * Returns the most frequent delimiter of the header, outside quotes. The other ones are text: the reasons of bounces have
 * semicolons.
 */
function findDelimiter(text: string): string {
  // Quoted names may have line breaks.
  const unquoted = text.replace(/^[\r\n]+/, '').replaceAll(/"[^"]*"/g, '')
  const [header = ''] = unquoted.split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

interface Row {
  record: string[]
  info: { lines: number }
}

/** Returns the first of these fields that is there. Case, `_`, `-` and spaces in names do not matter. */
export function findValue({ fields }: ExportRecord, ...names: string[]): unknown {
  for (const name of names) {
    for (const [key, value] of fields) if (keyOf(key) === keyOf(name)) return value
  }
  return undefined
}

/** Like `findValue`, for text. Returns null for anything else, and for an empty text. */
export function findText(record: ExportRecord, ...names: string[]): string | null {
  const value = findValue(record, ...names)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}
