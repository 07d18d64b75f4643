import type { Queryable, Tx } from '../db/db-types.ts'
import { cutToSize, type PageRange, type Rows } from '../db/page.ts'

/** One attempt to reach an endpoint. */
export interface WebhookAttempt {
  /** ISO 8601. */
  at: string
  /** The status of the response, or null without one. */
  status: number | null
  latency_ms: number
  error: string | null
}

export interface WebhookDelivery {
  teamId: string
  webhookId: string
  id: string
  /** Null for a test and for a call by an automation. */
  eventId: string | null
  subjectId: string | null
  type: string
  /** Data of a test or of a call by an automation, sent in place of an event's. */
  payload: Record<string, unknown> | null
  /** Sent as `webhook-id`, which a replay repeats. */
  messageId: string
  status: 'waiting' | 'delivered' | 'failed'
  dueAt: Date | null
  /** Oldest first. */
  attempts: WebhookAttempt[]
  answerStatus: number | null
  answer: string | null
  /** The delivery that sent it again. */
  replayedAs: string | null
  createdAt: Date
  updatedAt: Date
}

export interface WebhookDeliveryFilter {
  status?: WebhookDelivery['status']
  type?: string
}

/** The limit on deliveries that are scanned for a page or a count. */
export const DELIVERY_SCAN_MAX = 10_000

const COLUMNS = `team_id, webhook_id, id, event_id, subject_id,
  type, payload, coalesce(message_id, event_id, id) as message_id, status, due_at, tries as attempts, answer_status, answer,
  replayed_as, created_at, updated_at`

export async function findWebhookDelivery(
  db: Queryable,
  teamId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery | null> {
  const rows = await db.query<WebhookDelivery>(
    `select ${COLUMNS}
     from webhook_delivery
     where team_id = $1 and webhook_id = $2 and id = $3`,
    [teamId, webhookId, id],
  )
  return rows[0] ?? null
}

/** Returns the delivery and locks it until the transaction ends. */
export async function lockWebhookDelivery(
  tx: Tx,
  teamId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery | null> {
  const rows = await tx.query<WebhookDelivery>(
    `select ${COLUMNS}
     from webhook_delivery
     where team_id = $1 and webhook_id = $2 and id = $3
     for update`,
    [teamId, webhookId, id],
  )
  return rows[0] ?? null
}

type Place = (value: unknown) => string

/** Returns SQL that selects the newest deliveries, or those next to the bound, from an index that has them in order. */
function scanCondition(
  { status }: WebhookDeliveryFilter,
  { after, before }: PageRange,
  place: Place,
): string {
  const conditions: string[] = []
  // The second condition matches the predicate of the index.
  if (status === 'waiting' || status === 'failed') {
    conditions.push(`and status = ${place(status)}`, `and status <> 'delivered'`)
  }
  if (after !== null) conditions.push(`and id < ${place(after)}`)
  if (before !== null) conditions.push(`and id > ${place(before)}`)
  return `from webhook_delivery
     where team_id = $1 and webhook_id = $2
       ${conditions.join('\n       ')}
     order by id ${before === null ? 'desc' : 'asc'}
     limit ${DELIVERY_SCAN_MAX}`
}

/** Returns the conditions that no index covers. */
function testsOf({ status, type }: WebhookDeliveryFilter, place: Place): string[] {
  return [
    ...(status === 'delivered' ? [`status = ${place(status)}`] : []),
    ...(type === undefined ? [] : [`type = ${place(type)}`]),
  ]
}

const whereAll = (tests: readonly string[]) => (tests.length === 0 ? '' : `where ${tests.join(' and ')}`)

/**
 * Lists deliveries, newest first. Scans at most DELIVERY_SCAN_MAX deliveries. If that does not fill a page,
 * `stoppedAt` says where to continue.
 */
export async function listWebhookDeliveries(
  db: Queryable,
  teamId: string,
  webhookId: string,
  filter: WebhookDeliveryFilter,
  range: PageRange,
): Promise<Rows<WebhookDelivery>> {
  const { values, place } = createValues(teamId, webhookId)
  const rows = await db.query<WebhookDelivery>(
    `select *
     from (select ${COLUMNS} ${scanCondition(filter, range, place)}) d
     ${whereAll(testsOf(filter, place))}
     order by id ${range.before === null ? 'desc' : 'asc'}
     limit ${place(range.size + 1)}
     offset ${place(range.offset)}`,
    values,
  )
  const page = cutToSize(rows, range)
  if (page.hasMore) return page
  const stoppedAt = await findScanStop(db, teamId, webhookId, filter, range)
  return { ...page, hasMore: stoppedAt !== null, stoppedAt }
}

/** Returns where the scan stopped, or null if it covered all deliveries. */
async function findScanStop(
  db: Queryable,
  teamId: string,
  webhookId: string,
  filter: WebhookDeliveryFilter,
  range: PageRange,
): Promise<string | null> {
  const { values, place } = createValues(teamId, webhookId)
  const rows = await db.query<{ id: string }>(
    `select id ${scanCondition(filter, range, place)}
     offset ${DELIVERY_SCAN_MAX - 1}`,
    values,
  )
  return rows[0]?.id ?? null
}

/** Counts the matches among the newest deliveries, within the scan limit. */
export async function countWebhookDeliveries(
  db: Queryable,
  teamId: string,
  webhookId: string,
  filter: WebhookDeliveryFilter,
): Promise<number> {
  const { values, place } = createValues(teamId, webhookId)
  const scanned = scanCondition(filter, NEWEST, place)
  const tests = testsOf(filter, place)
  const rows = await db.query<{ count: number }>(
    `select count(*)::int4 as count
     from (select ${tests.length === 0 ? 'id' : 'id, status, type'} ${scanned}) d
     ${whereAll(tests)}`,
    values,
  )
  return rows[0]?.count ?? 0
}

const NEWEST: PageRange = { size: DELIVERY_SCAN_MAX, offset: 0, after: null, before: null }

function createValues(teamId: string, webhookId: string) {
  const values: unknown[] = [teamId, webhookId]
  return { values, place: (value: unknown) => `$${values.push(value)}` }
}

/**
 * Inserts a delivery that is due at `createdAt`: a test, a call by an automation, or what another delivery sent. Without a
 * `messageId`, its `webhook-id` is the id of the event, or else its own.
 */
export async function insertWaitingDelivery(
  tx: Tx,
  delivery: Pick<
    WebhookDelivery,
    'teamId' | 'webhookId' | 'id' | 'eventId' | 'subjectId' | 'type' | 'payload' | 'createdAt'
  > & { messageId?: string },
): Promise<WebhookDelivery> {
  const { teamId, webhookId, id, eventId, subjectId, type, payload, messageId = null, createdAt } = delivery
  const rows = await tx.query<WebhookDelivery>(
    `insert into webhook_delivery (team_id, webhook_id, id, event_id, subject_id, type, payload, message_id,
       status, due_at, tries, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, '[]', $9, $9)
     returning ${COLUMNS}`,
    [
      teamId,
      webhookId,
      id,
      eventId,
      subjectId,
      type,
      payload === null ? null : JSON.stringify(payload),
      messageId,
      createdAt,
    ],
  )
  return rows[0] as WebhookDelivery
}

/** Records that the delivery `replayedAs` replaces this one for its event. */
export async function updateDeliveryReplayed(
  tx: Tx,
  { teamId, webhookId, id }: WebhookDelivery,
  replayedAs: string,
): Promise<void> {
  await tx.query(
    `update webhook_delivery
     set replayed_as = $4
     where team_id = $1 and webhook_id = $2 and id = $3`,
    [teamId, webhookId, id, replayedAs],
  )
}

/** Sets the time of the next attempt of a waiting delivery. */
export async function updateDeliveryDue(
  tx: Tx,
  { teamId, webhookId, id }: WebhookDelivery,
  dueAt: Date,
): Promise<void> {
  await tx.query(
    `update webhook_delivery
     set due_at = $4
     where team_id = $1 and webhook_id = $2 and id = $3 and due_at is not null`,
    [teamId, webhookId, id, dueAt],
  )
}
