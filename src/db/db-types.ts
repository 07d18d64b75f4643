import type pg from 'pg'
import type { Log } from '../lib/log.ts'

/** Runs one statement; the keys of its rows are its columns in camelCase. Values: `$1` ...; a Buffer or Pieces are binary. */
export interface Queryable {
  query<Row = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>
}

export interface QueryOptions {
  timeoutMs?: number
  /**
   * The text is one of very many, built from what a caller asked for: it is planned each time for the values it comes
   * with, and kept prepared nowhere.
   */
  isOneOff?: boolean
}

/** A transaction under way. Only ever used inside `Db.transaction`. */
export interface Tx extends Queryable {
  readonly inTransaction: true
  /**
   * Leaves `items` to be written by the transaction's last statement: `write` gets all of one topic together, just
   * before the commit. For rows that everybody of a team waits for: locked so late, they are locked for a moment only,
   * and whatever else a transaction does, it never waits for anything while it holds them.
   */
  writeLast<T>(
    topic: string,
    items: readonly T[],
    write: (tx: Queryable, items: readonly T[]) => Promise<void>,
  ): void
}

export interface Transactions {
  /** Commits when `work` resolves, rolls back when it throws. `work` must not wait for anything but this database. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export interface Db extends Queryable, Transactions {
  /** A connection of its own for LISTEN; the caller ends it. */
  connect(): Promise<pg.Client>
  /** Connections now. */
  use(): PoolUse
  close(): Promise<void>
}

/** How many connections of a pool are in use and idle, and how many callers wait for one. */
export interface PoolUse {
  busy: number
  idle: number
  waiting: number
}

/** The database cannot be reached, or did not answer in time. Becomes 503; deliveries simply wait. */
export class DatabaseUnavailable extends Error {
  /** True when a COMMIT was on its way: it may have taken effect. */
  readonly commitUnknown: boolean
  constructor(cause: unknown, commitUnknown = false) {
    super('The database is not available.', { cause })
    this.name = 'DatabaseUnavailable'
    this.commitUnknown = commitUnknown
  }
}

export interface DbOptions {
  /** Most connections of this pool. */
  connectionsMax: number
  /** How long a statement, or the wait for a connection, may take before the database counts as away. */
  timeoutMs: number
  /** After this the server itself ends a statement, whoever may still wait for it; a minute when it is not given. */
  statementTimeoutMs?: number
  /** Each statement is planned once a connection, and not for its first values five times over before that. */
  isPlannedOnce?: boolean
  /** Shown in pg_stat_activity. */
  name: string
  /** Gets a warning when an outage was recognised by the text of an error alone. */
  log?: Pick<Log, 'warn'>
  /** Told after each commit that left something to its end, by topic. Must not throw. */
  onCommitted?: (topics: readonly string[]) => void
  /** Told how long each commit took, seconds. Must not throw. */
  onCommit?: (seconds: number) => void
}
