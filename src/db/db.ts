import pg from 'pg'
import type { Log } from '../lib/log.ts'
import { isLarge, sendLargeQuery } from './large-query.ts'
import { releaseWhenAnswered, within } from './release-client.ts'
import { isEndedByServer, isOutage, isOutageByText, SQLSTATE, sqlState } from './sqlstate.ts'
import { rowsOf, type Statement, statementOf } from './statements.ts'

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

const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(pg.types.builtins.INT8, Number)
TYPES.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

const AWAY_MEMORY_MS = 250
/** Longer than any probe, because each has a shorter timeout. */
const PROBE_MS = 15_000
const CONNECT_MORE_MS = 5_000
/** The server's own net under statements whose client has gone. */
const STATEMENT_TIMEOUT_MS = 60_000

/**
 * The server ends a wait for a lock before its caller gives up, so that a lock which is held for long keeps no
 * connections and does not count as a database that is away. In the API this is later than PostgreSQL finds a deadlock
 * (deadlock_timeout, one second), whose transaction is done again.
 */
const LOCK_WAIT_SHARE = 5 / 6

/** PostgreSQL ends a statement within two seconds after its client has disconnected, instead of at its own timeout. */
const DETECT_DISCONNECTS = `set client_connection_check_interval = '2s'`

const FAILED_BEFORE = 'A statement failed, and the work went on all the same.'

/**
 * A pool of connections. One that breaks while it is idle is replaced on next use; without a listener it would end the
 * process. So would one that breaks inside a transaction but between two statements, when nobody listens to it.
 */
function openPool(settings: pg.ClientConfig, { connectionsMax, timeoutMs }: DbOptions): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
    // Who waits has given up before (`within`); this ends an attempt to connect that nothing answers.
    connectionTimeoutMillis: timeoutMs + CONNECT_MORE_MS,
    query_timeout: 0,
    lock_timeout: Math.round(timeoutMs * LOCK_WAIT_SHARE),
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Sent ahead of the first statement. Servers on platforms without it refuse the setting, and keep their connection.
    client.query(DETECT_DISCONNECTS).catch(() => {})
  })
  return pool
}

/** How a connection is made, whoever holds it. */
export function settingsOf(
  url: string,
  { timeoutMs, statementTimeoutMs = STATEMENT_TIMEOUT_MS, isPlannedOnce = false, name }: DbOptions,
): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
    // A server that vanished is noticed within 20 s also by the connection that only listens.
    keepAliveInitialDelayMillis: 10_000,
    types: TYPES,
    // Statements that do not need each other's answers are sent together and answered in one round trip.
    pipeline: true,
    // Hot statements join a handful of keys to partitioned tables: index nested loops are always right there, while
    // a plan made for an empty table may hash a full one. JIT costs more than any statement of ours takes.
    options: `-c jit=off -c enable_hashjoin=off -c enable_mergejoin=off -c timezone=UTC${
      isPlannedOnce ? ' -c plan_cache_mode=force_generic_plan' : ''
    }`,
  }
}

/**
 * Remembers that the database did not respond, so that other callers fail at once instead of timing out one by one.
 *
 * States: answering -> (no answer) -> away -> (AWAY_MEMORY_MS later) -> probing -> answering or away. While it is away
 * every caller is refused; while it is probing, every caller but one. Any answer ends both at once: one slow statement
 * among others that succeed refuses nobody.
 */
class AwayMemory {
  #untilMs: number | null = null
  readonly #options: DbOptions
  /** The texts that were logged: each is logged once. */
  readonly #textsLogged = new Set<string>()

  constructor(options: DbOptions) {
    this.#options = options
  }

  /** Throws DatabaseUnavailable unless the caller may ask. */
  refuse(): void {
    if (this.#untilMs === null) return
    const nowMs = performance.now()
    if (nowMs < this.#untilMs) throw new DatabaseUnavailable(new Error('It did not answer a moment ago.'))
    // This caller probes. Its answer or its timeout sets the state; the new limit is for a caller that never asks.
    this.#untilMs = nowMs + PROBE_MS
  }

  /** Any reply of the server, an error included. */
  answered(): void {
    this.#untilMs = null
  }

  /** Returns the error to throw in place of one that pg threw. */
  judge(error: unknown): unknown {
    if (isOutage(error) || this.#isOutageByText(error)) {
      this.#untilMs = performance.now() + AWAY_MEMORY_MS
      return new DatabaseUnavailable(error)
    }
    this.answered()
    // A server that ends a slow statement is there: no other caller is refused because of it.
    return isEndedByServer(error) ? new DatabaseUnavailable(error) : error
  }

  #isOutageByText(error: unknown): boolean {
    if (!isOutageByText(error)) return false
    const { message: reason } = error as Error
    if (!this.#textsLogged.has(reason)) {
      this.#textsLogged.add(reason)
      this.#options.log?.warn(
        { pool: this.#options.name, reason },
        'a database error without a code counts as an outage',
      )
    }
    return true
  }
}

/** Opens a pool over `url` (postgres://... or a socket directory as `?host=`). Connects on first use. */
export function openDb(url: string, options: DbOptions): Db {
  const settings = settingsOf(url, options)
  const pool = openPool(settings, options)
  const away = new AwayMemory(options)

  async function acquire(): Promise<pg.PoolClient> {
    const connecting = pool.connect()
    try {
      return await within(connecting, options.timeoutMs)
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      )
      throw away.judge(error)
    }
  }

  async function run<Row>(
    client: pg.PoolClient,
    sql: string,
    values?: readonly unknown[],
    { timeoutMs = options.timeoutMs, isOneOff = false }: QueryOptions = {},
  ): Promise<Row[]> {
    try {
      const statement: Statement = isOneOff ? { keys: null } : statementOf(sql)
      const { name } = statement
      const asked = {
        ...(name && { name }),
        text: sql,
        values: values as unknown[],
        rowMode: 'array' as const,
      }
      const sent = values?.some(isLarge) ? sendLargeQuery(client, asked) : client.query(asked)
      const result = await within(sent, timeoutMs)
      // PostgreSQL takes back a transaction of which a statement failed, and reports no error of its own for that.
      if (sql === 'commit' && result.command !== 'COMMIT') throw new Error(FAILED_BEFORE)
      away.answered()
      return rowsOf(result, statement) as Row[]
    } catch (error) {
      throw away.judge(error)
    }
  }

  async function ask<Row>(sql: string, values?: readonly unknown[], given?: QueryOptions): Promise<Row[]> {
    away.refuse()
    const client = await acquire()
    try {
      const rows = await run<Row>(client, sql, values, given)
      client.release()
      return rows
    } catch (error) {
      if (error instanceof DatabaseUnavailable) void releaseWhenAnswered(client)
      else client.release()
      throw error
    }
  }

  return {
    query: ask,
    async transaction(work) {
      away.refuse()
      const client = await acquire()
      const query: Queryable['query'] = (sql, values, given) => run(client, sql, values, given)
      const last = new LastWrites()
      const tx: Tx = {
        inTransaction: true,
        query,
        writeLast: (topic, items, write) => last.add(topic, items, write),
      }
      const result = await runTransaction(client, tx, last, work, options.onCommit)
      if (last.topics.length > 0) options.onCommitted?.(last.topics)
      return result
    },
    async connect() {
      const client = new pg.Client(settings)
      // A connection that breaks between two queries is found out by the next one, or by the caller's own listener.
      client.on('error', () => {})
      await client.connect()
      return client
    },
    use() {
      const { totalCount, idleCount, waitingCount } = pool
      return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    },
    close: () => pool.end(),
  }
}

const ATTEMPTS_MAX = 5

/**
 * A transaction whose locks have no one order, so that it may wait for another in a circle: PostgreSQL ends one of the two
 * (SQLSTATE 40P01, nothing of it was written), which is done again.
 */
export async function runAgainOnDeadlock<T>(db: Transactions, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || sqlState(error) !== SQLSTATE.deadlockDetected) throw error
    }
  }
}

/**
 * Waits for statements that were sent together. Like Promise.all, but a failure is thrown only when all have ended:
 * the rollback that follows must not overtake what the others still send.
 */
export async function together<T extends readonly unknown[]>(
  statements: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled(statements)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T
}

type WriteLast<T> = (tx: Queryable, items: readonly T[]) => Promise<void>

/** What one transaction left to its end, by topic. */
class LastWrites {
  readonly #topics = new Map<string, { items: unknown[]; write: WriteLast<unknown> }>()

  add<T>(topic: string, items: readonly T[], write: WriteLast<T>): void {
    if (items.length === 0) return
    const known = this.#topics.get(topic)
    if (known !== undefined) known.items.push(...items)
    else this.#topics.set(topic, { items: [...items], write: write as WriteLast<unknown> })
  }

  get topics(): readonly string[] {
    return [...this.#topics.keys()]
  }

  /** Sends all of it. In the order of the topics' names: two transactions take their locks in the same order. */
  send(tx: Queryable): Promise<void>[] {
    const sorted = [...this.#topics].sort(([a], [b]) => (a < b ? -1 : 1))
    return sorted.map(([, { items, write }]) => write(tx, items))
  }
}

/** `begin`, the work, `commit`; then the client goes back to its pool, or is thrown away when it may be broken. */
async function runTransaction<T>(
  client: pg.PoolClient,
  tx: Tx,
  last: LastWrites,
  work: (tx: Tx) => Promise<T>,
  onCommit: DbOptions['onCommit'],
): Promise<T> {
  let isCommitting = false
  // Not awaited: it travels with the work's first statement, which fails when this does.
  const begun = tx.query('begin')
  begun.catch(() => {})
  try {
    const result = await work(tx)
    await begun
    isCommitting = true
    // Sent together: what is locked last stays locked for no round trip of ours. Where a write fails, the commit that
    // follows it takes everything back by itself.
    const sinceMs = performance.now()
    await together([...last.send(tx), tx.query('commit')])
    onCommit?.((performance.now() - sinceMs) / 1000)
    client.release()
    return result
  } catch (error) {
    if (error instanceof DatabaseUnavailable) {
      void releaseWhenAnswered(client)
      throw isCommitting ? new DatabaseUnavailable(error.cause, true) : error
    }
    await releaseWhenAnswered(client)
    throw error
  }
}
