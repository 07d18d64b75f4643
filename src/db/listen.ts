import type { Log } from '../lib/log.ts'
import type { Db, Queryable } from './db-types.ts'

const AGAIN_MS = 1_000

export interface Listener {
  start(): void
  stop(): Promise<void>
}

/**
 * `sendwright_access`: keys, teams or domains changed. `sendwright_due`: deliveries are ready to be claimed.
 * `sendwright_events`: events were recorded.
 */
export type Channel = 'sendwright_access' | 'sendwright_due' | 'sendwright_events'

/** Sends a hint to other processes; in a transaction, with its commit. */
export async function notify(db: Queryable, channel: Channel): Promise<void> {
  await db.query("select pg_notify($1, '')", [channel])
}

/**
 * Hears hints from other processes. Never more than hints: whatever is missed while the connection is away is made
 * good by a cache's end or a slow poll. A lost connection is made again every second; being back counts as a hint.
 *
 * States: idle -> connecting -> listening -> (connection lost) -> waiting -> connecting; stopped from any of them.
 */
export function listenOn(db: Db, log: Log, channel: Channel, onChange: () => void): Listener {
  let isStopped = false
  let timer: NodeJS.Timeout | null = null
  let client: Awaited<ReturnType<Db['connect']>> | null = null
  let connecting: Promise<void> = Promise.resolve()

  function again(): void {
    client = null
    if (!isStopped && timer === null) timer = setTimeout(begin, AGAIN_MS).unref()
  }

  function begin(): void {
    connecting = connect()
  }

  async function connect(): Promise<void> {
    timer = null
    try {
      const connection = await db.connect()
      connection.on('error', () => connection.end().catch(() => {}))
      connection.on('end', again)
      connection.on('notification', onChange)
      client = connection
      if (isStopped) return void (await connection.end())
      await connection.query(`listen ${channel}`)
      onChange()
    } catch (error) {
      log.debug({ err: error }, 'cannot listen for hints from other processes')
      if (client === null) again()
      else await client.end().catch(() => {})
    }
  }

  return {
    start() {
      begin()
    },
    async stop() {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}
