import { createFairSemaphore } from '../lib/async/fair-semaphore.ts'
import type { Db } from './db-types.ts'

/** A pool as one team may use it. */
export type ShareDb = (teamId: string) => Db

/**
 * Shares the connections of a pool fairly among teams: slow statements of one leave places for the others, and wait here
 * and not for a connection, which would look as if the database were away. Throws OverloadedError after `waitMs`.
 */
export function createShareDb(db: Db, limits: { places: number; waitMs: number }): ShareDb {
  const gate = createFairSemaphore(limits)
  return (teamId) => ({
    ...db,
    query: (sql, values, options) => gate.run(teamId, () => db.query(sql, values, options)),
    transaction: (work) => gate.run(teamId, () => db.transaction(work)),
  })
}
