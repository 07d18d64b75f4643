import type { Db } from '../../src/db/db-types.ts'
import { notify } from '../../src/db/listen.ts'
import type { EventType } from '../../src/events/catalogue.ts'
import { recordEvents } from '../../src/events/record-queries.ts'
import { newId } from '../../src/lib/ids.ts'
import type { Requester } from './client.ts'

export interface GivenWebhook {
  id: string
  /** The path at the receiver, used only by this webhook. */
  path: string
  secret: string
}

let counter = 0

/** Creates a webhook at a separate path of the receiver at `url`. */
export async function givenWebhook(
  team: Pick<Requester, 'post'>,
  { url }: { url: string },
  fields: object = {},
): Promise<GivenWebhook> {
  const path = `/hook-${++counter}`
  const reply = await team.post('/webhooks', { endpoint: url + path, ...fields })
  if (reply.status !== 201) throw new Error(`POST /webhooks answered ${reply.status} ${reply.text}`)
  return { path, id: reply.json.id, secret: reply.json.signing_secret }
}

export interface Happening {
  count?: number
  type?: EventType
  /** The subjects of the events, in turn. */
  subjects?: readonly string[]
  /** The `no` of the first event. */
  from?: number
}

/** Records events of a team in one transaction, each with its number as `data.no`. */
export async function happen(
  db: Db,
  teamId: string,
  { count = 1, type = 'domain.created', subjects = [newId()], from = 0 }: Happening = {},
): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    teamId,
    subjectId: subjects[index % subjects.length] as string,
    type,
    data: { no: from + index },
  }))
  await db.transaction(async (tx) => recordEvents(tx, events, new Date()))
  // As the process that wrote them would.
  await notify(db, 'sendwright_events')
}

export interface WebhookRow {
  status: string
  disabledReason: string | null
  failingSince: Date | null
  nextRetryAt: Date | null
  probeAt: Date | null
  leasedBy: string | null
  position: number
}

export async function readWebhook(db: Db, id: string): Promise<WebhookRow> {
  const [row] = await db.query<WebhookRow>('select * from webhook where id = $1', [id])
  if (row === undefined) throw new Error(`webhook ${id} does not exist`)
  return row
}

export interface WebhookDeliveryRow {
  status: string
  tries: { at: string; status: number | null; latency_ms: number; error: string | null }[]
  answerStatus: number | null
  answer: string | null
  eventId: string
  dueAt: Date | null
}

export function readDeliveries(db: Db, id: string): Promise<WebhookDeliveryRow[]> {
  return db.query('select * from webhook_delivery where webhook_id = $1 order by id', [id])
}
