import type { Tx } from '../../db/db-types.ts'
import type { CsvImport } from './imports-queries.ts'

/** A row whose cells match its columns. */
export interface FileRow {
  line: number
  cells: string[]
}

/** Why a row is skipped. */
export interface RowProblem {
  message: string
  /** The cell at fault, cut; null if the whole row is. */
  value: string | null
}

export interface RowFailure extends RowProblem {
  line: number
}

const VALUE_CHARS_MAX = 100

/** @param cell the cell at fault */
export function problemOf(message: string, cell: string | null = null): RowProblem {
  const value = cell === null || cell.length <= VALUE_CHARS_MAX ? cell : `${cell.slice(0, VALUE_CHARS_MAX)}…`
  // PostgreSQL stores neither NUL nor halves of characters.
  return { message, value: value?.replaceAll('\0', '').toWellFormed() ?? null }
}

/** Parsed rows: the failures, and a function that writes the others. */
export interface ReadRows {
  failures: RowFailure[]
  /** May run again if its transaction did not commit. Throws ImportFailure if no more rows can be written. */
  write(tx: Tx, now: Date): Promise<WrittenRows>
}

export interface WrittenRows {
  rowsCreated: number
  rowsUpdated: number
  /** Rows that the database does not allow. */
  failures: RowFailure[]
}

/** A column to read. */
export interface CheckedColumn {
  /** As in the file, or as its mapping names the field. */
  name: string
  /** Null if the column is not that of a property. */
  propertyId: string | null
}

/** The part of an import that differs by kind. */
export interface ImportKindRules {
  /** Returns the columns to read; ignored columns are null. Throws a 422 for unknown names. */
  checkColumns(
    tx: Tx,
    teamId: string,
    names: readonly string[],
    ignoreUnknown: boolean,
  ): Promise<(CheckedColumn | null)[]>
  /**
   * Returns a function that parses rows without the database, so that rows are parsed while earlier ones are written.
   */
  openRows(
    tx: Tx,
    source: Pick<CsvImport, 'teamId' | 'id' | 'options'>,
  ): Promise<(rows: readonly FileRow[]) => ReadRows>
}

/** Ends an import as a whole. `message` is shown to its owner. */
export class ImportFailure extends Error {}

/** Parses each row into an input or a failure. A text is a problem of the whole row. */
export function readEach<Read extends object>(
  rows: readonly FileRow[],
  read: (cells: readonly string[], line: number) => Read | RowProblem | string,
): { inputs: Read[]; failures: RowFailure[] } {
  const inputs: Read[] = []
  const failures: RowFailure[] = []
  for (const { line, cells } of rows) {
    const outcome = read(cells, line)
    if (typeof outcome === 'string') failures.push({ line, ...problemOf(outcome) })
    else if (isRowProblem(outcome)) failures.push({ line, ...outcome })
    else inputs.push(outcome)
  }
  return { inputs, failures }
}

/** Inputs have neither a message nor a value. */
export const isRowProblem = (outcome: object): outcome is RowProblem =>
  'message' in outcome && 'value' in outcome
