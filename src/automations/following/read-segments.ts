import { contactsIn } from '../../audience/segments/segments.ts'
import { findSegment } from '../../audience/segments/segments-queries.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import {
  beginSegment,
  findUnreadSegments,
  forgetSegment,
  lockUnreadSegment,
  readSegmentMembers,
  saveSegmentProgress,
} from '../rows/segment-members-queries.ts'

const SEGMENTS_MAX = 10
/** Contacts tested in one transaction: some hundred milliseconds. */
const PART_COUNT = 20_000

/** Contacts tested in the transaction of an activation: some tens of milliseconds. */
const FIRST_COUNT = 5000

/**
 * Begins to remember who is in a segment. Contacts behind the first ones are read later: until then, their first event only tells
 * whether they are in it.
 */
export async function beginToRead(tx: Tx, teamId: string, segmentId: string, now: Date): Promise<void> {
  await forgetSegment(tx, teamId, segmentId)
  await beginSegment(tx, teamId, segmentId)
  await readPart(tx, teamId, segmentId, FIRST_COUNT, now)
}

/** Reads the next part of the contacts of segments that have begun to begin automations. */
export async function readSegments({ db, clock }: { db: Db; clock: Clock }): Promise<boolean> {
  const unread = await findUnreadSegments(db, SEGMENTS_MAX)
  for (const { teamId, segmentId } of unread) {
    await db.transaction((tx) => readPart(tx, teamId, segmentId, PART_COUNT, clock.now()))
  }
  return unread.length > 0
}

async function readPart(
  tx: Tx,
  teamId: string,
  segmentId: string,
  countMax: number,
  now: Date,
): Promise<void> {
  const unread = await lockUnreadSegment(tx, teamId, segmentId)
  if (unread === null) return
  const segment = await findSegment(tx, teamId, segmentId)
  const part =
    segment === null || unread.until === null
      ? { last: null, count: 0 }
      : await readSegmentMembers(tx, unread, await contactsIn(tx, segment, now), countMax)
  await saveSegmentProgress(tx, unread, part.last, part.count < countMax)
}
