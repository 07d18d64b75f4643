import { hintAccessChanged } from '../access/access-changes-queries.ts'
import type { PlanName } from '../access/plans.ts'
import type { Transactions } from '../db/db-types.ts'
import { updateTeamSettings } from './operator-teams-queries.ts'

/**
 * Changes the given settings of a team, which every process applies within a second. Returns false when the team does
 * not exist.
 */
export async function changeTeamSettings(
  db: Transactions,
  teamId: string,
  changes: { name: string | null; plan: PlanName | null },
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isThere = await updateTeamSettings(tx, teamId, changes, now)
    if (isThere) await hintAccessChanged(tx)
    return isThere
  })
}
