import { parse } from 'csv-parse/sync'
import { invalidField } from '../../lib/api-error.ts'
import type { ImportPlace } from './imports-queries.ts'

/** The first line of a file and the position of the next. */
export interface Header extends ImportPlace {
  delimiter: string
  columns: string[]
}

/** Named as in the API. */
export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const
const CHARACTERS: readonly string[] = Object.values(DELIMITERS)
export const HEADER_LINE_BYTES_MAX = 64 * 1024
/** The names are parsed and mapped in one go. The 29,000 that fit into the first line held the event loop for 250 ms. */
const COLUMNS_MAX = 2000
const BOM = Buffer.from('\ufeff')
const QUOTE = 34
/** UTF-16 without a byte order mark is valid UTF-8 if all characters are ASCII. */
const UNMARKED =
  'The first line contains U+0000. If the file is UTF-16, set encoding to utf-16le or utf-16be.'
const LF = 10
const CR = 13
/** The first line with which a file tells Excel its delimiter. It is no row. */
const SEP_LINE = /^"?sep=(.?)"? *$/i

/**
 * Parses the line that names the columns. Returns null if its end has not arrived. Without a given delimiter, that of a
 * `sep=` line is used, else the most frequent one outside quotes. Throws ApiError (422).
 * @param isWhole true if no more bytes will arrive
 */
export function readHeaderLine(bytes: Buffer, isWhole: boolean, delimiter: string | null): Header | null {
  const start = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  const first = findRecord(bytes, { position: start, line: 1 }, isWhole)
  if (first === null) return null
  const separator = readSepLine(first.text)
  const header = separator === null ? first : findRecord(bytes, first.next, isWhole)
  if (header === null) return null
  const usedDelimiter = delimiter ?? separator ?? detectDelimiter(header.text)
  return { delimiter: usedDelimiter, columns: readColumns(header.text, usedDelimiter), ...header.next }
}

/** Returns the delimiter of a `sep=` line; null for any other line. */
function readSepLine(text: string): string | null {
  const separator = SEP_LINE.exec(text)?.[1]
  if (separator === undefined) return null
  if (CHARACTERS.includes(separator)) return separator
  throw refuse('The sep= line must name a comma, a semicolon, a tab or a pipe.')
}

function refuse(message: string) {
  return invalidField('header', message)
}

/**
 * Returns the first record at or after `from` that is not empty, and the place after it: one line, or several if quoted
 * names contain line breaks. Returns null if its end has not arrived.
 */
function findRecord(bytes: Buffer, from: ImportPlace, isWhole: boolean) {
  let { position: start, line } = from
  while (bytes[start] === LF || bytes[start] === CR) {
    if (bytes[start] === LF || bytes[start + 1] !== LF) line++
    start++
  }
  if (isWhole && start >= bytes.length) throw refuse('The file has no line that names its columns.')
  let end = start
  let isQuoted = false
  for (; end < bytes.length && (isQuoted || (bytes[end] !== LF && bytes[end] !== CR)); end++) {
    if (bytes[end] === QUOTE) isQuoted = !isQuoted
  }
  // A CR at the end may be the first half of CR LF.
  const isOpen = !isWhole && (end === bytes.length || (bytes[end] === CR && end + 1 === bytes.length))
  if (end - from.position > HEADER_LINE_BYTES_MAX) {
    throw refuse(
      `The first line is greater than ${HEADER_LINE_BYTES_MAX} bytes, or a quote in it is not closed.`,
    )
  }
  if (isOpen) return null
  const text = bytes.toString('utf8', start, end)
  if (text.includes('\0')) throw invalidField('encoding', UNMARKED)
  const position = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1)
  const lines = text.split(/\r\n|[\r\n]/).length
  return { text, next: { position: Math.min(position, bytes.length), line: line + lines } }
}

function detectDelimiter(line: string): string {
  const counts = new Map<string, number>(CHARACTERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const character of line) {
    if (character.charCodeAt(0) === QUOTE) isQuoted = !isQuoted
    const count = counts.get(character)
    if (!isQuoted && count !== undefined) counts.set(character, count + 1)
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a)
  return best?.[0] ?? ','
}

/** Returns a column's name as it is shown, compared and mapped: each run of white space is one space. */
export function tidyName(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim()
}

function readColumns(line: string, delimiter: string): string[] {
  // Counted before they are parsed, delimiters in quotes included.
  if (line.split(delimiter, COLUMNS_MAX + 1).length > COLUMNS_MAX)
    throw refuse(`The first line names more than ${COLUMNS_MAX} columns.`)
  try {
    const [columns = []] = parse(line, { delimiter }) as string[][]
    return columns.map(tidyName)
  } catch {
    throw refuse('The first line is no CSV.')
  }
}
