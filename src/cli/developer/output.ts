import { stripVTControlCharacters } from 'node:util'

/** The output of a command: a table on a terminal, JSON for `--json` and when it is not a terminal. */
export interface Output {
  /** Writes rows: a JSON array, or a table with these columns. */
  rows(rows: readonly Row[], columns: readonly string[]): void
  /** Writes rows with values to copy in full: a JSON array, or a block of lines for each. */
  blocks(rows: readonly Row[]): void
  /** Writes one record: a JSON object, or a line for each field. */
  record(record: Row): void
}

export type Row = Readonly<Record<string, unknown>>

const CELL_CHARACTERS_MAX = 60
const COLUMN_GAP = '  '
const NONE = '(none)'

export function createOutput(
  options: { json?: boolean },
  stream: NodeJS.WriteStream = process.stdout,
): Output {
  const isJson = options.json === true || !stream.isTTY
  const write = (text: string) => stream.write(`${text}\n`)
  return {
    rows(rows, columns) {
      write(isJson ? formatJson(rows, 2) : formatTable(rows, columns))
    },
    blocks(rows) {
      write(isJson ? formatJson(rows, 2) : rows.map(formatRecord).join('\n\n') || NONE)
    },
    record(record) {
      write(isJson ? formatJson(record, 2) : formatRecord(record))
    },
  }
}

/** Formats rows as a table. Columns are as wide as their cells; long cells are cut (JSON contains them in full). */
export function formatTable(rows: readonly Row[], columns: readonly string[]): string {
  if (rows.length === 0) return NONE
  const cells = [
    columns.map((column) => column.toUpperCase().replaceAll('_', ' ')),
    ...rows.map((row) => columns.map((column) => cut(formatCell(row[column])))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join(COLUMN_GAP)
        .trimEnd(),
    )
    .join('\n')
}

function formatRecord(record: Row): string {
  const fields = Object.entries(record).map(([name, value]) => [formatCell(name), formatCell(value)] as const)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}${COLUMN_GAP}${value}`).join('\n')
}

/**
 * Formats a value. Removes control sequences, because untrusted text (server replies, names) must not control the
 * terminal.
 */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
}

/** Formats a text as `formatCell` does, but keeps its line breaks and tabs. */
export function formatText(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\n\t\P{Cc}]+/gu, ' ')
}

/** Formats a value as JSON that cannot control the terminal. */
export function formatJson(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent))
}

/**
 * Escapes the control characters that JSON may contain as they are: U+007F to U+009F, which some terminals obey. Readers of
 * JSON find the same text.
 */
export function escapeJson(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}

/** Writes a text of the server: on a terminal without control sequences, else as it is. */
export function writeText(text: string, stream: NodeJS.WriteStream = process.stdout): void {
  stream.write(stream.isTTY ? formatText(text) : text)
}

function cut(text: string): string {
  return text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX - 1)}…` : text
}

/** The output of a command that runs until Ctrl-C. */
export interface Lines {
  /** Writes one record: a line of JSON, or this text. */
  write(record: object, text: string): void
}

/** JSON for `--json` and when the output is not a terminal: one value a line. */
export function createLines(options: { json?: boolean }, stream: NodeJS.WriteStream = process.stdout): Lines {
  const isJson = options.json === true || !stream.isTTY
  return {
    write: (record, text) => void stream.write(`${isJson ? formatJson(record) : formatCell(text)}\n`),
  }
}
