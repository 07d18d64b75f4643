import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** The database did not respond in time. Has the code of a connection that timed out. */
class ResponseTimeout extends Error {
  readonly code = 'ETIMEDOUT'
}

/** A time limit is counted in this many parts. */
const PARTS = 4

/**
 * Rejects unless `work` settles within `timeoutMs`. Otherwise a busy process would take the database for unavailable,
 * so a stall of this process counts as one part of the time at most: what was under way, such as a login of several
 * round trips, has the other parts to end. Timers run before sockets are read, so the responses that have arrived are
 * read before the last part ends.
 */
export function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeOut = () => reject(new ResponseTimeout('timeout: no response from the database'))
    let parts = 0
    let timer: NodeJS.Timeout
    const wait = () => {
      timer = setTimeout(() => {
        parts += 1
        if (parts < PARTS) wait()
        else setImmediate(() => setImmediate(timeOut))
      }, timeoutMs / PARTS)
    }
    wait()
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A connection that does not respond within this time is closed. */
const ROLLBACK_MS = 5_000

/**
 * Rolls back the connection's work, and returns the connection to its pool when the server has responded. Until then
 * it keeps its place in the pool: after a timeout, the statement still runs on the server, and a replacement
 * connection would add to the load. A slow server would soon run out of connections, and stay unavailable after it
 * has recovered.
 */
export function releaseWhenAnswered(client: pg.PoolClient): Promise<void> {
  return within(client.query('rollback'), ROLLBACK_MS).then(
    () => client.release(),
    () => discard(client),
  )
}

/** Closes a connection immediately. The pool alone would wait for outstanding responses, forever if none arrive. */
function discard(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: Duplex } }
  connection.stream.destroy()
  client.release(true)
}
