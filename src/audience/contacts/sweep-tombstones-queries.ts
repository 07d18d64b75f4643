import { deleteCounter } from '../../db/counters.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import { listContactCounter, sweepListMembers } from '../lists/list-members-queries.ts'
import type { TombstoneKind } from '../tombstones/tombstones-queries.ts'
import { sweepPropertyValues } from './contact-values-queries.ts'

/**
 * Deletes up to `countMax` rows of the oldest tombstone. Several processes take different tombstones. Returns true if
 * there may be more.
 */
export async function sweepTombstones(db: Db, countMax: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ teamId: string; kind: TombstoneKind; id: string }>(
      `select team_id, kind, id
       from leftover
       order by created_at
       limit 1
       for update skip locked`,
    )
    const tombstone = rows[0]
    if (tombstone === undefined) return false
    const { teamId, kind, id } = tombstone
    const sweep = kind === 'list' ? sweepListMembers : sweepPropertyValues
    if ((await sweep(tx, teamId, id, countMax)) === 0) await forgetTombstone(tx, teamId, kind, id)
    return true
  })
}

async function forgetTombstone(tx: Tx, teamId: string, kind: TombstoneKind, id: string): Promise<void> {
  // A contact that left the list during its deletion may have changed the counter once more.
  if (kind === 'list') await deleteCounter(tx, teamId, listContactCounter(id))
  await tx.query('delete from leftover where team_id = $1 and kind = $2 and id = $3', [teamId, kind, id])
}
