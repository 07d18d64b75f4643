import { decodeHead, type Encoding, type EncodingChoice } from './decode-head.ts'

/** The beginning of a CSV file, read as the server does (src/audience/imports/read-header.ts). */
export interface CsvHead extends EncodingChoice, CsvRows {
  /** Why the file cannot be imported as it is read, in which case it has no columns. */
  fault: string | null
}

export interface CsvRows {
  delimiter: Delimiter
  /** The header cells, with white space collapsed. */
  columns: string[]
  /** The rows that were read; their lengths may differ. */
  rows: string[][]
}

/** Named as in the API. */
export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const
export type Delimiter = keyof typeof DELIMITERS

/** Enough for thousands of rows, from which types are guessed. The header is shorter, or the server rejects the file. */
const READ_BYTES = 1024 * 1024
/** The number of rows in a preview. */
export const ROWS_SHOWN = 5
/** The first line with which a file tells Excel its delimiter. It is no row. */
const SEP_LINE = /^"?sep=(.?)"? *(?:[\r\n]+|$)/i

/** What the user chose instead of what was found. */
export interface HeadOptions {
  delimiter?: Delimiter | undefined
  encoding?: Encoding | undefined
}

/** The chosen file, and its first rows. */
export interface ChosenFile {
  file: File
  head: CsvHead
  /** How a person chose to read it. */
  options: HeadOptions
}

/** Reads the beginning of a file. The server reads the rest. */
export async function readHead(file: Blob, { delimiter, encoding }: HeadOptions = {}): Promise<CsvHead> {
  const bytes = new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer())
  const isWhole = file.size <= READ_BYTES
  // The cut may split a character, which is not an error.
  const { text, ...choice } = decodeHead(bytes, !isWhole, encoding)
  try {
    if (text === null) throw new UnreadableFile(faultOf(choice))
    return { ...choice, ...parseHead(text, isWhole, delimiter), fault: null }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { ...choice, delimiter: delimiter ?? 'comma', columns: [], rows: [], fault: error.message }
  }
}

const faultOf = ({ encodingBy }: EncodingChoice) =>
  encodingBy === 'marked'
    ? 'The file is not valid in the encoding that its first bytes name. Save it again as “CSV UTF-8”.'
    : 'The file is not valid in this encoding. Choose another one, or save it again as “CSV UTF-8”.'

/**
 * Throws UnreadableFile.
 * @param isWhole whether `text` is the whole file
 */
export function parseHead(text: string, isWhole: boolean, chosen?: Delimiter): CsvRows {
  const { separator, rest: trimmed } = takeSepLine(text.replace(/^[\r\n]+/, ''))
  const line = takeNames(trimmed)
  if (line.trim() === '') throw new UnreadableFile('The file has no header row.')
  if (line.includes('\0'))
    throw new UnreadableFile('This is not a text file. If it is one, choose its encoding.')
  const delimiter = chosen ?? separator ?? detectDelimiter(line)
  const [columns = [], ...rows] = parseRows(trimmed, DELIMITERS[delimiter])
  // The last row may be incomplete.
  if (!isWhole) rows.pop()
  return { delimiter, columns: columns.map((name) => name.replaceAll(/\s+/g, ' ').trim()), rows }
}

/** Separates a `sep=` line, whose delimiter is null for any other line, from the rest of the file. */
function takeSepLine(text: string): { separator: Delimiter | null; rest: string } {
  const [line, character] = SEP_LINE.exec(text) ?? []
  if (line === undefined) return { separator: null, rest: text }
  const separator = (Object.keys(DELIMITERS) as Delimiter[]).find((name) => DELIMITERS[name] === character)
  if (separator === undefined)
    throw new UnreadableFile('The sep= line must name a comma, a semicolon, a tab or a pipe.')
  return { separator, rest: text.slice(line.length) }
}

/** Returns the first record: one line, or several if quoted names contain line breaks. */
function takeNames(text: string): string {
  let end = 0
  let isQuoted = false
  for (; end < text.length && (isQuoted || (text[end] !== '\n' && text[end] !== '\r')); end++) {
    if (text[end] === '"') isQuoted = !isQuoted
  }
  return text.slice(0, end)
}

/** Returns the delimiter that occurs most often in the line, outside of quotes. */
function detectDelimiter(line: string): Delimiter {
  const outside = line.replace(/"[^"]*"/g, '')
  const counts = (Object.keys(DELIMITERS) as Delimiter[]).map(
    (name) => [name, outside.split(DELIMITERS[name]).length] as const,
  )
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

/** Parses the rows of a text (RFC 4180). Skips empty lines. */
function parseRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let place = 0
  while (place < text.length) {
    const { cells, next } = parseRow(text, place, delimiter)
    if (cells.length > 1 || cells[0] !== '') rows.push(cells)
    place = next
  }
  return rows
}

function parseRow(text: string, start: number, delimiter: string): { cells: string[]; next: number } {
  const cells: string[] = []
  let place = start
  for (;;) {
    const { cell, end } = text[place] === '"' ? quotedCell(text, place) : plainCell(text, place, delimiter)
    cells.push(cell)
    if (text[end] === delimiter) {
      place = end + 1
      continue
    }
    return { cells, next: text.startsWith('\r\n', end) ? end + 2 : end + 1 }
  }
}

function plainCell(text: string, start: number, delimiter: string): { cell: string; end: number } {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++
  return { cell: text.slice(start, end), end }
}

/** Parses a quoted cell, in which a doubled quote stands for one. */
function quotedCell(text: string, start: number): { cell: string; end: number } {
  let end = start + 1
  while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1
  return { cell: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

/** The file cannot be imported. The message says why. */
class UnreadableFile extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnreadableFile'
  }
}
