import { DatabaseUnavailable, type Db, type Tx } from '../../db/db-types.ts'
import { SQLSTATE, sqlState } from '../../db/sqlstate.ts'
import { ApiError } from '../../lib/api-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import {
  type FileRow,
  ImportFailure,
  problemOf,
  type ReadRows,
  type RowFailure,
  type WrittenRows,
} from './import-kind.ts'
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

/**
 * The limits on the rows of one transaction: their number, and their bytes for large rows. Each list that contacts are added to
 * means an event for each row, so rows are fewer then.
 */
const BATCH_ROWS = 1_000
const BATCH_BYTES = 1024 * 1024
/** The bytes that are parsed at once, which takes about a millisecond, and the fewest for many lists. */
const CHUNK_BYTES = 32 * 1024
const CHUNK_BYTES_MIN = 512
const LEASE_MS = 30_000
/** The time after which an import lets other teams run theirs. */
const SLICE_MS = 10_000
/** The limit on stored errors of one import. */
export const ERRORS_MAX = 1_000
const ATTEMPTS_MAX = 5
/** The number of new rows from which on the tables are analyzed, each time it has doubled. */
const GROWN_ROWS = 4_000

/** Thrown if another process has claimed the import, or the import has ended. */
class LeaseLost extends Error {}

/**
 * Runs an import that is queued or that another process abandoned: to its end, until its time slice ends, or until
 * `stop`. Rows and progress are committed together, so that no row is imported twice or lost if the process dies.
 * Returns false if there was no import to run.
 */
export async function runNextImport(deps: ImportDeps, stop: AbortSignal): Promise<boolean> {
  const leasedBy = newId()
  const now = deps.clock.now()
  const csvImport = await claimImport(deps.db, { by: leasedBy, until: leaseFrom(now) }, now)
  if (csvImport === null) return false
  const run = new ImportRun(deps, csvImport, leasedBy)
  try {
    if (await run.go(stop)) await run.finish(null)
    else await run.release()
  } catch (error) {
    await endAfter(error, run, deps, csvImport)
  }
  return true
}

async function endAfter(error: unknown, run: ImportRun, { log }: ImportDeps, csvImport: CsvImport) {
  if (error instanceof LeaseLost) return
  if (error instanceof ImportFailure || error instanceof UnreadableFile) {
    await run.finish(error.message)
    return
  }
  if (error instanceof DatabaseUnavailable) {
    // The import continues when the database is back, or when its lease expires if the release fails.
    await run.release().catch(() => {})
    throw error
  }
  log.error({ err: error, import: csvImport.id, line: run.line }, 'an import failed')
  await run.finish(`Something went wrong on our side after line ${run.line}.`)
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}

class ImportRun {
  readonly #deps: ImportDeps
  readonly #leasedBy: string
  #state: CsvImport
  #analyzeAtRows = GROWN_ROWS
  #analyzing: Promise<void> = Promise.resolve()

  constructor(deps: ImportDeps, csvImport: CsvImport, leasedBy: string) {
    this.#deps = deps
    this.#leasedBy = leasedBy
    this.#state = csvImport
    while (this.#analyzeAtRows <= csvImport.rowsCreated) this.#analyzeAtRows *= 2
  }

  get line(): number {
    return this.#state.line
  }

  /**
   * Returns true at the end of the file, false if the import must be continued later. While the rows of one batch are
   * written, the next rows are parsed.
   */
  async go(stop: AbortSignal): Promise<boolean> {
    const { position, line, options, kind } = this.#state
    const open = (tx: Tx) => IMPORT_KINDS[kind].openRows(tx, this.#state)
    const readBatch = await this.#deps.db.transaction(open)
    const until = this.#deps.clock.now().getTime() + SLICE_MS
    const share = Math.max(1, options.listIds.length)
    const chunkBytes = Math.max(CHUNK_BYTES_MIN, Math.floor(CHUNK_BYTES / share))
    let rows: CsvRow[] = []
    let begin = position
    let batch: RowBatch | null = null
    let writing: Promise<void> = Promise.resolve()
    const commit = async () => {
      if (batch === null) return
      const { good, failures } = separateFaults(rows)
      const read = readBatch(good)
      const place = batch
      rows = []
      begin = place.position
      await writing
      writing = this.#commit({ count: good.length, faults: failures, read }, place)
      // The next batch or the end awaits this write.
      writing.catch(() => {})
    }
    try {
      for await (batch of readRows(this.#chunks(chunkBytes), { position, line }, options.delimiter)) {
        for (const row of batch.rows) rows.push(row)
        if (rows.length < BATCH_ROWS / share && batch.position - begin < BATCH_BYTES) continue
        await commit()
        if (stop.aborted || this.#deps.clock.now().getTime() > until) return false
      }
      await commit()
      return true
    } catch (error) {
      // Import the rows before the unreadable part.
      if (error instanceof UnreadableFile) await commit()
      throw error
    } finally {
      await writing.finally(() => this.#analyzing)
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

  /** Yields the bytes of the file from the import's position on. */
  async *#chunks(chunkBytes: number): AsyncGenerator<Buffer> {
    const { db } = this.#deps
    const { position, bytes } = this.#state
    const first = position < bytes ? await findPiece(db, this.#state, position) : null
    if (first === null) return
    let from = position - first.position
    for (let no = first.no; ; no++) {
      const piece = await readPiece(db, this.#state, no)
      if (piece === null) return
      for (let at = from; at < piece.length; at += chunkBytes) yield piece.subarray(at, at + chunkBytes)
      from = 0
    }
  }

  /** Commits rows and progress in one transaction. Runs it again after a deadlock or a conflicting change. */
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
    // Beside the next batches, which are planned for what was there before.
    this.#analyzing = this.#analyze()
  }

  async #analyze(): Promise<void> {
    await this.#analyzing
    await analyzeGrown(this.#deps.db, this.#state.kind).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'the tables of an import could not be analyzed')
    })
  }

  async #write(tx: Tx, { count, faults, read }: Batch, { position, line }: ImportPlace): Promise<CsvImport> {
    const now = this.#deps.clock.now()
    if (!(await holdImport(tx, this.#state, this.#leasedBy))) throw new LeaseLost()
    const isDryRun = this.#state.options.isDryRun === true
    const written = isDryRun ? NOTHING_WRITTEN : await read.write(tx, now)
    const failures = [...faults, ...read.failures, ...written.failures].sort((a, b) => a.line - b.line)
    const counts = {
      rowsRead: this.#state.rowsRead + count + faults.length,
      rowsCreated: this.#state.rowsCreated + written.rowsCreated,
      rowsUpdated: this.#state.rowsUpdated + written.rowsUpdated,
      rowsFailed: this.#state.rowsFailed + failures.length,
    }
    const room = Math.max(0, ERRORS_MAX - this.#state.rowsFailed)
    const errors = failures.slice(0, room).map((error) => ({ ...error, id: newId(now.getTime()) }))
    await insertImportErrors(tx, this.#state, errors)
    const state = { ...this.#state, position, line, ...counts }
    saveProgress(tx, state, leaseFrom(now), now)
    return state
  }
}

const NOTHING_WRITTEN: WrittenRows = { rowsCreated: 0, rowsUpdated: 0, failures: [] }

/** The rows of one transaction. */
interface Batch {
  count: number
  /** Lines that could not be parsed. */
  faults: RowFailure[]
  read: ReadRows
}

/** Separates parsed rows from faults. Drops rows whose cells are all empty, which spreadsheets leave behind. */
function separateFaults(rows: readonly CsvRow[]): { good: FileRow[]; failures: RowFailure[] } {
  const good: FileRow[] = []
  const failures: RowFailure[] = []
  for (const row of rows) {
    if ('fault' in row) failures.push({ line: row.line, ...problemOf(row.fault) })
    else if (row.cells.some((cell) => cell !== '')) good.push(row)
  }
  return { good, failures }
}
