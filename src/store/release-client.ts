import type { Duplex } from 'node:stream'
import type pg from 'pg'

/**
 * Rejects unless `work` has ended within `timeoutMs`. Timers run before sockets are read: after a stall of this process
 * the answers that came meanwhile are looked at first, or a busy process would take the database to be away.
 */
export function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('timeout: no answer from the database'))
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A connection that does not answer within this time is closed. */
const ROLLBACK_MS = 5_000

/**
 * Rolls back whatever the connection was doing, and returns it to its pool once the server has answered. Until then it
 * keeps its place: a statement that timed out here still runs there, and a new connection in its place would have the
 * server run both. A slow server would soon have no connections left for anybody, and stay away after it has recovered.
 */
export function releaseWhenAnswered(client: pg.PoolClient): Promise<void> {
  return within(client.query('rollback'), ROLLBACK_MS).then(
    () => client.release(),
    () => discard(client),
  )
}

/** Closes a connection at once. The pool alone would wait for replies that are still owed, for ever where none come. */
function discard(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: Duplex } }
  connection.stream.destroy()
  client.release(true)
}
