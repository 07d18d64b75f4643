import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { AutomationRun } from './runs-queries.ts'
import { bumpFigures } from './steps-taken-queries.ts'

/**
 * Deletes what automations know of contacts: their runs with all steps, and that they were in automations. Runs under way count as
 * exited, because figures outlive them.
 */
export async function deleteRunsOfContacts(
  tx: Tx,
  teamId: string,
  contactIds: readonly string[],
): Promise<void> {
  if (contactIds.length === 0) return
  const values = [teamId, arrays.uuid(contactIds)]
  // Otherwise a step that one of them is taking would stay.
  await tx.query(
    'select 1 from automation_run where team_id = $1 and contact_id = any ($2) order by id for update',
    values,
  )
  await tx.query(
    `delete from automation_step_taken t
     using automation_run r
     where r.team_id = $1 and r.contact_id = any ($2) and t.team_id = r.team_id and t.run_id = r.id`,
    values,
  )
  const deleted = await tx.query<Pick<AutomationRun, 'automationId' | 'version' | 'step' | 'state'>>(
    `delete from automation_run
     where team_id = $1 and contact_id = any ($2)
     returning automation_id, version, step, state`,
    values,
  )
  const exited = deleted.filter(({ state }) => state !== 'ended')
  bumpFigures(
    tx,
    exited.map(({ automationId, version, step }) => ({
      teamId,
      automationId,
      version,
      step,
      figure: 'exited',
    })),
  )
  await tx.query('delete from automation_entry where team_id = $1 and contact_id = any ($2)', values)
  await tx.query('delete from automation_member where team_id = $1 and contact_id = any ($2)', values)
}

/** A run as its person may see it. */
export interface RunOfPerson {
  id: string
  automationName: string | null
  outcome: string | null
  reason: string | null
  payload: Record<string, unknown>
  /** What a digest has collected so far. */
  collected: AutomationRun['collected']
  startedAt: Date
  endedAt: Date | null
}

/** Returns the runs of a contact, the oldest first, behind an id. */
export async function listRunsOfContact(
  db: Queryable,
  teamId: string,
  contactId: string,
  after: string,
  countMax: number,
): Promise<RunOfPerson[]> {
  return db.query<RunOfPerson>(
    `select r.id, a.name as automation_name, r.outcome, r.reason, r.payload, r.collected, r.started_at, r.ended_at
     from automation_run r
     left join automation a on a.team_id = r.team_id and a.id = r.automation_id
     where r.team_id = $1 and r.contact_id = $2 and r.id > $3
     order by r.id
     limit $4`,
    [teamId, contactId, after, countMax],
  )
}
