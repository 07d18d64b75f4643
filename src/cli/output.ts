import { stripVTControlCharacters } from 'node:util'

/** How a command answers: a table for a person at a terminal, JSON for `--json` and for programs. */
export interface Output {
  /** Many: JSON array, or a table with these columns. */
  rows(rows: readonly Row[], columns: readonly string[]): void
  /** Many whose values are there to be copied whole: JSON array, or a block of lines each. */
  blocks(rows: readonly Row[]): void
  /** One: JSON object, or a line a field. */
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
      write(isJson ? JSON.stringify(rows, null, 2) : drawTable(rows, columns))
    },
    blocks(rows) {
      write(isJson ? JSON.stringify(rows, null, 2) : rows.map(drawRecord).join('\n\n') || NONE)
    },
    record(record) {
      write(isJson ? JSON.stringify(record, null, 2) : drawRecord(record))
    },
  }
}

/** Columns as wide as what they hold; over-long cells are cut, JSON has them whole. */
export function drawTable(rows: readonly Row[], columns: readonly string[]): string {
  if (rows.length === 0) return NONE
  const cells = [
    columns.map((column) => column.toUpperCase().replaceAll('_', ' ')),
    ...rows.map((row) => columns.map((column) => cut(cellOf(row[column])))),
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

function drawRecord(record: Row): string {
  const names = Object.keys(record)
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => `${name.padEnd(width)}${COLUMN_GAP}${cellOf(record[name])}`).join('\n')
}

/** What others wrote (replies of servers, names) must not be able to steer the terminal. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ')
}

function cut(text: string): string {
  return text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX - 1)}…` : text
}
