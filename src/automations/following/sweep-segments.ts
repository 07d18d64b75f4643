import type { Db, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findFeedPlaces, lockAutomationFeed } from '../rows/automation-feed-queries.ts'
import {
  compareMembers,
  findSegmentsToSweep,
  postponeSweep,
  type SegmentKey,
  saveSweep,
} from '../rows/known-segments-queries.ts'
import type { Plans } from '../running/plans.ts'
import { beginTogether } from './begin-runs.ts'
import { lockSegment, SWEEP_EVERY_MS } from './read-segments.ts'
import { segmentOf } from './segment-entries.ts'

const SEGMENTS_MAX = 10
/** In one transaction, some hundred milliseconds: contacts that are compared, and runs that begin. */
const PART = { compared: 20_000, begun: 1000 }
/** A feed that is further behind is followed first: its events tell which contacts time has not brought in. */
const UNFOLLOWED_MAX = 10_000
const AGAIN_MS = 10_000

interface SweepingDeps {
  db: Db
  clock: Clock
  plans: Plans
  onError(error: unknown, teamId: string): void
}

/**
 * Compares the members of segments with conditions on time, part by part, and begins runs for contacts that time alone brought in.
 * Returns whether there is more to do now. A segment that fails is reported, and goes on later, behind the others.
 */
export async function sweepSegments(deps: SweepingDeps): Promise<boolean> {
  const due = await findSegmentsToSweep(deps.db, deps.clock.now(), SEGMENTS_MAX)
  let hasMore = false
  for (const key of due) {
    try {
      if (await runAgainOnDeadlock(deps.db, (tx) => sweepPart(tx, key, deps))) hasMore = true
    } catch (error) {
      deps.onError(error, key.teamId)
      await postponeSweep(deps.db, key, new Date(deps.clock.now().getTime() + AGAIN_MS))
    }
  }
  return hasMore
}

/** Members, runs and the position change in one transaction, so that each entry counts once. */
async function sweepPart(tx: Tx, key: SegmentKey, { clock, plans }: SweepingDeps): Promise<boolean> {
  const { teamId, segmentId } = key
  const now = clock.now()
  const later = (ms: number) => new Date(now.getTime() + ms)
  // Locks the feed, automations, the segment, then runs, as follow-team.ts does.
  if ((await lockAutomationFeed(tx, teamId, 'skip')) === null) return false
  const active = await plans.findActive(tx, teamId)
  const beginning = active.filter(({ plan }) => segmentOf(plan) === segmentId)
  const locked = await lockSegment(tx, teamId, segmentId, 'skip', now)
  if (locked === null) return false
  const { known, rules } = locked
  if (!known.isRead || known.sweepAt === null || known.sweepAt > now) return false
  if (beginning.length === 0) {
    // Nothing begins with this segment now. The next activation reads its members again.
    await saveSweep(tx, key, later(SWEEP_EVERY_MS), null)
    return false
  }
  const { position, end } = await findFeedPlaces(tx, teamId)
  if (end - position > UNFOLLOWED_MAX) {
    await postponeSweep(tx, key, later(AGAIN_MS))
    return false
  }
  const enteredMax = Math.ceil(PART.begun / beginning.length)
  const counts = { compared: PART.compared, entered: enteredMax }
  const { entered, last, count } = await compareMembers(tx, known, rules.condition, counts)
  const starts = entered.flatMap((contactId) =>
    beginning.map(({ plan }) => ({
      plan,
      contactId,
      cause: { type: 'segment_entered' },
      payload: {},
      depth: 0,
    })),
  )
  await beginTogether(tx, teamId, now, starts)
  const isFull = entered.length === enteredMax
  const isLast = !isFull && count < PART.compared
  const after = isFull ? (entered.at(-1) ?? null) : last
  await saveSweep(tx, key, isLast ? later(SWEEP_EVERY_MS) : known.sweepAt, isLast ? null : after)
  return !isLast
}
