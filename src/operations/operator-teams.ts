import type { Db } from '../store/db.ts'
import { hintAccessChanged } from '../store/domains.ts'
import { updateTeamSettings } from '../store/operator-teams.ts'
import type { PlanName } from './plans.ts'

/** Changes what is given of a team; every process knows within a second. False: no such team. */
export async function changeTeamSettings(
  db: Db,
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
