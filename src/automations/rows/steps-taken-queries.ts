import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { AutomationRun } from './runs-queries.ts'

export type StepOutcome = 'done' | 'skipped' | 'failed' | 'exited'

/** A step that a run took, or at which it ended. */
export interface StepTaken {
  runId: string
  /** Its place in the run, from 0. */
  no: number
  automationId: string
  version: number
  step: string
  outcome: StepOutcome
  /** What it decided or did, for people. */
  detail: Record<string, unknown> | null
  emailId: string | null
  enteredAt: Date
  leftAt: Date
}

const TAKEN = batchOf(
  `run_id uuid, no int4, automation_id uuid, version int4, step text, outcome text, detail jsonb, email_id uuid,
   entered_at timestamptz, left_at timestamptz`,
)

export async function insertStepsTaken(tx: Tx, teamId: string, taken: readonly StepTaken[]): Promise<void> {
  if (taken.length === 0) return
  await tx.query(
    `insert into automation_step_taken (team_id, ${TAKEN.names})
     select $1, row.*
     from unnest(${TAKEN.arraysFrom(2)}) as row (${TAKEN.names})`,
    [teamId, ...TAKEN.values(taken)],
  )
}

/** The last steps of a run that are shown: in a cycle there may be many. */
const SHOWN_MAX = 500

/** Returns the last steps that a run took, in order. */
export async function listStepsTaken(db: Queryable, teamId: string, runId: string): Promise<StepTaken[]> {
  const latest = await db.query<StepTaken>(
    `select run_id, no, automation_id, version, step, outcome, detail, email_id, entered_at, left_at
     from automation_step_taken
     where team_id = $1 and run_id = $2
     order by no desc
     limit $3`,
    [teamId, runId, SHOWN_MAX],
  )
  return latest.reverse()
}

/** The step of a run that sent an email. */
export interface SendingStep {
  emailId: string
  runId: string
  automationId: string
  version: number
  step: string
  depth: number
  /** The contact of the run, whose address may have changed since. */
  contactId: string
}

/** Returns the steps that sent these emails, by email. Most emails are sent by none. */
export async function findSendingSteps(
  db: Queryable,
  teamId: string,
  emailIds: readonly string[],
): Promise<Map<string, SendingStep>> {
  if (emailIds.length === 0) return new Map()
  const rows = await db.query<SendingStep>(
    `select t.email_id, t.run_id, t.automation_id, t.version, t.step, r.depth, r.contact_id
     from unnest($2::uuid[]) as k (email_id)
     join automation_step_taken t on t.team_id = $1 and t.email_id = k.email_id and t.email_id is not null
     join automation_run r on r.team_id = t.team_id and r.id = t.run_id`,
    [teamId, arrays.uuid(emailIds)],
  )
  return new Map(rows.map((row) => [row.emailId, row]))
}

export const FIGURES = ['entered', 'done', 'skipped', 'failed', 'exited'] as const
export type Figure = (typeof FIGURES)[number]

/** A change to the number of runs that entered or left a step. */
export interface FigureBump {
  teamId: string
  automationId: string
  version: number
  step: string
  figure: Figure
  /** Default: 1. */
  by?: number
}

type FigureSum = Pick<FigureBump, 'teamId' | 'automationId' | 'version' | 'step'> & Record<Figure, number>

const SUMS = batchOf(
  `team_id uuid, automation_id uuid, version int4, step text, entered int4, done int4, skipped int4, failed int4,
   exited int4`,
)

/** Counts steps entered and left, in the last statement of the transaction: others wait for these rows only briefly. */
export function bumpFigures(tx: Tx, bumps: readonly FigureBump[]): void {
  tx.writeLast('automation figures', bumps, writeFigures)
}

async function writeFigures(tx: Queryable, bumps: readonly FigureBump[]): Promise<void> {
  const sums = new Map<string, FigureSum>()
  for (const { figure, by = 1, ...place } of bumps) {
    const key = `${place.teamId} ${place.automationId} ${place.version} ${place.step}`
    const sum = sums.get(key) ?? { ...place, entered: 0, done: 0, skipped: 0, failed: 0, exited: 0 }
    sum[figure] += by
    sums.set(key, sum)
  }
  // Sorted in the same order in all processes, to prevent deadlocks.
  const sorted = [...sums.keys()].sort().map((key) => sums.get(key) as FigureSum)
  await tx.query(
    `insert into automation_figure as f (${SUMS.names})
     select * from unnest(${SUMS.arrays})
     on conflict (team_id, automation_id, version, step) do update
     set entered = f.entered + excluded.entered, done = f.done + excluded.done, skipped = f.skipped + excluded.skipped,
       failed = f.failed + excluded.failed, exited = f.exited + excluded.exited`,
    SUMS.values(sorted),
  )
}

/** Returns the bumps for runs that entered steps and for steps that were taken. */
export function figureOf(run: AutomationRun, step: string, figure: Figure): FigureBump {
  const { teamId, automationId, version } = run
  return { teamId, automationId, version, step, figure }
}
