import pg from 'pg'
import type { DbOptions } from './db-types.ts'
import { TYPES } from './rows.ts'

const DEFAULT_SCHEMA = 'public'
const CONNECT_MORE_MS = 5_000
/** The server ends statements of lost clients after this time. */
const STATEMENT_TIMEOUT_MS = 60_000

/**
 * The server ends a wait for a lock before its caller times out, so that a lock held for long does not occupy
 * connections or make the database count as unavailable. In the API, this is later than PostgreSQL detects a deadlock
 * (deadlock_timeout, one second), whose transaction is retried.
 */
const LOCK_WAIT_SHARE = 5 / 6

/** PostgreSQL ends a statement within two seconds after its client has disconnected, instead of at its own timeout. */
const DETECT_DISCONNECTS = `set client_connection_check_interval = '2s'`

/**
 * Opens a pool of connections. One that breaks while idle is replaced on next use. The error listeners are needed
 * because an unhandled error, of an idle connection or between two statements of a transaction, would end the
 * process.
 */
export function openPool(
  settings: pg.ClientConfig,
  { connectionsMax, connectionsMin = 0, timeoutMs }: DbOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    min: connectionsMin,
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
    // Callers time out earlier (see `within`); this bounds a connection attempt that never completes.
    connectionTimeoutMillis: timeoutMs + CONNECT_MORE_MS,
    query_timeout: 0,
    lock_timeout: Math.round(timeoutMs * LOCK_WAIT_SHARE),
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Sent before the first statement. Servers on platforms without the setting reject it and keep the connection.
    client.query(DETECT_DISCONNECTS).catch(() => {})
  })
  return pool
}

/** Returns the settings of a connection, pooled or separate. */
export function settingsOf(
  address: string,
  { timeoutMs, statementTimeoutMs = STATEMENT_TIMEOUT_MS, isPlannedOnce = false, name }: DbOptions,
): pg.ClientConfig {
  const { url, options, schema } = splitUrl(address)
  return {
    connectionString: url,
    application_name: schema === null ? name : `${name} ${schema}`,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
    // A connection that only listens also detects a lost server within 20 s.
    keepAliveInitialDelayMillis: 10_000,
    types: TYPES,
    // Independent statements are sent together and take one round trip.
    pipeline: true,
    // Hot statements join a few keys to partitioned tables. Index nested loops are always right for them, while a
    // plan made for an empty table may hash a full one. JIT costs more than any statement here takes.
    // Options of the URL come last and win, including its search path, which may be that of `inSchema`. PostgreSQL's own
    // default would find the tables of another installation in a schema with the name of the role.
    options: `-c jit=off -c enable_hashjoin=off -c enable_mergejoin=off -c timezone=UTC -c search_path=${DEFAULT_SCHEMA}${
      isPlannedOnce ? ' -c plan_cache_mode=force_generic_plan' : ''
    } ${options}`,
  }
}

/** A connection URL without its options for the server. */
interface DatabaseUrl {
  url: string
  /** As in the environment variable PGOPTIONS. */
  options: string
  /** The schema of `inSchema`; null for the default. */
  schema: string | null
}

/**
 * Returns a URL whose connections use the tables of one schema (SENDWRIGHT_SCHEMA), and no others: a table of another
 * schema must not be found if this one lacks it.
 */
export function inSchema(url: string, schema: string): string {
  if (schema === DEFAULT_SCHEMA) return url
  const { url: rest, options } = splitUrl(url)
  const all = `${options} -c search_path=${schema}`.trim()
  return `${rest}${rest.includes('?') ? '&' : '?'}options=${encodeURIComponent(all)}`
}

/** Separates the options from a URL, because those in the URL would replace the options that a pool sets. */
export function splitUrl(address: string): DatabaseUrl {
  const [place = '', query] = address.split('?', 2)
  const parameters = new URLSearchParams(query)
  const options = parameters.get('options')
  if (options === null) return { url: address, options: '', schema: null }
  parameters.delete('options')
  const rest = parameters.size === 0 ? place : `${place}?${parameters}`
  const [, schema = null] = / ?-c search_path=([a-z0-9_]+)$/.exec(options) ?? []
  return { url: rest, options, schema }
}
