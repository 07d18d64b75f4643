import { hintAccessChanged } from '../../access/access-changes-queries.ts'
import { deleteSession, deleteSessionsOf } from '../../access/sessions-queries.ts'
import type { Db } from '../../db/db-types.ts'

/** Ends one of a user's sessions, in every process within a second. Returns false if the user has no such session. */
export async function endSession(db: Db, userId: string, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isEnded = await deleteSession(tx, userId, id)
    if (isEnded) await hintAccessChanged(tx)
    return isEnded
  })
}

/** Ends all of a user's sessions except one. Returns the number of ended sessions. */
export async function endOtherSessions(db: Db, userId: string, keptId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const count = await deleteSessionsOf(tx, userId, keptId)
    if (count > 0) await hintAccessChanged(tx)
    return count
  })
}
