import type { Tx } from '../../db/db-types.ts'

/** A deleted list leaves members behind, a deleted property values; either may be a million rows. */
export type TombstoneKind = 'list' | 'property'

/** Leaves a tombstone in the transaction of a deletion. The remaining rows are hidden at once and swept up later. */
export async function insertTombstone(
  tx: Tx,
  teamId: string,
  kind: TombstoneKind,
  id: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into leftover (team_id, kind, id, created_at)
     values ($1, $2, $3, $4)`,
    [teamId, kind, id, now],
  )
}
