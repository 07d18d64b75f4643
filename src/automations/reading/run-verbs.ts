import { lockContact } from '../../audience/contacts/write-contacts-queries.ts'
import type { Tx } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import { ApiError, invalidField, orNotFound } from '../../lib/api-error.ts'
import { beginTogether, type StartRefusal } from '../following/begin-runs.ts'
import { hearSince } from '../following/catch-up.ts'
import { contactOf, type ReportedEvent } from '../reported/report-event.ts'
import { lockAutomationFeed } from '../rows/automation-feed-queries.ts'
import { findAutomation } from '../rows/automations-queries.ts'
import { type AutomationRun, lockAutomationRuns } from '../rows/runs-queries.ts'
import { findAutomationVersions } from '../rows/versions-queries.ts'
import { Moves } from '../running/moves.ts'
import { planOf, type RunPlan } from '../running/plans.ts'
import { Scopes } from '../running/scopes.ts'
import { findRun, type ListedRun } from './run-list-queries.ts'

const REFUSALS: Readonly<Record<StartRefusal, string>> = {
  unsubscribed: 'The contact has unsubscribed or was deleted.',
  running: 'The contact is in this automation already.',
  entered_before: 'The contact has been in this automation before, and it takes each contact once.',
  too_soon: 'The contact has been in this automation too recently.',
}

/** Begins a run of an automation whose trigger is `api`. Throws ApiError: `not_found`, `conflict`, `validation_error`. */
export async function startByApi(
  tx: Tx,
  teamId: string,
  automationId: string,
  { contact, payload }: Pick<ReportedEvent, 'contact' | 'payload'>,
  now: Date,
): Promise<ListedRun> {
  await lockAutomationFeed(tx, teamId, 'wait')
  const automation = orNotFound(await findAutomation(tx, teamId, automationId))
  if (automation.status !== 'active') throw new ApiError('conflict', 'The automation is not active.')
  const plan = orNotFound(await findPlan(tx, teamId, { automationId, version: automation.version }))
  if (plan.index.trigger?.config.type !== 'api')
    throw new ApiError('conflict', 'The trigger of this automation is not api.')
  const contactId = await contactOf(tx, teamId, contact, now)
  // Two requests for one contact take turns.
  if ((await lockContact(tx, teamId, contactId)) === null)
    throw invalidField('contact_id', 'The contact_id field must be the id of a contact of this account.')
  const start = { plan, contactId, cause: { type: 'api' }, payload, depth: 0 }
  const [run = 'running'] = await refuseSecondRun(beginTogether(tx, teamId, now, [start]))
  if (typeof run === 'string') throw new ApiError('conflict', REFUSALS[run])
  return orNotFound(await findRun(tx, teamId, automationId, run.id))
}

async function findPlan(
  tx: Tx,
  teamId: string,
  key: { automationId: string; version: number },
): Promise<RunPlan | null> {
  const [version] = await findAutomationVersions(tx, teamId, [key])
  return version === undefined ? null : planOf(version)
}

/** Ends a run that is under way. Throws ApiError: `not_found`, and `conflict` if it has ended. */
export async function cancelRun(
  tx: Tx,
  teamId: string,
  automationId: string,
  id: string,
  now: Date,
): Promise<ListedRun> {
  const run = await lockRun(tx, teamId, automationId, id)
  if (run.state === 'ended') throw new ApiError('conflict', 'The run has ended.')
  const moves = new Moves(teamId, now)
  moves.end(run, 'canceled', 'A person canceled the run.')
  await moves.save(tx)
  return orNotFound(await findRun(tx, teamId, automationId, id))
}

/**
 * Lets a run that failed take its last step again, unless it would have ended meanwhile: a letter about an open bill is not sent to
 * somebody who paid. Throws ApiError: `not_found`, and `conflict` for any other run.
 */
export async function retryRun(
  tx: Tx,
  teamId: string,
  automationId: string,
  id: string,
  now: Date,
): Promise<ListedRun> {
  await lockAutomationFeed(tx, teamId, 'wait')
  const run = await lockRun(tx, teamId, automationId, id)
  if (run.outcome !== 'failed') throw new ApiError('conflict', 'Only a run that failed can be retried.')
  const moves = new Moves(teamId, now)
  const { endedAt } = run
  const plan = await findPlan(tx, teamId, run)
  moves.reopen(run, plan?.index.stepOf(run.step))
  const scopes = new Scopes(tx, teamId, [run.contactId], now)
  if (plan !== null) await hearSince(tx, { moves, scopes, planOf: () => plan }, run, endedAt ?? now)
  await refuseSecondRun(moves.save(tx))
  return orNotFound(await findRun(tx, teamId, automationId, id))
}

async function lockRun(tx: Tx, teamId: string, automationId: string, id: string): Promise<AutomationRun> {
  const [run] = await lockAutomationRuns(tx, teamId, [id])
  return orNotFound(run?.automationId === automationId ? run : null)
}

/** Another transaction may have begun a run of the contact meanwhile. */
async function refuseSecondRun<T>(saving: Promise<T>): Promise<T> {
  try {
    return await saving
  } catch (error) {
    if (!violates(error, 'automation_run_of_contact')) throw error
    throw new ApiError('conflict', REFUSALS.running)
  }
}
