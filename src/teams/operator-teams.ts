import type { PlanName } from '../access/plans.ts'
import type { Transactions } from '../db/db-types.ts'
import { hintAccessChanged } from '../domains/domains-queries.ts'
import { updateTeamSettings } from './operator-teams-queries.ts'

/** Changes what is given of a team; every process knows within a second. False: no such team. */
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
