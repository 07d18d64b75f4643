import type { Queryable } from '../../db/db-types.ts'
import { type FeedEvent, findEvents } from '../../events/feed-queries.ts'
import { writeWebhookBody } from '../request/body.ts'
import type { EndpointKey } from './endpoint-workers-queries.ts'
import { type DueWebhook, findDueDeliveries } from './webhook-results-queries.ts'
import type { DueSend } from './worker-types.ts'

/** Returns the due deliveries of these endpoints with their bodies, at most `countMax` per endpoint. */
export async function loadDue(
  db: Queryable,
  keys: readonly EndpointKey[],
  now: Date,
  countMax: number,
): Promise<DueSend[]> {
  const rows = await findDueDeliveries(db, keys, now, countMax)
  const events = new Map<string, FeedEvent>()
  for (const [teamId, ofTeam] of Map.groupBy(rows, (row) => row.teamId)) {
    for (const event of await findEvents(db, teamId, ofTeam.flatMap(eventKey))) events.set(event.id, event)
  }
  return rows.map((row) => ({
    id: row.id,
    teamId: row.teamId,
    webhookId: row.webhookId,
    subjectId: row.subjectId,
    messageId: row.messageId,
    attemptCount: row.attemptCount,
    body: bodyOf(row, events),
  }))
}

function eventKey({ eventId, subjectId }: DueWebhook): { id: string; subjectId: string }[] {
  return eventId === null || subjectId === null ? [] : [{ id: eventId, subjectId }]
}

function bodyOf(row: DueWebhook, events: ReadonlyMap<string, FeedEvent>): string | null {
  const { eventId, payload, type, createdAt } = row
  if (payload !== null) return writeWebhookBody({ type, createdAt, data: payload })
  const event = events.get(eventId ?? '')
  return event === undefined ? null : writeWebhookBody(event)
}
