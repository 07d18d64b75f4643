import { DatabaseUnavailable, type Db, type Tx } from '../../db/db-types.ts'
import { SQLSTATE, sqlState } from '../../db/sqlstate.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type FileRow, ImportFailure, type ReadRows, type RowFailure } from './import-kind.ts'
import { findPiece, insertImportErrors, readPiece } from './import-parts-queries.ts'
import {
  analyzeGrown,
  type CsvImport,
  claimImport,
  finishImport,
  holdImport,
  type ImportPlace,
  releaseImport,
  saveProgress,
} from './imports-queries.ts'
import { type CsvRow, type RowBatch, readRows, UnreadableFile } from './read-rows.ts'
import { IMPORT_KINDS } from './receive-import.ts'

export interface ImportDeps {
  db: Db
  clock: Clock
  log: Log
}

/** Rows of one transaction; and their bytes, for rows that are large. */
const BATCH_ROWS = 1_000
const BATCH_BYTES = 1024 * 1024
/** What is read at once: the parser takes about a millisecond for it. */
const CHUNK_BYTES = 32 * 1024
const LEASE_MS = 30_000
/** Then other teams have their turn. */
const SLICE_MS = 10_000
/** Errors of one import that are kept. */
export const ERRORS_MAX = 1_000
const ATTEMPTS_MAX = 5
/** From so many new rows on, each time that they have doubled, plans are made anew. */
const GROWN_ROWS = 4_000

/** Another process has the import now, or its end came first. */
class LeaseLost extends Error {}

/**
 * Runs an import that waits, or that another process left, for a while: to its end, to the end of its turn, or until
 * `stop`. Whatever happens to the process, rows and progress are committed together, so that none is imported twice
 * or lost. False when there was none.
 */
export async function runNextImport(deps: ImportDeps, stop: AbortSignal): Promise<boolean> {
  const leasedBy = newId()
  const now = deps.clock.now()
  const claimed = await claimImport(deps.db, { by: leasedBy, until: leaseFrom(now) }, now)
  if (claimed === null) return false
  const run = new ImportRun(deps, claimed, leasedBy)
  try {
    if (await run.go(stop)) await run.finish(null)
    else await run.release()
  } catch (error) {
    await endAfter(error, run, deps, claimed)
  }
  return true
}

async function endAfter(error: unknown, run: ImportRun, { log }: ImportDeps, claimed: CsvImport) {
  if (error instanceof LeaseLost) return
  if (error instanceof ImportFailure || error instanceof UnreadableFile) {
    await run.finish(error.message)
    return
  }
  if (error instanceof DatabaseUnavailable) {
    // It is gone on with once the database is back; where it cannot be told so, when its lease runs out.
    await run.release().catch(() => {})
    throw error
  }
  log.error({ err: error, import: claimed.id, line: run.line }, 'an import failed')
  await run.finish(`Something went wrong on our side behind line ${run.line}.`)
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}

class ImportRun {
  readonly #deps: ImportDeps
  readonly #leasedBy: string
  #state: CsvImport
  #analyzeAtRows = GROWN_ROWS

  constructor(deps: ImportDeps, claimed: CsvImport, leasedBy: string) {
    this.#deps = deps
    this.#leasedBy = leasedBy
    this.#state = claimed
    while (this.#analyzeAtRows <= claimed.rowsCreated) this.#analyzeAtRows *= 2
  }

  get line(): number {
    return this.#state.line
  }

  /**
   * True at the end of the file; false when it is to be gone on with later. While the rows of one batch are written,
   * those of the next are read.
   */
  async go(stop: AbortSignal): Promise<boolean> {
    const { position, line, options, kind } = this.#state
    const open = (tx: Tx) => IMPORT_KINDS[kind].openRows(tx, this.#state)
    const readBatch = await this.#deps.db.transaction(open)
    const until = this.#deps.clock.now().getTime() + SLICE_MS
    let rows: CsvRow[] = []
    let begin = position
    let batch: RowBatch | null = null
    let writing: Promise<void> = Promise.resolve()
    const commit = async () => {
      if (batch === null) return
      const { good, failures } = sortOut(rows)
      const read = readBatch(good)
      const place = batch
      rows = []
      begin = place.position
      await writing
      writing = this.#commit({ count: good.length, faults: failures, read }, place)
      // It is waited for by the next batch, or at the end.
      writing.catch(() => {})
    }
    try {
      for await (batch of readRows(this.#chunks(), { position, line }, options.delimiter)) {
        for (const row of batch.rows) rows.push(row)
        if (rows.length < BATCH_ROWS && batch.position - begin < BATCH_BYTES) continue
        await commit()
        if (stop.aborted || this.#deps.clock.now().getTime() > until) return false
      }
      await commit()
      return true
    } catch (error) {
      // The rows in front of what cannot be read are taken all the same.
      if (error instanceof UnreadableFile) await commit()
      throw error
    } finally {
      await writing
    }
  }

  async finish(reason: string | null): Promise<void> {
    const { db, clock } = this.#deps
    if (this.#state.rowsCreated >= GROWN_ROWS) await this.#analyze()
    await db.transaction((tx) => finishImport(tx, this.#state, this.#leasedBy, reason, clock.now()))
  }

  release(): Promise<void> {
    const { db, clock } = this.#deps
    return releaseImport(db, this.#state, this.#leasedBy, clock.now())
  }

  /** The bytes of the file from where the import is. */
  async *#chunks(): AsyncGenerator<Buffer> {
    const { db } = this.#deps
    const { position, bytes } = this.#state
    const first = position < bytes ? await findPiece(db, this.#state, position) : null
    if (first === null) return
    let from = position - first.position
    for (let no = first.no; ; no++) {
      const piece = await readPiece(db, this.#state, no)
      if (piece === null) return
      for (let at = from; at < piece.length; at += CHUNK_BYTES) yield piece.subarray(at, at + CHUNK_BYTES)
      from = 0
    }
  }

  /** Rows and progress in one transaction; one that met others in another order of locks is run again. */
  async #commit(batch: Batch, place: ImportPlace): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#state = await this.#deps.db.transaction((tx) => this.#write(tx, batch, place))
        break
      } catch (error) {
        const isDeadlock = sqlState(error) === SQLSTATE.deadlockDetected
        const isRace = isDeadlock || (error instanceof ApiError && error.code === 'conflict')
        if (!isRace || attempt === ATTEMPTS_MAX) throw error
      }
    }
    if (this.#state.rowsCreated < this.#analyzeAtRows) return
    this.#analyzeAtRows *= 2
    await this.#analyze()
  }

  async #analyze(): Promise<void> {
    await analyzeGrown(this.#deps.db, this.#state.kind).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'the tables of an import could not be analyzed')
    })
  }

  async #write(tx: Tx, { count, faults, read }: Batch, { position, line }: ImportPlace): Promise<CsvImport> {
    const now = this.#deps.clock.now()
    if (!(await holdImport(tx, this.#state, this.#leasedBy))) throw new LeaseLost()
    const written = await read.write(tx, now)
    const failures = [...faults, ...read.failures].sort((a, b) => a.line - b.line)
    const counts = {
      rowsRead: this.#state.rowsRead + count + faults.length,
      rowsCreated: this.#state.rowsCreated + written.rowsCreated,
      rowsUpdated: this.#state.rowsUpdated + written.rowsUpdated,
      rowsFailed: this.#state.rowsFailed + failures.length,
    }
    const room = Math.max(0, ERRORS_MAX - this.#state.rowsFailed)
    const errors = failures.slice(0, room).map((error) => ({ ...error, id: newId(now.getTime()) }))
    await insertImportErrors(tx, this.#state, errors)
    await saveProgress(tx, this.#state, { position, line, ...counts }, leaseFrom(now), now)
    return { ...this.#state, position, line, ...counts }
  }
}

/** The rows of one transaction. */
interface Batch {
  count: number
  /** Lines that are no rows. */
  faults: RowFailure[]
  read: ReadRows
}

/** Rows that can be read, without those whose cells are all empty, which spreadsheets leave behind; and the faults. */
function sortOut(rows: readonly CsvRow[]): { good: FileRow[]; failures: RowFailure[] } {
  const good: FileRow[] = []
  const failures: RowFailure[] = []
  for (const row of rows) {
    if ('fault' in row) failures.push({ line: row.line, message: row.fault })
    else if (row.cells.some((cell) => cell !== '')) good.push(row)
  }
  return { good, failures }
}
