import type { Log } from '../base/log.ts'
import type { Db } from '../store/db.ts'

const AGAIN_MS = 1_000

export interface AccessListener {
  start(): void
  stop(): Promise<void>
}

/**
 * Hears on the channel `sendwright_access` that keys or teams changed. A hint and never more: whatever it misses while
 * it is away ends by itself when the cache does, within a second. A lost connection is made again every second.
 *
 * States: idle -> connecting -> listening -> (connection lost) -> waiting -> connecting; stopped from any of them.
 */
export function listenForAccess(db: Db, log: Log, onChange: () => void): AccessListener {
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
      await connection.query('listen sendwright_access')
      onChange()
    } catch (error) {
      log.debug({ err: error }, 'cannot listen for changed keys')
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
