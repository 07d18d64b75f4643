import type { Db, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { readFeedPage } from '../../events/feed-page-queries.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findFeedPlaces, lockAutomationFeed, moveAutomationFeed } from '../rows/automation-feed-queries.ts'
import type { RowLock } from '../rows/known-segments-queries.ts'
import { type AutomationRun, lockRunsOfContacts } from '../rows/runs-queries.ts'
import { findFollowedTypes } from '../rows/versions-queries.ts'
import { Moves } from '../running/moves.ts'
import { type Plans, planKey, type RunPlan } from '../running/plans.ts'
import { Scopes } from '../running/scopes.ts'
import { Beginner } from './begin-runs.ts'
import { hearEvent } from './hear-event.ts'
import { type HeardEvent, hearEvents } from './heard-events.ts'
import { findSegmentEntries } from './segment-entries.ts'
import { meetsTrigger } from './triggers.ts'

export interface FollowDeps {
  db: Db
  clock: Clock
  plans: Plans
}

const EVENTS_MAX = 500
/** What ends the run of a contact, whatever its automation asks about. */
const ENDING_TYPES = ['contact.updated', 'contact.deleted', 'contact.unsubscribed', 'suppression.added']

/**
 * Follows the feed of a team for a page: begins, moves, resumes and ends runs, and moves the position in the same transaction, so
 * that each event counts once. Returns whether it moved: there may be more events, and the runs that began are due.
 */
export async function followTeam(
  { db, clock, plans }: FollowDeps,
  teamId: string,
  lock: RowLock = 'skip',
): Promise<boolean> {
  return runAgainOnDeadlock(db, async (tx) => {
    const position = await lockAutomationFeed(tx, teamId, lock)
    if (position === null) return false
    const types = new Set([...ENDING_TYPES, ...(await findFollowedTypes(tx, teamId))])
    const query = {
      after: position,
      types: [...types],
      subjectId: null,
      domainId: null,
      countMax: EVENTS_MAX,
    }
    const page = await readFeedPage(tx, teamId, query)
    if (page === null || page.position === position) return false
    const events = await hearEvents(tx, teamId, page.events)
    if (events.length > 0) await hearPage(tx, teamId, events, plans, clock.now())
    await moveAutomationFeed(tx, teamId, page.position)
    return true
  })
}

/**
 * Follows the feed of a team up to what it has now. Before runs take steps that are due: an exit, the event of a wait or of a digest may
 * have come in time, and only the feed is late.
 */
export async function followToEnd(deps: FollowDeps, teamId: string): Promise<void> {
  const { position, end } = await findFeedPlaces(deps.db, teamId)
  let at = position
  while (at < end && (await followTeam(deps, teamId, 'wait')))
    at = (await findFeedPlaces(deps.db, teamId)).position
}

async function hearPage(
  tx: Tx,
  teamId: string,
  events: readonly HeardEvent[],
  plans: Plans,
  now: Date,
): Promise<void> {
  const contactIds = [...new Set(events.map(({ contactId }) => contactId))]
  const active = await plans.findActive(tx, teamId)
  const activePlans = active.map(({ plan }) => plan)
  // Locks segments before runs, as sweep-segments.ts does, to prevent deadlocks.
  const entries = await findSegmentEntries(tx, teamId, activePlans, events, now)
  const running = await lockRunsOfContacts(tx, teamId, contactIds)
  const runs = Map.groupBy(running, ({ contactId }) => contactId)
  // Runs that begin here hear the later events of the page.
  const known = new Map(activePlans.map((plan) => [planKey(plan), plan]))
  const others = running.filter((run) => !known.has(planKey(run)))
  for (const [key, plan] of await plans.find(tx, teamId, others)) known.set(key, plan)
  const moves = new Moves(teamId, now)
  const scopes = new Scopes(tx, teamId, contactIds, now)
  const beginner = new Beginner(tx, moves, scopes, runs)
  const hearing = { moves, scopes, planOf: (run: AutomationRun) => known.get(planKey(run)) }
  for (const event of events) {
    // Those that this event begins do not hear it.
    for (const run of [...(runs.get(event.contactId) ?? [])]) await hearEvent(hearing, run, event)
    if (!event.begins) continue
    for (const { plan, activeSince } of active) {
      // What happened before somebody activated it does not count, although it may be followed only now.
      if (activeSince !== null && event.at < activeSince) continue
      const start = entries.takeStart(plan, event) ?? ((await isStart(scopes, plan, event)) ? event : null)
      if (start !== null) await beginner.begin(startOf(plan, start))
    }
  }
  await moves.save(tx)
}

async function isStart(scopes: Scopes, { index }: RunPlan, event: HeardEvent): Promise<boolean> {
  const config = index.trigger?.config
  if (config === undefined || config.type === 'segment_entered' || !meetsTrigger(config, event)) return false
  if (config.type !== 'event' || config.filter_rule === undefined) return true
  const contact = await scopes.contactOf(event.contactId)
  return contact !== null && scopes.holds(config.filter_rule, contact, event.payload)
}

function startOf(plan: RunPlan, event: HeardEvent) {
  const { id, contactId, payload, depth, position, causedBy } = event
  return {
    plan,
    contactId,
    payload,
    depth,
    heardUntil: position,
    cause: {
      type: plan.index.trigger?.config.type ?? 'event',
      event_id: id,
      ...(causedBy !== null && { automation_id: causedBy }),
    },
  }
}
