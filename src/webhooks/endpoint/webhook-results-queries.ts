import { arrays } from '../../db/arrays.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import { byEndpoint, type EndpointKey } from './endpoint-workers-queries.ts'

/** One request to an endpoint, as it is kept. */
export interface Attempt {
  at: Date
  /** Of the answer; null: none came. */
  status: number | null
  latencyMs: number
  /** Why it did not succeed, in words for people. */
  error: string | null
}

/** What became of one try, and when it is tried again. */
export interface AttemptResult {
  id: string
  lastAttempt: Attempt
  status: 'waiting' | 'delivered' | 'failed'
  /** Null: never again. */
  dueAt: Date | null
  answer: string | null
}

/** An event that was tried for the first time. */
export interface FirstResult extends AttemptResult {
  eventId: string
  subjectId: string
  type: string
}

/** A retry, a replay or a test. */
export interface LaterResult extends AttemptResult {
  /** The tries before this one. */
  triesCount: number
}

/** How an endpoint stands after its results. */
export interface EndpointState extends EndpointKey {
  position: number
  failingSince: Date | null
  probeAt: Date | null
  /** Which version of the endpoint did so. */
  updatedAt: Date
}

/** A delivery whose time has come. */
export interface DueDelivery extends EndpointKey {
  webhookId: string
  eventId: string | null
  subjectId: string | null
  type: string
  /** What is sent in place of an event's data: a test. */
  payload: Record<string, unknown> | null
  triesCount: number
  createdAt: Date
}

/**
 * Writes how endpoints stand, and locks them; of those that were changed meanwhile only how far they have come. Returns
 * those that this process still has. `states` are sorted by key.
 */
export async function writeEndpointStates(
  tx: Queryable,
  states: readonly EndpointState[],
  nodeId: string,
): Promise<EndpointKey[]> {
  const rows = await tx.query<{ teamId: string; id: string }>(
    `update webhook w
     set position = greatest(w.position, k.position),
       failing_since = case when w.updated_at = k.updated_at then k.failing_since else w.failing_since end,
       probe_at = case when w.updated_at = k.updated_at then k.probe_at else w.probe_at end
     from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
       as k (team_id, id, position, failing_since, probe_at, updated_at)
     where w.team_id = k.team_id and w.id = k.id
       and w.leased_by = $7
     returning w.team_id, w.id`,
    [
      arrays.uuid(states.map((state) => state.teamId)),
      arrays.uuid(states.map((state) => state.id)),
      arrays.int8(states.map((state) => state.position)),
      arrays.timestamptz(states.map((state) => state.failingSince)),
      arrays.timestamptz(states.map((state) => state.probeAt)),
      arrays.timestamptz(states.map((state) => state.updatedAt)),
      nodeId,
    ],
  )
  return rows.map((row) => ({ teamId: row.teamId, id: row.id }))
}

type Of<T> = T & { webhook: EndpointKey }

/** Idempotent: an outcome of a commit that nobody heard of may be written again. */
export async function insertFirstResults(
  tx: Queryable,
  results: readonly Of<FirstResult>[],
  now: Date,
): Promise<void> {
  if (results.length === 0) return
  await tx.query(
    `insert into webhook_delivery (team_id, webhook_id, id, event_id, subject_id, type, status, due_at, tries,
       answer_status, answer, created_at, updated_at)
     select k.team_id, k.webhook_id, k.id, k.event_id, k.subject_id, k.type, k.status, k.due_at, k.tries,
       k.answer_status, k.answer, $12, $12
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::timestamptz[],
       $9::jsonb[], $10::int2[], $11::text[])
       as k (team_id, webhook_id, id, event_id, subject_id, type, status, due_at, tries, answer_status, answer)
     on conflict (team_id, webhook_id, id) do nothing`,
    [
      arrays.uuid(results.map(({ webhook }) => webhook.teamId)),
      arrays.uuid(results.map(({ webhook }) => webhook.id)),
      arrays.uuid(results.map(({ id }) => id)),
      arrays.uuid(results.map(({ eventId }) => eventId)),
      arrays.uuid(results.map(({ subjectId }) => subjectId)),
      arrays.text(results.map(({ type }) => type)),
      arrays.text(results.map(({ status }) => status)),
      arrays.timestamptz(results.map(({ dueAt }) => dueAt)),
      arrays.jsonb(results.map(({ lastAttempt }) => `[${writeAttempt(lastAttempt)}]`)),
      arrays.int2(results.map(({ lastAttempt }) => lastAttempt.status)),
      arrays.text(results.map(({ answer }) => answer)),
      now,
    ],
  )
}

/** Idempotent: a try that is there already is not added again. */
export async function updateLaterResults(
  tx: Queryable,
  results: readonly Of<LaterResult>[],
  now: Date,
): Promise<void> {
  if (results.length === 0) return
  await tx.query(
    `update webhook_delivery d
     set status = k.status, due_at = k.due_at, tries = d.tries || k.tries, answer_status = k.answer_status,
       answer = k.answer, updated_at = $10
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[], $7::int2[], $8::text[],
       $9::int4[]) as k (team_id, webhook_id, id, status, due_at, tries, answer_status, answer, tries_count)
     where d.team_id = k.team_id and d.webhook_id = k.webhook_id and d.id = k.id
       and jsonb_array_length(d.tries) = k.tries_count`,
    [
      arrays.uuid(results.map(({ webhook }) => webhook.teamId)),
      arrays.uuid(results.map(({ webhook }) => webhook.id)),
      arrays.uuid(results.map(({ id }) => id)),
      arrays.text(results.map(({ status }) => status)),
      arrays.timestamptz(results.map(({ dueAt }) => dueAt)),
      arrays.jsonb(results.map(({ lastAttempt }) => `[${writeAttempt(lastAttempt)}]`)),
      arrays.int2(results.map(({ lastAttempt }) => lastAttempt.status)),
      arrays.text(results.map(({ answer }) => answer)),
      arrays.int4(results.map(({ triesCount }) => triesCount)),
      now,
    ],
  )
}

function writeAttempt({ at, status, latencyMs, error }: Attempt): string {
  return JSON.stringify({ at: at.toISOString(), status, latency_ms: latencyMs, error })
}

/** Says of endpoints when their earliest retry is due. To be called once their rows are locked, or it might miss one. */
export async function writeNextRetries(tx: Queryable, keys: readonly EndpointKey[]): Promise<void> {
  if (keys.length === 0) return
  await tx.query(
    `update webhook w
     set next_retry_at = (
       select min(d.due_at)
       from webhook_delivery d
       where d.team_id = w.team_id and d.webhook_id = w.id and d.due_at is not null
     )
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, id)
     where w.team_id = k.team_id and w.id = k.id`,
    [arrays.uuid(keys.map((key) => key.teamId)), arrays.uuid(keys.map((key) => key.id))],
  )
}

/** The same for endpoints whose retries are not where their rows say: they went with their time. */
export async function correctNextRetries(db: Db, keys: readonly EndpointKey[]): Promise<void> {
  if (keys.length === 0) return
  const sorted = keys.toSorted(byEndpoint)
  await db.transaction(async (tx) => {
    await tx.query(
      `select w.id
       from unnest($1::uuid[], $2::uuid[]) as k (team_id, id)
       join webhook w on w.team_id = k.team_id and w.id = k.id
       for update of w`,
      [arrays.uuid(sorted.map((key) => key.teamId)), arrays.uuid(sorted.map((key) => key.id))],
    )
    await writeNextRetries(tx, sorted)
  })
}

/** Switches an endpoint off for a reason. Returns its URL; null: it was off already, or was changed meanwhile. */
export async function disableEndpoint(
  tx: Queryable,
  { teamId, id, updatedAt }: EndpointState,
  reason: string,
  now: Date,
): Promise<string | null> {
  const rows = await tx.query<{ url: string }>(
    `update webhook
     set status = 'disabled', disabled_reason = $3, disabled_at = $4, updated_at = $4, next_retry_at = null, probe_at = null
     where team_id = $1 and id = $2 and status = 'enabled' and updated_at = $5
     returning url`,
    [teamId, id, reason, now, updatedAt],
  )
  return rows[0]?.url ?? null
}

/** Gives up what waits to be tried again at an endpoint that is switched off. Returns how many; as many as `countMax`: there may be more. */
export async function giveUpWaiting(
  db: Queryable,
  { teamId, id }: EndpointKey,
  now: Date,
  countMax: number,
): Promise<number> {
  const rows = await db.query(
    `update webhook_delivery d
     set status = 'failed', due_at = null, updated_at = $3
     from (
       select id
       from webhook_delivery
       where team_id = $1 and webhook_id = $2 and due_at is not null
         and exists (select from webhook where team_id = $1 and id = $2 and status = 'disabled')
       order by due_at
       limit $4
     ) k
     where d.team_id = $1 and d.webhook_id = $2 and d.id = k.id
     returning d.id`,
    [teamId, id, now, countMax],
  )
  return rows.length
}

/** Of each endpoint the deliveries that are due, the longest due first, at most `countMax` of each. */
export async function findDueDeliveries(
  db: Queryable,
  keys: readonly EndpointKey[],
  now: Date,
  countMax: number,
): Promise<DueDelivery[]> {
  if (keys.length === 0) return []
  const rows = await db.query<{
    teamId: string
    webhookId: string
    id: string
    eventId: string | null
    subjectId: string | null
    type: string
    payload: Record<string, unknown> | null
    triesCount: number
    createdAt: Date
  }>(
    `select k.team_id, k.webhook_id, d.id, d.event_id, d.subject_id, d.type, d.payload,
       jsonb_array_length(d.tries) as tries_count, d.created_at
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, webhook_id)
     cross join lateral (
       select *
       from webhook_delivery d
       where d.team_id = k.team_id and d.webhook_id = k.webhook_id and d.due_at <= $3
       order by d.due_at
       limit $4
     ) d`,
    [arrays.uuid(keys.map((key) => key.teamId)), arrays.uuid(keys.map((key) => key.id)), now, countMax],
  )
  return rows.map((row) => ({
    teamId: row.teamId,
    webhookId: row.webhookId,
    id: row.id,
    eventId: row.eventId,
    subjectId: row.subjectId,
    type: row.type,
    payload: row.payload,
    triesCount: row.triesCount,
    createdAt: row.createdAt,
  }))
}
