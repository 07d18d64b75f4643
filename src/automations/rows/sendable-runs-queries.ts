import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Tx } from '../../db/db-types.ts'
import type { AutomationRun } from './runs-queries.ts'

/** Locks automations against a pause and deletion. Returns those that are active. */
export async function lockActiveAutomations(
  tx: Tx,
  teamId: string,
  runs: readonly Pick<AutomationRun, 'automationId'>[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select id
     from automation
     where team_id = $1 and id = any ($2::uuid[]) and status = 'active'
     order by id
     for share`,
    [teamId, automationsOf(runs)],
  )
  return new Set(rows.map(({ id }) => id))
}

function automationsOf(runs: readonly Pick<AutomationRun, 'automationId'>[]) {
  return arrays.uuid([...new Set(runs.map(({ automationId }) => automationId))])
}

const PLACES = batchOf('id uuid, moves int4, version int4')

/**
 * Locks runs that are still where they were, in the order of their ids, and their automations against a pause. Returns those
 * whose automation is active and whose contact may get mail.
 */
export async function lockSendableRuns(
  tx: Tx,
  teamId: string,
  runs: readonly Pick<AutomationRun, 'id' | 'moves' | 'version' | 'automationId'>[],
): Promise<Set<string>> {
  const active = await lockActiveAutomations(tx, teamId, runs)
  const rows = await tx.query<{ id: string }>(
    `select r.id
     from unnest(${PLACES.arraysFrom(3)}) as k (${PLACES.names})
     join automation_run r on r.team_id = $1 and r.id = k.id and r.moves = k.moves
       and r.version = k.version
     join contact c on c.team_id = r.team_id and c.id = r.contact_id
     where r.state = 'active' and r.automation_id = any ($2::uuid[]) and c.deleted_at is null and not c.unsubscribed
     order by r.id
     for update of r`,
    [teamId, arrays.uuid([...active]), ...PLACES.values(runs)],
  )
  return new Set(rows.map(({ id }) => id))
}
