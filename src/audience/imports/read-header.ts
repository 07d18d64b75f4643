import { parse } from 'csv-parse/sync'
import { invalidField } from '../../lib/api-error.ts'
import type { ImportPlace } from './imports-queries.ts'

/** The first line of a file and the position of the next. */
export interface Header extends ImportPlace {
  delimiter: string
  columns: string[]
}

export const DELIMITERS = [',', ';', '\t'] as const
export const HEADER_BYTES_MAX = 64 * 1024
const BOM = Buffer.from('\ufeff')
const QUOTE = 34
const LF = 10
const CR = 13

/**
 * Parses the line that names the columns. Returns null if its end has not arrived. Without a given delimiter, the
 * most frequent one outside quotes is used. Throws ApiError (422).
 * @param isWhole true if no more bytes will arrive
 */
export function readHeader(bytes: Buffer, isWhole: boolean, delimiter: string | null): Header | null {
  const start = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  const line = findLine(bytes, start, isWhole)
  if (line === null || line.end - start > HEADER_BYTES_MAX) {
    if (bytes.length <= HEADER_BYTES_MAX && !isWhole) return null
    throw refuse(`The first line must not be greater than ${HEADER_BYTES_MAX} bytes.`)
  }
  const text = decode(bytes.subarray(line.start, line.end))
  const found = delimiter ?? detectDelimiter(text)
  return {
    delimiter: found,
    columns: readColumns(text, found),
    position: line.next,
    line: line.number + 1,
  }
}

function refuse(message: string) {
  return invalidField('header', message)
}

/** Returns the first line that is not empty. Column names contain no line breaks, so quotes do not matter. */
function findLine(bytes: Buffer, from: number, isWhole: boolean) {
  let start = from
  let number = 1
  while (bytes[start] === LF || bytes[start] === CR) {
    if (bytes[start] === LF || bytes[start + 1] !== LF) number++
    start++
  }
  if (isWhole && start >= bytes.length) throw refuse('The file has no line that names its columns.')
  let end = start
  while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++
  // A CR at the end may be the first half of CR LF.
  if (!isWhole && (end === bytes.length || (bytes[end] === CR && end + 1 === bytes.length))) return null
  const next = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1)
  return { start, end, number, next: Math.min(next, bytes.length) }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refuse('The file must be UTF-8.')
  }
}

function detectDelimiter(line: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const character of line) {
    if (character.charCodeAt(0) === QUOTE) isQuoted = !isQuoted
    const count = counts.get(character)
    if (!isQuoted && count !== undefined) counts.set(character, count + 1)
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a)
  return best?.[0] ?? ','
}

function readColumns(line: string, delimiter: string): string[] {
  try {
    const [columns = []] = parse(line, { delimiter }) as string[][]
    return columns.map((name) => name.trim())
  } catch {
    throw refuse('The first line is no CSV.')
  }
}
