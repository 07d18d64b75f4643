import pg from 'pg'
import type { DbOptions } from './db-types.ts'

const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(pg.types.builtins.INT8, Number)
TYPES.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

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

/**
 * A pool of connections. One that breaks while it is idle is replaced on next use; without a listener it would end the
 * process. So would one that breaks inside a transaction but between two statements, when nobody listens to it.
 */
export function openPool(settings: pg.ClientConfig, { connectionsMax, timeoutMs }: DbOptions): pg.Pool {
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
