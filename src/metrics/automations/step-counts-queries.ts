import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** Counters of the emails of a step, which are columns of `automation_figure`. */
export const STEP_COUNTERS = ['delivered', 'bounced', 'complained', 'opened', 'clicked'] as const
export type StepCounter = (typeof STEP_COUNTERS)[number]

/** The step of an automation that sent an email. */
export interface SendingPlace {
  teamId: string
  automationId: string
  version: number
  step: string
}

/** What events add to the counts of one step. */
export type StepRow = SendingPlace & Record<StepCounter, number>

const EMAILS = batchOf('team_id uuid, id uuid')

/** Returns the steps that sent those emails that are of an automation, by the id of the email. */
export async function findStepsOf(
  db: Queryable,
  emails: readonly { teamId: string; id: string }[],
): Promise<Map<string, SendingPlace>> {
  if (emails.length === 0) return new Map()
  const rows = await db.query<SendingPlace & { id: string }>(
    `select k.id, t.team_id, t.automation_id, t.version, t.step
     from unnest(${EMAILS.arrays}) as k (${EMAILS.names})
     join automation_step_taken t on t.team_id = k.team_id and t.email_id = k.id and t.email_id is not null`,
    EMAILS.values(emails),
  )
  return new Map(rows.map(({ id, ...place }) => [id, place]))
}

const ROWS = batchOf(
  'team_id uuid, automation_id uuid, version int4, step text, delivered int4, bounced int4, complained int4, opened int4, clicked int4',
)

/** @param rows each step once, sorted, so that all transactions lock them in the same order */
export async function addStepCounts(tx: Tx, rows: readonly StepRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `update automation_figure f
     set ${STEP_COUNTERS.map((counter) => `${counter} = f.${counter} + n.${counter}`).join(', ')}
     from unnest(${ROWS.arrays}) as n (${ROWS.names})
     where f.team_id = n.team_id and f.automation_id = n.automation_id and f.version = n.version and f.step = n.step`,
    ROWS.values(rows),
  )
}
