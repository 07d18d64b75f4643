import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** The database did not answer in time. Has the code of a connection that timed out. */
class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * Rejects unless `work` has ended within `timeoutMs`. Timers run before sockets are read: after a stall of this process
 * the answers that came meanwhile are looked at first, or a busy process would take the database to be away.
 */
export function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new NoAnswer('timeout: no answer from the database'))
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A connection that does not answer within this time is closed. */
const ROLLBACK_MS = 5_000

/**
 * Rolls back the connection's work, and returns the connection to its pool once the server has responded. Until then it
 * keeps its place: after a timeout here the statement still runs on the server, and a replacement connection would add to
 * it. A slow server would soon run out of connections, and stay unavailable after it has recovered.
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
