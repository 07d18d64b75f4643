import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, type Parser, parse } from 'csv-parse'
import type { ImportPlace } from './imports-queries.ts'

/** A row, or the reason why its line is invalid. */
export type CsvRow = { line: number; cells: string[] } | { line: number; fault: string }

/** Rows in order, and the position of the next one. */
export interface RowBatch extends ImportPlace {
  rows: CsvRow[]
}

/** Enough for hundreds of columns of a thousand characters. */
export const ROW_BYTES_MAX = 256 * 1024
/** After this many invalid lines, the file is not CSV. */
const FAULTS_MAX = 1_000

/** Thrown if the rest of the file cannot be read. `message` states the reason and the line. */
export class UnreadableFile extends Error {}

const LF = 10
const CR = 13

/**
 * Yields rows (RFC 4180) from `place` on. Lines end in LF, CR LF or CR; empty lines are skipped. A line with invalid
 * quotes becomes a fault, and reading continues after that line. Yields to the event loop after each chunk. Throws
 * UnreadableFile.
 */
export async function* readRows(
  chunks: AsyncIterable<Buffer>,
  place: ImportPlace,
  delimiter: string,
): AsyncGenerator<RowBatch> {
  const reader = new RowReader(place, delimiter)
  for await (const chunk of chunks) {
    yield await reader.take(chunk)
    if (reader.failure !== null) throw reader.failure
    await nextTurn()
  }
  yield await reader.end()
  if (reader.failure !== null) throw reader.failure
}

/**
 * Has two states. Reading: `rest` begins with a row or empty lines, and the parser has received all of it. Skipping:
 * `rest` is within an invalid line whose end has not arrived, and the parser is not used.
 */
class RowReader {
  readonly #delimiter: string
  /** The start of the next row or, while skipping, of the skipped line. */
  #place: ImportPlace
  #rest: Buffer = Buffer.alloc(0)
  #parser: Parser
  #parserStart: number
  /** Parsed rows, each with its end counted from the parser's start. */
  #parsed: { cells: string[]; end: number }[] = []
  /** Set while skipping. `bytes` of the line are already consumed. */
  #skipped: { fault: string; bytes: number } | null = null
  #faults = 0
  /** Set when reading has failed. Rows parsed before remain valid. */
  failure: UnreadableFile | null = null

  constructor(place: ImportPlace, delimiter: string) {
    this.#place = { ...place }
    this.#delimiter = delimiter
    this.#parserStart = place.position
    this.#parser = this.#createParser()
  }

  #createParser(): Parser {
    const parser = parse({
      delimiter: this.#delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_BYTES_MAX,
      // Rows are collected here, so that rows before a fault are not lost with the stream.
      on_record: (cells: string[], { bytes }) => {
        this.#parsed.push({ cells, end: bytes })
        return null
      },
    })
    // Errors reach the callback of the write. Without a listener, they would also end the process.
    parser.on('error', () => {})
    return parser
  }

  async take(chunk: Buffer): Promise<RowBatch> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const rows: CsvRow[] = []
    if (this.#skipped === null) await this.#parse(chunk, rows)
    else await this.#skip(rows)
    return { ...this.#place, rows }
  }

  async end(): Promise<RowBatch> {
    const rows: CsvRow[] = []
    while (this.#skipped === null && this.#rest.length > 0 && this.failure === null) {
      const error = await finish(this.#parser)
      this.#collect(rows)
      if (error === null) this.#advance(this.#rest.length)
      else await this.#beginSkip(describeFault(error), rows)
    }
    if (this.#skipped !== null) this.#endSkip(rows, this.#rest.length)
    return { ...this.#place, rows }
  }

  async #parse(bytes: Buffer, rows: CsvRow[]): Promise<void> {
    const error = await write(this.#parser, bytes)
    this.#collect(rows)
    // The parser counts neither empty lines nor delimiters, of which the rest of the file may consist.
    this.#passEmptyLines()
    if (error !== null) await this.#beginSkip(describeFault(error), rows)
    else if (this.#rest.length > ROW_BYTES_MAX) await this.#beginSkip(TOO_LONG, rows)
  }

  #collect(rows: CsvRow[]): void {
    for (const { cells, end } of this.#parsed) {
      this.#passEmptyLines()
      const { line, position } = this.#place
      const length = this.#parserStart + end - position
      rows.push(length > ROW_BYTES_MAX ? { line, fault: TOO_LONG } : { line, cells })
      this.#advance(length)
    }
    this.#parsed = []
  }

  /** Keeps a CR at the end, which may be half of a CR LF. */
  #passEmptyLines(): void {
    let length = 0
    while (this.#rest[length] === LF || (this.#rest[length] === CR && length + 1 < this.#rest.length))
      length++
    if (length > 0) this.#advance(length)
  }

  #advance(length: number): void {
    this.#place.line += countLines(this.#rest, length)
    this.#place.position += length
    this.#rest = this.#rest.subarray(length)
  }

  async #beginSkip(fault: string, rows: CsvRow[]): Promise<void> {
    this.#passEmptyLines()
    if (++this.#faults > FAULTS_MAX) {
      const { line } = this.#place
      this.failure = new UnreadableFile(`More than ${FAULTS_MAX} lines are no CSV; the last is line ${line}.`)
      return
    }
    this.#skipped = { fault, bytes: 0 }
    await this.#skip(rows)
  }

  /** Skips the invalid line and continues after it with a new parser. */
  async #skip(rows: CsvRow[]): Promise<void> {
    const end = findLineEnd(this.#rest)
    if (end !== null) {
      this.#endSkip(rows, end)
      // Each fault may have cost as many bytes as the longest row.
      await nextTurn()
      return this.#parse(this.#rest, rows)
    }
    // A line may be as long as the file. Only a final CR, possibly half of CR LF, is kept for the next scan.
    const keptLength = this.#rest.at(-1) === CR ? 1 : 0
    const length = this.#rest.length - keptLength
    if (this.#skipped !== null) this.#skipped.bytes += length
    this.#rest = this.#rest.subarray(length)
  }

  #endSkip(rows: CsvRow[], length: number): void {
    const { fault, bytes } = this.#skipped as { fault: string; bytes: number }
    rows.push({ line: this.#place.line, fault })
    this.#skipped = null
    this.#place.position += bytes
    this.#advance(length)
    this.#parserStart = this.#place.position
    this.#parser = this.#createParser()
  }
}

function write(parser: Parser, bytes: Buffer): Promise<Error | null> {
  return new Promise((resolve) => parser.write(bytes, (error) => resolve(error ?? null)))
}

function finish(parser: Parser): Promise<Error | null> {
  return new Promise((resolve) => {
    parser.once('error', resolve)
    parser.once('finish', () => resolve(null))
    parser.end()
  })
}

const TOO_LONG = `The row is greater than ${ROW_BYTES_MAX} bytes, or a quote in it is not closed.`
const FAULTS: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'A closing quote must be followed by the delimiter or the end of the line.',
  INVALID_OPENING_QUOTE: 'A quote inside of a cell must be doubled, and the cell must be in quotes.',
  CSV_QUOTE_NOT_CLOSED: 'A quote is opened and not closed.',
  CSV_MAX_RECORD_SIZE: TOO_LONG,
}

function describeFault(error: Error): string {
  const fault = error instanceof CsvError ? FAULTS[error.code] : undefined
  if (fault === undefined) throw error
  return fault
}

/**
 * Returns the position after the end of the line, or null if the end has not arrived. A CR at the end may be the
 * first half of CR LF.
 */
function findLineEnd(bytes: Buffer): number | null {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF) return at + 1
    if (bytes[at] === CR && at + 1 < bytes.length) return bytes[at + 1] === LF ? at + 2 : at + 1
  }
  return null
}

/** Counts the line ends in the first `length` bytes: LF, CR LF or CR. */
function countLines(bytes: Buffer, length: number): number {
  let count = 0
  for (let at = 0; at < length; at++) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) count++
  }
  return count
}
