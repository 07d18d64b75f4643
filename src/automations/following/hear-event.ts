import type { Occasion, Step } from '../graph/graph-types.ts'
import type { RunContact } from '../rows/contact-scopes-queries.ts'
import type { AutomationRun } from '../rows/runs-queries.ts'
import { unsubscribeScopeOf } from '../running/email-request.ts'
import type { Moves } from '../running/moves.ts'
import { mergePayloads } from '../running/payloads.ts'
import type { RunPlan } from '../running/plans.ts'
import type { Scopes } from '../running/scopes.ts'
import { DEPTH_MAX, TOO_DEEP } from './begin-runs.ts'
import type { HeardEvent } from './heard-events.ts'

/** What runs are compared with when an event is heard. */
export interface Hearing {
  moves: Moves
  scopes: Scopes
  planOf(run: AutomationRun): RunPlan | undefined
}

/** Lets an event end, move or resume a locked run of its contact. */
export async function hearEvent(hearing: Hearing, run: AutomationRun, event: HeardEvent): Promise<void> {
  const { moves, scopes } = hearing
  const plan = hearing.planOf(run)
  if (run.state === 'ended' || plan === undefined || event.position <= run.begunAfter) return
  const reason = reasonToStop(plan, event)
  if (reason !== null) return moves.end(run, 'canceled', reason)
  const contact = await scopes.contactOf(run.contactId)
  if (contact === null) return moves.end(run, 'canceled', 'The contact was deleted.')
  const heard = { ...hearing, run, event, plan, contact }
  for (const exit of plan.settings.exits) {
    if (await isOccasion(heard, exit))
      return moves.end(run, 'exited', 'A condition of the automation ended it.')
  }
  for (const goal of plan.index.goals) {
    if (await isReached(heard, goal)) return reachGoal(heard, goal)
  }
  await resumeWait(heard)
}

/** Returns why an event ends every run of its contact. */
function reasonToStop(plan: RunPlan, { type, data }: HeardEvent): string | null {
  switch (type) {
    case 'contact.deleted':
      return 'The contact was deleted.'
    case 'suppression.added':
      return 'The address was suppressed.'
    case 'contact.updated':
      return data.unsubscribed === true ? 'The contact has unsubscribed.' : null
    case 'contact.unsubscribed':
      return leaves(plan, data) ? 'The contact has unsubscribed.' : null
    default:
      return null
  }
}

/** A contact may leave everything, or the list or topic that the emails of the automation name. */
function leaves(plan: RunPlan, { list_id: listId, topic }: Record<string, unknown>): boolean {
  if (listId === undefined && topic === undefined) return true
  const scope = unsubscribeScopeOf(plan.index)
  return scope.kind === 'list' ? listId === scope.listId : topic === scope.topic
}

interface Heard extends Hearing {
  run: AutomationRun
  event: HeardEvent
  plan: RunPlan
  contact: RunContact
}

async function isOccasion({ scopes, run, event, contact }: Heard, occasion: Occasion): Promise<boolean> {
  const { event_name: name, filter_rule: filter, rule } = occasion
  if (name !== undefined) {
    if (!isNamed(event, name, run)) return false
    if (filter !== undefined && !(await scopes.holds(filter, contact, event.payload))) return false
  }
  if (rule !== undefined) return scopes.holds(rule, contact, run.payload)
  return name !== undefined
}

/** An event about an email counts only for the run that sent it. */
function isNamed(event: HeardEvent, name: string, run: AutomationRun): boolean {
  if (event.name !== name) return false
  return !event.type.startsWith('email.') || event.sending?.runId === run.id
}

/** A goal that the run stands at or has not come to yet. One behind it is past. */
async function isReached(heard: Heard, goal: Step<'goal'>): Promise<boolean> {
  const { run, plan } = heard
  if (run.step !== goal.key && !plan.index.isBefore(run.step, goal.key)) return false
  return isOccasion(heard, goal.config)
}

/** Skips what lies between, and goes on behind the goal. */
function reachGoal({ moves, run, event, plan, contact }: Heard, goal: Step<'goal'>): void {
  const zone = contact.timeZone
  run.heardUntil = event.position
  if (run.step !== goal.key) {
    moves.skipTo(run, goal.key, { event: event.name })
  }
  moves.go(run, plan.index, 'default', moves.now, { detail: { is_reached: true, event: event.name }, zone })
  if (run.outcome === 'completed') run.outcome = 'goal'
}

async function resumeWait({ moves, scopes, run, event, plan, contact }: Heard): Promise<void> {
  if (run.awaits === null || event.position <= run.heardUntil || !isNamed(event, run.awaits, run)) return
  const cause = event.data.automation as { run_id?: string } | undefined
  // Its own changes do not let it go on.
  if (cause?.run_id === run.id) return
  const step = plan.index.stepOf(run.step)
  if (step?.type !== 'wait_for_event') return
  const { filter_rule: filter, email_step: emailStep } = step.config
  if (emailStep !== undefined && event.sending?.step !== emailStep) return
  if (filter !== undefined && !(await scopes.holds(filter, contact, event.payload))) return
  run.heardUntil = event.position
  if (cause !== undefined) {
    // The depth of the run stays: once retried, it may wait for an event that no automation caused.
    if (event.depth > DEPTH_MAX) return moves.end(run, 'failed', TOO_DEEP)
    run.depth = Math.max(run.depth, event.depth)
  }
  run.payload = mergePayloads(run.payload, event.payload)
  moves.go(run, plan.index, 'event_received', moves.now, {
    detail: { event: event.name, event_id: event.id },
    zone: contact.timeZone,
  })
}
