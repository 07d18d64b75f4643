import type { Tx } from '../../store/db.ts'
import type { CsvImport } from '../../store/imports.ts'

/** A row whose cells fit its columns. */
export interface FileRow {
  line: number
  cells: string[]
}

export interface RowOutcome {
  rowsCreated: number
  rowsUpdated: number
  failures: { line: number; message: string }[]
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
  /** Writes rows. Throws ImportFailure where none can be written any more. */
  writeRows(
    tx: Tx,
    source: Pick<CsvImport, 'teamId' | 'options'>,
    rows: readonly FileRow[],
    now: Date,
  ): Promise<RowOutcome>
}

/** The import as a whole cannot go on; `message` is for its owner. */
export class ImportFailure extends Error {}
