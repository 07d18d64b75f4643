import type { Log } from '../lib/log.ts'
import type { Db, Queryable } from './db-types.ts'

const RETRY_MS = 1_000

/** SQL of the name of this schema's channel `$1`. */
const OWN_CHANNEL = `$1::text || '.' || current_schema()`

export interface Listener {
  start(): void
  stop(): Promise<void>
}

/**
 * Each schema has its own channels, because it may have another installation. `sendwright_access`: keys, teams or domains changed. `sendwright_due`: deliveries are ready to be claimed.
 * `sendwright_events`: events were recorded.
 */
export type Channel = 'sendwright_access' | 'sendwright_due' | 'sendwright_events'

/** Notifies other processes; in a transaction, at its commit. */
export async function notify(db: Queryable, channel: Channel): Promise<void> {
  await db.query(`select pg_notify(${OWN_CHANNEL}, '')`, [channel])
}

/**
 * Listens for notifications from other processes. They are only hints: a cache's expiry or a slow poll makes up for
 * those missed while the connection is lost. A lost connection is retried every second, and a new one counts as a
 * notification.
 *
 * States: idle -> connecting -> listening -> (connection lost) -> waiting -> connecting; stopped from any of them.
 */
export function listenOn(db: Db, log: Log, channel: Channel, onChange: () => void): Listener {
  let isStopped = false
  let timer: NodeJS.Timeout | null = null
  let client: Awaited<ReturnType<Db['connect']>> | null = null
  let connecting: Promise<void> = Promise.resolve()

  function retry(): void {
    client = null
    if (!isStopped && timer === null) timer = setTimeout(startConnecting, RETRY_MS).unref()
  }

  function startConnecting(): void {
    connecting = connect()
  }

  async function connect(): Promise<void> {
    timer = null
    try {
      const connection = await db.connect()
      connection.on('error', () => connection.end().catch(() => {}))
      connection.on('end', retry)
      connection.on('notification', onChange)
      client = connection
      if (isStopped) return void (await connection.end())
      const { rows } = await connection.query<{ name: string }>(
        `select quote_ident(${OWN_CHANNEL}) as name`,
        [channel],
      )
      for (const { name } of rows) await connection.query(`listen ${name}`)
      onChange()
    } catch (error) {
      log.debug({ err: error }, 'cannot listen for notifications from other processes')
      if (client === null) retry()
      else await client.end().catch(() => {})
    }
  }

  return {
    start() {
      startConnecting()
    },
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}
