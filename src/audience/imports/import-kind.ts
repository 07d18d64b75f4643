import type { Tx } from '../../db/db-types.ts'
import type { CsvImport } from './imports-queries.ts'

/** A row whose cells fit its columns. */
export interface FileRow {
  line: number
  cells: string[]
}

export interface RowFailure {
  line: number
  message: string
}

/** Rows as they were read: those that are wrong, and how to write the others. */
export interface ReadRows {
  failures: RowFailure[]
  /** May be run again when its transaction did not commit. Throws ImportFailure where none can be written any more. */
  write(tx: Tx, now: Date): Promise<{ rowsCreated: number; rowsUpdated: number }>
}

/** What an import of one kind does; the rest is the same for all. */
export interface ImportKindRules {
  /** Which of the columns are read: the others are null. Refuses (422) names that it does not know. */
  checkColumns(
    tx: Tx,
    teamId: string,
    names: readonly string[],
    ignoreUnknown: boolean,
  ): Promise<(string | null)[]>
  /** How rows of an import are read, which takes no database: the next are read while those before are written. */
  openRows(
    tx: Tx,
    source: Pick<CsvImport, 'teamId' | 'options'>,
  ): Promise<(rows: readonly FileRow[]) => ReadRows>
}

/** The import as a whole cannot go on; `message` is for its owner. */
export class ImportFailure extends Error {}

/** Reads each row: what it gives, or why it is wrong. */
export function readEach<Read extends object>(
  rows: readonly FileRow[],
  read: (cells: readonly string[]) => Read | string,
): { inputs: Read[]; failures: RowFailure[] } {
  const inputs: Read[] = []
  const failures: RowFailure[] = []
  for (const { line, cells } of rows) {
    const outcome = read(cells)
    if (typeof outcome === 'string') failures.push({ line, message: outcome })
    else inputs.push(outcome)
  }
  return { inputs, failures }
}
