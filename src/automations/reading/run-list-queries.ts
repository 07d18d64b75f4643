import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX, type PageRange, queryRange, type Rows } from '../../db/page.ts'
import type { AutomationRun, RunOutcome } from '../rows/runs-queries.ts'

/** A run with the address of its contact. */
export interface ListedRun extends AutomationRun {
  /** Null once the contact was deleted or erased. */
  email: string | null
}

/** Statuses as in Resend's SDK, and the outcomes that belong to each. Null: the run has not ended. */
const OUTCOMES = {
  running: null,
  completed: ['completed', 'goal', 'exited'],
  failed: ['failed'],
  cancelled: ['canceled'],
} as const satisfies Record<string, readonly RunOutcome[] | null>
export type RunStatus = keyof typeof OUTCOMES
export const RUN_STATUSES = Object.keys(OUTCOMES) as RunStatus[]

export function statusOfRun({ outcome }: Pick<AutomationRun, 'outcome'>): RunStatus {
  if (outcome === null) return 'running'
  return (
    RUN_STATUSES.find((status) => (OUTCOMES[status] as readonly string[] | null)?.includes(outcome)) ??
    'failed'
  )
}

export interface RunFilter {
  statuses: readonly RunStatus[]
  version: number | null
  step: string | null
  contactId: string | null
}

const RUN = `r.team_id, r.id, r.automation_id, r.version, r.contact_id, r.state, r.outcome, r.reason, r.step, r.moves,
  r.entered_at, r.due_at, r.awaits, r.begun_after, r.heard_until, r.cause, r.payload, r.collected, r.depth, r.attempts, r.started_at,
  r.ended_at, c.email`
const FROM = `from automation_run r
     left join contact c on c.team_id = r.team_id and c.id = r.contact_id and c.deleted_at is null
     where r.team_id = $1 and r.automation_id = $2`

function conditionsOf({ statuses, version, step, contactId }: RunFilter, values: unknown[]): string {
  const place = (value: unknown) => `$${values.push(value)}`
  const conditions: string[] = []
  if (statuses.length > 0) {
    const outcomes = statuses.flatMap((status): readonly string[] => OUTCOMES[status] ?? [])
    const isRunning = statuses.includes('running') ? `r.state <> 'ended' or ` : ''
    conditions.push(`(${isRunning}r.outcome = any (${place(outcomes)}::text[]))`)
  }
  if (version !== null) conditions.push(`r.version = ${place(version)}`)
  if (step !== null) conditions.push(`r.step = ${place(step)}`)
  if (contactId !== null) conditions.push(`r.contact_id = ${place(contactId)}`)
  return conditions.map((condition) => ` and ${condition}`).join('')
}

export async function listRuns(
  db: Queryable,
  teamId: string,
  automationId: string,
  filter: RunFilter,
  range: PageRange,
): Promise<Rows<ListedRun>> {
  const values: unknown[] = [teamId, automationId]
  const conditions = conditionsOf(filter, values)
  return queryRange<ListedRun>(db, `select ${RUN} ${FROM}${conditions}`, values, range, 'r.id')
}

/** Counts runs up to FILTERED_TOTAL_MAX. */
export async function countRuns(
  db: Queryable,
  teamId: string,
  automationId: string,
  filter: RunFilter,
): Promise<number> {
  const values: unknown[] = [teamId, automationId]
  const conditions = conditionsOf(filter, values)
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select 1 ${FROM}${conditions} limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
    { isOneOff: true },
  )
  return rows[0]?.count ?? 0
}

/** How many runs of an automation are under way, and how many failed. */
export interface RunCounts {
  running: number
  /** At most FILTERED_TOTAL_MAX. */
  failed: number
}

/**
 * Counts the runs of automations. Those under way are the ones that entered steps and did not leave them, because there may be a
 * million of them.
 */
export async function countRunsOfAutomations(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, RunCounts>> {
  const rows = await db.query<RunCounts & { id: string }>(
    `select a.id,
       (select greatest(0, coalesce(sum(entered - done - skipped - failed - exited), 0))::int8
        from automation_figure
        where team_id = $1 and automation_id = a.id) as running,
       (select count(*)::int4
        from (select 1 from automation_run
              where team_id = $1 and automation_id = a.id and outcome = 'failed'
              limit ${FILTERED_TOTAL_MAX}) as failures) as failed
     from unnest($2::uuid[]) as a (id)`,
    [teamId, arrays.uuid(ids)],
  )
  return new Map(rows.map(({ id, running, failed }) => [id, { running, failed }]))
}

export async function findRun(
  db: Queryable,
  teamId: string,
  automationId: string,
  id: string,
): Promise<ListedRun | null> {
  const rows = await db.query<ListedRun>(`select ${RUN} ${FROM} and r.id = $3`, [teamId, automationId, id])
  return rows[0] ?? null
}

/** The number of runs by step of a version. */
export interface StepFigures {
  step: string
  entered: number
  done: number
  skipped: number
  failed: number
  exited: number
  delivered: number
  bounced: number
  complained: number
  opened: number
  clicked: number
}

export async function listFigures(
  db: Queryable,
  teamId: string,
  automationId: string,
  version: number,
): Promise<StepFigures[]> {
  return db.query<StepFigures>(
    `select step, entered, done, skipped, failed, exited, delivered, bounced, complained, opened, clicked
     from automation_figure
     where team_id = $1 and automation_id = $2 and version = $3`,
    [teamId, automationId, version],
  )
}
