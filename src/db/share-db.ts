import { createFairSemaphore } from '../lib/async/fair-semaphore.ts'
import type { Db } from './db-types.ts'

/** Returns a team's view of a pool. */
export type ShareDb = (teamId: string) => Db

/**
 * Shares the connections of a pool fairly among teams. Slow statements of one team leave places for the others, and
 * wait here instead of for a connection, which would count as an unavailable database. Throws OverloadedError after
 * `waitMs`.
 */
export function createShareDb(db: Db, limits: { places: number; waitMs: number }): ShareDb {
  const gate = createFairSemaphore(limits)
  return (teamId) => ({
    ...db,
    query: (sql, values, options) => gate.run(teamId, () => db.query(sql, values, options)),
    transaction: (work) => gate.run(teamId, () => db.transaction(work)),
  })
}
