import type { Tx } from '../db/db-types.ts'
import { type ApiError, invalidField, orNotFound } from '../lib/api-error.ts'
import { firstIdAt, isUuid, newId } from '../lib/ids.ts'
import {
  insertWaitingDelivery,
  lockWebhookDelivery,
  updateDeliveryDue,
  updateDeliveryReplayed,
  type WebhookDelivery,
} from './webhook-deliveries-queries.ts'
import {
  findFeedRange,
  findNextPosition,
  insertReplays,
  insertReplaysOfFailed,
  type NewReplays,
  type ReplayRange,
} from './webhook-replays-queries.ts'
import { refuseDisabled, refuseUnknownTypes, requireLockedWebhook } from './webhooks.ts'
import { findWebhook, hintWebhooks } from './webhooks-queries.ts'

/** The limit on deliveries that one call creates, which takes a few hundred milliseconds. */
export const REPLAY_MAX = 10_000
/** The limits on events created, and events scanned, by one statement. */
const PART_MAX = 1_000
const SCAN_MAX = 10_000
/** The limit on statements of one call, which bounds the part of the feed scanned for rare types. */
const PARTS_MAX = 20

export interface ReplayRequest {
  since: Date
  until: Date
  /** Null for the types that the webhook subscribes to. */
  types: readonly string[] | null
  onlyFailed: boolean
  /** The cursor that an earlier call returned. */
  cursor: string | null
}

export interface Replayed {
  count: number
  /** Where to continue; null if nothing is left. */
  cursor: string | null
}

/**
 * Sends what a delivery sent again, as a new delivery with separate attempts. A delivery that waits for its next attempt
 * is brought forward instead. Throws ApiError: `not_found`, and `conflict` if the webhook is disabled.
 */
export async function replayDelivery(
  tx: Tx,
  teamId: string,
  webhookId: string,
  id: string,
  now: Date,
): Promise<WebhookDelivery> {
  const webhook = await requireLockedWebhook(tx, teamId, webhookId)
  const delivery = orNotFound(await lockWebhookDelivery(tx, teamId, webhookId, id))
  await refuseDisabled(tx, webhook, now)
  await hintWebhooks(tx)
  if (delivery.status === 'waiting') {
    await updateDeliveryDue(tx, delivery, now)
    return { ...delivery, dueAt: now }
  }
  const again = await insertWaitingDelivery(tx, { ...delivery, id: newId(now.getTime()), createdAt: now })
  await updateDeliveryReplayed(tx, delivery, again.id)
  return again
}

/**
 * Sends the events of a time range again that the webhook received or should have received: at most REPLAY_MAX, in
 * order. Leaves events that it has not reached yet to the normal feed. Throws ApiError: `not_found`,
 * `validation_error`, and `conflict` if the webhook is disabled.
 */
export async function replayRange(
  tx: Tx,
  teamId: string,
  webhookId: string,
  request: ReplayRequest,
  now: Date,
): Promise<Replayed> {
  const webhook = orNotFound(await findWebhook(tx, teamId, webhookId))
  const { since, until, types } = request
  if (until <= since) throw invalidField('until', 'The until field must be a date after since.')
  if (types !== null) refuseUnknownTypes(types, 'types')
  const range: ReplayRange = { teamId, webhookId, since, until, types: types ?? webhook.types }
  const replayed = request.onlyFailed
    ? await replayFailed(tx, range, readFailedCursor(request), now)
    : await replayFeed(tx, range, readFeedCursor(request), webhook.position, now)
  // Last, to delay the endpoint's new events only briefly.
  await refuseDisabled(tx, webhook, now)
  await hintWebhooks(tx)
  return replayed
}

const CURSOR = /^\d{1,15}$/

/** Parses the cursor as an event's number. */
function readFeedCursor({ cursor }: ReplayRequest): number {
  if (cursor !== null && !CURSOR.test(cursor)) throw badCursor()
  return Number(cursor ?? 0)
}

/** Parses the cursor as a delivery's id. Failed deliveries were all created after their events. */
function readFailedCursor({ cursor, since }: ReplayRequest): string {
  if (cursor !== null && !isUuid(cursor)) throw badCursor()
  return cursor ?? firstIdAt(since)
}

function badCursor(): ApiError {
  return invalidField(
    'cursor',
    'The cursor field must be the cursor of an earlier answer to the same request.',
  )
}

/** One part takes at most PART_MAX microseconds, a millisecond, and the last one ends now: all are due at once. */
function newReplays(now: Date, part: number, countBefore: number): NewReplays {
  const ids = Array.from({ length: Math.min(PART_MAX, REPLAY_MAX - countBefore) }, () => newId(now.getTime()))
  return { ids, now, dueAfter: new Date(now.getTime() - PARTS_MAX + part) }
}

async function replayFeed(
  tx: Tx,
  range: ReplayRange,
  cursor: number,
  feedEnd: number,
  now: Date,
): Promise<Replayed> {
  const feedRange = await findFeedRange(tx, range, feedEnd)
  let after = Math.max(feedRange.after, cursor)
  let count = 0
  for (let part = 0; part < PARTS_MAX && after < feedRange.end && count < REPLAY_MAX; part++) {
    after = (await findNextPosition(tx, range.teamId, after, feedRange.end)) - 1
    const end = Math.min(after + SCAN_MAX, feedRange.end)
    const replays = newReplays(now, part, count)
    const batch = await insertReplays(tx, range, { after, end }, replays)
    count += batch.count
    after = batch.count === replays.ids.length && batch.last !== null ? batch.last : end
  }
  return { count, cursor: after < feedRange.end ? String(after) : null }
}

async function replayFailed(tx: Tx, range: ReplayRange, cursor: string, now: Date): Promise<Replayed> {
  let after: string | null = cursor
  let count = 0
  for (let part = 0; part < PARTS_MAX && after !== null && count < REPLAY_MAX; part++) {
    const batch = await insertReplaysOfFailed(tx, range, after, newReplays(now, part, count))
    count += batch.count
    after = batch.last
  }
  return { count, cursor: after }
}
