import pg from 'pg'
import type { Db, Queryable, QueryOptions } from './db-types.ts'
import { LOCK_KEY, LOCKS, type LockName } from './locks.ts'
import { settingsOf } from './pool.ts'
import { RowKeys } from './rows.ts'

const CONNECT_MS = 5_000
/** Leaves values as text, which RowKeys parses. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }

/** Opens one connection without timeouts, for a backup or a restore. The caller closes it. */
export async function connectForLong(url: string, name: string): Promise<pg.Client> {
  const settings = settingsOf(url, {
    connectionsMax: 1,
    timeoutMs: CONNECT_MS,
    statementTimeoutMs: 0,
    name,
  })
  // COPY data is sent between a statement and its response, so no statement may be sent ahead.
  const client = new pg.Client({ ...settings, query_timeout: 0, pipeline: false })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Runs statements on the given connection one after another, with a timeout each. Errors are thrown unchanged. */
export function queryOn(client: pg.Client, timeoutMs: number): Queryable {
  return {
    async query<Row>(text: string, values?: readonly unknown[], options: QueryOptions = {}) {
      const config = {
        text,
        values,
        rowMode: 'array',
        types: AS_TEXT,
        query_timeout: options.timeoutMs ?? timeoutMs,
      }
      const { rows, fields } = await client.query<(string | null)[]>(config as unknown as pg.QueryArrayConfig)
      const keys = new RowKeys(fields)
      return rows.map((texts) => keys.read(texts)) as Row[]
    },
  }
}

/** A connection with the lock of `runAlone`. */
export interface OwnConnection {
  connection: pg.Client
  client: Queryable
  /** Its process, for pg_cancel_backend. */
  pid: number
}

/**
 * Runs `work` on a connection of its own, unless a process of this installation already does under the same lock. The lock
 * goes with the connection, so it only keeps two processes from doing the same work, and must not be needed for
 * correctness.
 * @param timeoutMs of each statement
 */
export async function runAlone(
  db: Pick<Db, 'connect'>,
  lock: LockName,
  timeoutMs: number,
  work: (own: OwnConnection) => Promise<void>,
): Promise<void> {
  const connection = await db.connect()
  const client = queryOn(connection, timeoutMs)
  try {
    await client.query(`set statement_timeout = ${timeoutMs}`)
    const pid = await tryLock(client, lock)
    if (pid !== null) await work({ connection, client, pid })
  } finally {
    await connection.end()
  }
}

/**
 * Takes an exclusive advisory lock until the connection ends. Returns the process of the connection, or null if another
 * connection has the lock.
 */
export async function tryLock(client: Queryable, lock: LockName): Promise<number | null> {
  const rows = await client.query<{ isOurs: boolean; pid: number }>(
    `select pg_try_advisory_lock(${LOCK_KEY}) as is_ours, pg_backend_pid() as pid`,
    [LOCKS[lock]],
  )
  return rows[0]?.isOurs === true ? rows[0].pid : null
}

/** Cancels the current statement of another connection. */
export async function cancelStatement(db: Queryable, pid: number): Promise<void> {
  await db.query('select pg_cancel_backend($1)', [pid])
}
