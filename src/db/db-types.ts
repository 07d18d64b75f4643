import type pg from 'pg'
import type { Log } from '../lib/log.ts'
import { isEndedByServer } from './sqlstate.ts'

/**
 * Runs one statement. The keys of its rows are the column names in camelCase. Values are `$1` ...; a Buffer or Pieces
 * is sent as binary.
 */
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
   * The text is one of many, built for one caller: it is planned for the given values each time, and not prepared.
   */
  isOneOff?: boolean
}

/** An open transaction. Use it only inside `Db.transaction`. */
export interface Tx extends Queryable {
  readonly inTransaction: true
  /**
   * Defers `items` to the last statement of the transaction: `write` gets all items of a topic together, just before
   * the commit. Use it for rows on which other transactions of the team wait: they are locked last and only briefly,
   * and the transaction waits for nothing else while it holds them.
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
  /** Opens a separate connection for LISTEN; the caller closes it. */
  connect(): Promise<pg.Client>
  /** Returns the current use of connections. */
  use(): PoolUse
  close(): Promise<void>
}

/** How many connections of a pool are in use and idle, and how many callers wait for one. */
export interface PoolUse {
  busy: number
  idle: number
  waiting: number
}

/** Adds a value to the parameters of a statement and returns its placeholder, `$n`. */
export type Place = (value: unknown) => string

/** The database cannot be reached, or did not respond in time. The API returns 503; deliveries wait. */
export class DatabaseUnavailable extends Error {
  /** True when a COMMIT was sent and its outcome is unknown: it may have taken effect. */
  readonly commitUnknown: boolean
  constructor(cause: unknown, commitUnknown = false) {
    super('The database is not available.', { cause })
    this.name = 'DatabaseUnavailable'
    this.commitUnknown = commitUnknown
  }
}

/**
 * Returns whether the database is away for everyone, not just busy with a statement that ran or waited for too long. Only
 * a batcher that retries each team separately (emails/accept) keeps its other items waiting. Elsewhere the next run would
 * meet the same lock.
 */
export function isAway(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && !isEndedByServer(error.cause)
}

export interface DbOptions {
  /** Maximum number of connections of this pool. */
  connectionsMax: number
  /**
   * The number of connections that stay open when they are idle; none by default. A new connection plans each statement
   * anew, which takes ten times as long as to run it.
   */
  connectionsMin?: number
  /** Time limit for a statement, or for the wait for a connection, after which the database counts as unavailable. */
  timeoutMs: number
  /** The server ends a statement after this time, even when a client still waits; a minute by default. */
  statementTimeoutMs?: number
  /** Plan each statement once per connection, instead of five times for its first values. */
  isPlannedOnce?: boolean
  /** Shown in pg_stat_activity. */
  name: string
  /** Gets a warning when an outage was recognised by the text of an error alone. */
  log?: Pick<Log, 'warn'>
  /** Called after each commit with deferred writes, with their topics. Must not throw. */
  onCommitted?: (topics: readonly string[]) => void
  /** Called with the duration of each commit, in seconds. Must not throw. */
  onCommit?: (seconds: number) => void
}
