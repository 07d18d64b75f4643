import { readSegmentRules, type SegmentRules } from '../../audience/segments/segments.ts'
import { findSegment } from '../../audience/segments/segments-queries.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import {
  findChangedSegments,
  type KnownSegment,
  lockKnownSegment,
  type RowLock,
  restartSegment,
  type SegmentKey,
  saveConditions,
} from '../rows/known-segments-queries.ts'
import {
  beginSegment,
  findUnreadSegments,
  readSegmentMembers,
  saveSegmentProgress,
} from '../rows/segment-members-queries.ts'
import { eachAlone, type FailingDeps } from './failing.ts'

const SEGMENTS_MAX = 10
const EDITED_MAX = 100
/** Contacts tested in one transaction: some hundred milliseconds. */
const PART_COUNT = 20_000

/** Contacts tested in the transaction of an activation: some tens of milliseconds. */
const FIRST_COUNT = 5000

/** How often the members of a segment with conditions on time are compared without an event. */
export const SWEEP_EVERY_MS = 10 * 60_000

interface SegmentDeps extends FailingDeps {
  db: Db
}

/** A locked segment, with what decides at this moment who is in it. */
interface LockedSegment {
  known: KnownSegment
  rules: SegmentRules
}

/**
 * Begins to remember who is in a segment. Contacts behind the first ones are read later: until then, their first event only tells
 * whether they are in it.
 */
export async function beginToRead(tx: Tx, teamId: string, segmentId: string, now: Date): Promise<void> {
  await beginSegment(tx, teamId, segmentId)
  const locked = await lockSegment(tx, teamId, segmentId, 'wait', now)
  if (locked !== null) await readPart(tx, locked, FIRST_COUNT)
}

/** Reads the next part of the contacts of segments that have begun to begin automations. Returns whether it read any. */
export async function readSegments(deps: SegmentDeps): Promise<boolean> {
  const { db, clock, failing } = deps
  const unread = await findUnreadSegments(db, failing.ids(clock.now()), SEGMENTS_MAX)
  return eachAlone(deps, unread, idOfSegment, ({ teamId, segmentId }) =>
    db.transaction(async (tx) => {
      const locked = await lockSegment(tx, teamId, segmentId, 'skip', clock.now())
      if (locked === null) return false
      await readPart(tx, locked, PART_COUNT)
      return true
    }),
  )
}

const idOfSegment = ({ segmentId }: SegmentKey) => segmentId

/**
 * Reads the members of edited segments anew. Otherwise the first events after an edit would only notice it. Returns whether there is
 * more to do now.
 */
export async function rereadSegments(deps: SegmentDeps): Promise<boolean> {
  const { db, clock, failing } = deps
  const changed = await findChangedSegments(db, failing.ids(clock.now()), EDITED_MAX)
  await eachAlone(deps, changed, idOfSegment, async ({ teamId, segmentId }) => {
    await db.transaction((tx) => lockSegment(tx, teamId, segmentId, 'skip', clock.now()))
    return false
  })
  return changed.length === EDITED_MAX
}

/**
 * Locks what is known of the members of a segment. If its conditions have changed, its members are read anew as at an activation: an edit
 * lets no contact enter. Returns null as lockKnownSegment does.
 */
export async function lockSegment(
  tx: Tx,
  teamId: string,
  segmentId: string,
  lock: RowLock,
  now: Date,
): Promise<LockedSegment | null> {
  const known = await lockKnownSegment(tx, teamId, segmentId, lock)
  const segment = known === null ? null : await findSegment(tx, teamId, segmentId)
  if (known === null || segment === null) return null
  const rules = await readSegmentRules(tx, segment, now)
  const isSame = known.conditions === rules.fingerprint
  if (isSame && known.isNoticed) return { known, rules }
  const sweepAt = isSame ? known.sweepAt : new Date(now.getTime() + SWEEP_EVERY_MS)
  await saveConditions(tx, known, rules.fingerprint, rules.isTimed ? sweepAt : null)
  if (isSame || known.conditions === null) return { known, rules }
  const until = await restartSegment(tx, known)
  const restarted = { known: { ...known, after: null, until, isRead: false }, rules }
  await readPart(tx, restarted, FIRST_COUNT)
  return restarted
}

async function readPart(tx: Tx, { known, rules }: LockedSegment, countMax: number): Promise<void> {
  if (known.isRead) return
  const part =
    known.until === null
      ? { last: null, count: 0 }
      : await readSegmentMembers(tx, known, rules.condition, countMax)
  await saveSegmentProgress(tx, known, part.last, part.count < countMax)
}
