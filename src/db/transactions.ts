import type pg from 'pg'
import {
  DatabaseUnavailable,
  type DbOptions,
  type Queryable,
  type Transactions,
  type Tx,
} from './db-types.ts'
import { releaseWhenAnswered } from './release-client.ts'
import { isEndedByServer, SQLSTATE, sqlState } from './sqlstate.ts'

const ATTEMPTS_MAX = 5

/**
 * Runs a transaction whose locks have no fixed order, and retries it after a deadlock: PostgreSQL rolls back one of
 * the transactions involved (SQLSTATE 40P01).
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
 * Waits for statements that were sent together. Like Promise.all, but a failure is thrown only when all have settled,
 * because the rollback that follows must not overtake statements still being sent.
 */
export async function together<T extends readonly unknown[]>(
  statements: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled(statements)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T
}

type WriteLast<T> = (tx: Queryable, items: readonly T[]) => Promise<void>

const BRIEF_LOCK_WAIT_MS = 200

/** Ends each wait for a lock in this transaction after 200 ms. */
export async function limitLockWaits(tx: Tx): Promise<void> {
  await tx.query(`set local lock_timeout = ${BRIEF_LOCK_WAIT_MS}`)
}

/** The deferred writes of a transaction, by topic. */
export class LastWrites {
  readonly #topics = new Map<string, { items: unknown[]; write: WriteLast<unknown> }>()

  add<T>(topic: string, items: readonly T[], write: WriteLast<T>): void {
    if (items.length === 0) return
    const queue = this.#topics.get(topic)
    if (queue !== undefined) queue.items.push(...items)
    else this.#topics.set(topic, { items: [...items], write: write as WriteLast<unknown> })
  }

  get topics(): readonly string[] {
    return [...this.#topics.keys()]
  }

  /** Sends all writes in the order of their topics, so that all transactions take their locks in the same order. */
  send(tx: Queryable): Promise<void>[] {
    const sorted = [...this.#topics].sort(([a], [b]) => (a < b ? -1 : 1))
    return sorted.map(([, { items, write }]) => write(tx, items))
  }
}

/** Runs `begin`, the work and `commit`. Then returns the client to its pool, or closes it when it may be broken. */
export async function runTransaction<T>(
  client: pg.PoolClient,
  tx: Tx,
  last: LastWrites,
  work: (tx: Tx) => Promise<T>,
  onCommit: DbOptions['onCommit'],
): Promise<T> {
  let commit: Promise<unknown> | null = null
  // Not awaited: it is sent together with the first statement of the work, which fails when this does.
  const begin = tx.query('begin')
  begin.catch(() => {})
  try {
    const result = await work(tx)
    await begin
    // Sent together, so that the last locks are not held for a round trip. When a write fails, the commit after it
    // rolls everything back.
    const sinceMs = performance.now()
    const writes = last.send(tx)
    commit = tx.query('commit')
    await together([...writes, commit])
    onCommit?.((performance.now() - sinceMs) / 1000)
    client.release()
    return result
  } catch (error) {
    if (error instanceof DatabaseUnavailable) {
      void releaseWhenAnswered(client)
      const isUnknown = commit !== null && !(await isRolledBack(commit))
      throw isUnknown ? new DatabaseUnavailable(error.cause, true) : error
    }
    await releaseWhenAnswered(client)
    throw error
  }
}

/** Returns whether the server has said that a COMMIT, which has settled, took no effect. */
function isRolledBack(commit: Promise<unknown>): Promise<boolean> {
  return commit.then(
    () => false,
    (error: unknown) => !(error instanceof DatabaseUnavailable) || isEndedByServer(error.cause),
  )
}
