import { DatabaseUnavailable, type Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { findFeedEnd } from '../../events/feed-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Log } from '../../lib/log.ts'
import { catchUp } from '../following/catch-up.ts'
import { followToEnd } from '../following/follow-team.ts'
import { parkRuns } from '../rows/parked-runs-queries.ts'
import {
  type AutomationRun,
  isAt,
  leaseDueRuns,
  lockAutomationRuns,
  releaseAutomationRuns,
} from '../rows/runs-queries.ts'
import { lockActiveAutomations } from '../rows/sendable-runs-queries.ts'
import { Moves } from '../running/moves.ts'
import { type Plans, planKey, type RunPlan } from '../running/plans.ts'
import { Scopes } from '../running/scopes.ts'
import { StepFailure } from '../running/step-effects.ts'
import { walkRun } from '../running/walk-run.ts'
import { type SendEmailsDeps, type SendingRun, sendEmails } from './send-emails.ts'

export interface WorkDeps extends SendEmailsDeps {
  log: Log
  plans: Plans
}

/** Runs leased at a time. Their steps take some tens of milliseconds in one transaction. */
const LEASE_COUNT = 100
const LEASE_MS = 15_000

/** Works on runs of a team that are due. Returns whether there may be more now: those that moved on may be due at their next step. */
export async function workOnTeam(deps: WorkDeps, teamId: string): Promise<boolean> {
  await followToEnd(deps, teamId)
  const now = deps.clock.now()
  const until = new Date(now.getTime() + LEASE_MS)
  const leased = await leaseDueRuns(deps.db, teamId, { now, until }, LEASE_COUNT)
  if (leased.length === 0) return false
  const rest = await withoutParked(deps, teamId, leased)
  const plans = await deps.plans.find(deps.db, teamId, rest)
  const sendings: SendingRun[] = []
  const walking: AutomationRun[] = []
  for (const run of rest) {
    const plan = plans.get(planKey(run))
    const step = plan?.index.stepOf(run.step)
    if (plan !== undefined && step?.type === 'send_email') sendings.push({ run, plan, step })
    else walking.push(run)
  }
  await walkAll(deps, teamId, walking, plans)
  return sendOrRelease(deps, teamId, sendings)
}

/** Parks runs of automations that are not active, and returns the others. */
async function withoutParked(
  { db }: WorkDeps,
  teamId: string,
  leased: readonly AutomationRun[],
): Promise<AutomationRun[]> {
  const parked = await parkRuns(db, teamId, leased)
  return leased.filter(({ id }) => !parked.has(id))
}

/** Walks runs in one transaction. If one fails there, each is walked alone, so that it fails by itself. */
async function walkAll(
  deps: WorkDeps,
  teamId: string,
  runs: readonly AutomationRun[],
  plans: ReadonlyMap<string, RunPlan>,
): Promise<void> {
  if (runs.length === 0) return
  try {
    await walkTogether(deps, teamId, runs, plans)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    if (runs.length > 1) {
      for (const run of runs) await walkAll(deps, teamId, [run], plans)
      return
    }
    const [run] = runs as [AutomationRun]
    await recordFailure(deps, run, error)
  }
}

async function walkTogether(
  { db, clock }: WorkDeps,
  teamId: string,
  runs: readonly AutomationRun[],
  plans: ReadonlyMap<string, RunPlan>,
): Promise<void> {
  await runAgainOnDeadlock(db, async (tx) => {
    // Before the runs, as all who lock both.
    const active = await lockActiveAutomations(tx, teamId, runs)
    const locked = await lockUnmoved(tx, teamId, runs)
    const moves = new Moves(teamId, clock.now())
    const scopes = new Scopes(
      tx,
      teamId,
      locked.map(({ contactId }) => contactId),
      moves.now,
    )
    const feedEnd = await findFeedEnd(tx, teamId)
    const hearing = { moves, scopes, planOf: (run: AutomationRun) => plans.get(planKey(run)) }
    for (const run of locked) {
      const plan = plans.get(planKey(run))
      // Ends its lease. One that was paused meanwhile is parked when it is found again.
      moves.touch(run)
      if (plan === undefined) moves.end(run, 'canceled', 'The automation was deleted.')
      else if (active.has(run.automationId)) await walkRun({ tx, moves, scopes, feedEnd }, run, plan.index)
    }
    await catchUp(tx, hearing, moves)
    await moves.save(tx)
  })
}

/** Locks those of the runs that nothing moved since they were leased. */
async function lockUnmoved(tx: Tx, teamId: string, runs: readonly AutomationRun[]): Promise<AutomationRun[]> {
  const places = new Map(runs.map((run) => [run.id, run]))
  const locked = await lockAutomationRuns(tx, teamId, [...places.keys()])
  return locked.filter((run) => isAt(run, places.get(run.id)))
}

const FAILURES_MAX = 10
const AGAIN_MS = 60_000

/** A step that cannot do its work ends the run. Anything else may pass: the run tries again, some times. */
async function recordFailure(
  { db, clock, log }: WorkDeps,
  failing: AutomationRun,
  error: unknown,
): Promise<void> {
  const { teamId, id } = failing
  if (!(error instanceof StepFailure))
    log.warn({ err: error, run: id, team: teamId }, 'a step of an automation failed')
  await db.transaction(async (tx) => {
    const [run] = await lockUnmoved(tx, teamId, [failing])
    if (run === undefined) return
    const moves = new Moves(teamId, clock.now())
    if (error instanceof StepFailure) moves.end(run, 'failed', error.message)
    else if (run.attempts + 1 >= FAILURES_MAX) moves.end(run, 'failed', 'The step failed again and again.')
    else {
      run.attempts++
      run.reason = 'The step failed and is tried again.'
      run.dueAt = new Date(moves.now.getTime() + AGAIN_MS)
      moves.touch(run)
    }
    await moves.save(tx)
  })
}

/**
 * Sends emails in one request. If it fails, each is sent alone, so that it fails by itself. Returns false if no email can be accepted at the
 * moment, which another attempt at once would not change.
 */
async function sendOrRelease(
  deps: WorkDeps,
  teamId: string,
  sendings: readonly SendingRun[],
): Promise<boolean> {
  if (sendings.length === 0) return true
  try {
    await sendEmails(deps, teamId, sendings)
    return true
  } catch (error) {
    const isPassing = error instanceof ApiError && error.code === 'service_unavailable'
    const [first] = sendings
    if (isPassing || error instanceof DatabaseUnavailable) {
      const ids = sendings.map(({ run }) => run.id)
      await releaseAutomationRuns(deps.db, teamId, ids).catch(() => {})
      if (!isPassing) throw error
      return false
    }
    if (sendings.length === 1 && first !== undefined) {
      await recordFailure(deps, first.run, error)
      return true
    }
    let isPossible = true
    for (const sending of sendings) if (!(await sendOrRelease(deps, teamId, [sending]))) isPossible = false
    return isPossible
  }
}
