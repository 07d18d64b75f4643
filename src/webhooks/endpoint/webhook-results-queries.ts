import { batchOf } from '../../db/batch.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import { byEndpoint, type EndpointKey } from './endpoint-workers-queries.ts'

/** One stored request to an endpoint. */
export interface StoredAttempt {
  at: Date
  /** The status of the response, or null without one. */
  status: number | null
  latencyMs: number
  /** The reason for the failure, for people. */
  error: string | null
}

/** The result of one attempt, and the time of the next. */
export interface AttemptResult {
  id: string
  lastAttempt: StoredAttempt
  status: 'waiting' | 'delivered' | 'failed'
  /** Null if there is no further attempt. */
  dueAt: Date | null
  answer: string | null
}

/** The result of an event's first attempt. */
export interface FirstResult extends AttemptResult {
  eventId: string
  subjectId: string
  type: string
}

/** The result of a retry, a replay or a test. */
export interface LaterResult extends AttemptResult {
  /** The number of earlier attempts. */
  attemptCount: number
}

/** The state of an endpoint after its results. */
export interface EndpointState extends EndpointKey {
  position: number
  failingSince: Date | null
  probeAt: Date | null
  /** The version of the endpoint that the results belong to. */
  updatedAt: Date
}

/** A due delivery. */
export interface DueWebhook extends EndpointKey {
  webhookId: string
  eventId: string | null
  subjectId: string | null
  type: string
  /** Data of a test or of a call by an automation, sent in place of an event's. */
  payload: Record<string, unknown> | null
  /** Sent as `webhook-id`. */
  messageId: string
  attemptCount: number
  createdAt: Date
}

const STATES = batchOf(
  'team_id uuid, id uuid, position int8, failing_since timestamptz, probe_at timestamptz, updated_at timestamptz',
)

const WRITE_ENDPOINT_STATES = `update webhook w
  set position = greatest(w.position, k.position),
    failing_since = case when w.updated_at = k.updated_at then k.failing_since else w.failing_since end,
    probe_at = case when w.updated_at = k.updated_at then k.probe_at else w.probe_at end
  from unnest(${STATES.arraysFrom(2)}) as k (${STATES.names})
  where w.team_id = k.team_id and w.id = k.id
    and w.leased_by = $1
  returning w.team_id, w.id`

/**
 * Writes the states of endpoints, and locks them. If an endpoint was changed in the meantime, only its position is
 * written. Returns the endpoints that this process still leases. `states` must be sorted by key.
 */
export async function writeEndpointStates(
  tx: Queryable,
  states: readonly EndpointState[],
  nodeId: string,
): Promise<EndpointKey[]> {
  return tx.query<EndpointKey>(WRITE_ENDPOINT_STATES, [nodeId, ...STATES.values(states)])
}

type Of<T> = T & { webhook: EndpointKey }

const FIRST_RESULTS = batchOf(
  `team_id uuid, webhook_id uuid, id uuid, event_id uuid, subject_id uuid, type text, status text, due_at timestamptz,
   tries jsonb, answer_status int2, answer text`,
  {
    team_id: ({ webhook }: Of<FirstResult>) => webhook.teamId,
    webhook_id: ({ webhook }: Of<FirstResult>) => webhook.id,
    tries: ({ lastAttempt }: Of<FirstResult>) => [attemptToJson(lastAttempt)],
    answer_status: ({ lastAttempt }: Of<FirstResult>) => lastAttempt.status,
  },
)

const INSERT_FIRST_RESULTS = `insert into webhook_delivery (${FIRST_RESULTS.names}, created_at, updated_at)
  select k.*, $1, $1
  from unnest(${FIRST_RESULTS.arraysFrom(2)}) as k (${FIRST_RESULTS.names})
  on conflict (team_id, webhook_id, id) do nothing`

/** Idempotent: results may be written again if the outcome of a commit is unknown. */
export async function insertFirstResults(
  tx: Queryable,
  results: readonly Of<FirstResult>[],
  now: Date,
): Promise<void> {
  if (results.length > 0) await tx.query(INSERT_FIRST_RESULTS, [now, ...FIRST_RESULTS.values(results)])
}

const LATER_RESULTS = batchOf(
  `team_id uuid, webhook_id uuid, id uuid, status text, due_at timestamptz, tries jsonb, answer_status int2,
   answer text, attempt_count int4`,
  {
    team_id: ({ webhook }: Of<LaterResult>) => webhook.teamId,
    webhook_id: ({ webhook }: Of<LaterResult>) => webhook.id,
    tries: ({ lastAttempt }: Of<LaterResult>) => [attemptToJson(lastAttempt)],
    answer_status: ({ lastAttempt }: Of<LaterResult>) => lastAttempt.status,
  },
)

const UPDATE_LATER_RESULTS = `update webhook_delivery d
  set status = k.status, due_at = k.due_at, tries = d.tries || k.tries, answer_status = k.answer_status,
    answer = k.answer, updated_at = $1
  from unnest(${LATER_RESULTS.arraysFrom(2)}) as k (${LATER_RESULTS.names})
  where d.team_id = k.team_id and d.webhook_id = k.webhook_id and d.id = k.id
    and jsonb_array_length(d.tries) = k.attempt_count`

/** Idempotent: an attempt that already exists is not added again. */
export async function updateLaterResults(
  tx: Queryable,
  results: readonly Of<LaterResult>[],
  now: Date,
): Promise<void> {
  if (results.length > 0) await tx.query(UPDATE_LATER_RESULTS, [now, ...LATER_RESULTS.values(results)])
}

function attemptToJson({ at, status, latencyMs, error }: StoredAttempt) {
  return { at: at.toISOString(), status, latency_ms: latencyMs, error }
}

const KEYS = batchOf('team_id uuid, id uuid')

const WRITE_NEXT_RETRIES = `update webhook w
  set next_retry_at = (
    select min(d.due_at)
    from webhook_delivery d
    where d.team_id = w.team_id and d.webhook_id = w.id and d.due_at is not null
  )
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  where w.team_id = k.team_id and w.id = k.id`

/**
 * Sets the next retry of endpoints to their earliest due delivery. The caller must have locked their rows, or it
 * might miss one.
 */
export async function writeNextRetries(tx: Queryable, keys: readonly EndpointKey[]): Promise<void> {
  if (keys.length > 0) await tx.query(WRITE_NEXT_RETRIES, KEYS.values(keys))
}

/** Corrects endpoints whose next retry no longer exists because it was deleted by retention. */
export async function correctNextRetries(db: Db, keys: readonly EndpointKey[]): Promise<void> {
  if (keys.length === 0) return
  const sorted = keys.toSorted(byEndpoint)
  await db.transaction(async (tx) => {
    await tx.query(
      `select w.id
       from unnest(${KEYS.arrays}) as k (${KEYS.names})
       join webhook w on w.team_id = k.team_id and w.id = k.id
       for update of w`,
      KEYS.values(sorted),
    )
    await writeNextRetries(tx, sorted)
  })
}

/** Disables an endpoint. Returns its URL, or null if it was already disabled or was changed in the meantime. */
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

/**
 * Fails the waiting deliveries of a disabled endpoint. Returns their number; if that is `countMax`, there may be
 * more.
 */
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

/**
 * Deliveries of one subject go one after the other, and nothing else is loaded until all are written. More of them would hold
 * up the others, which are looked for among CANDIDATES_FACTOR times as many deliveries.
 */
const OF_SUBJECT_MAX = 8
const CANDIDATES_FACTOR = 4

const FIND_DUE_DELIVERIES = `select k.team_id, k.id as webhook_id, d.id, d.event_id, d.subject_id, d.type, d.payload,
    coalesce(d.message_id, d.event_id, d.id) as message_id, jsonb_array_length(d.tries) as attempt_count, d.created_at
  from unnest(${KEYS.arraysFrom(3)}) as k (${KEYS.names})
  cross join lateral (
    select *
    from (
      select *, row_number() over (partition by coalesce(c.subject_id, c.id) order by c.due_at) as no_of_subject
      from (
        select *
        from webhook_delivery d
        where d.team_id = k.team_id and d.webhook_id = k.id and d.due_at <= $1
        order by d.due_at
        limit $2 * ${CANDIDATES_FACTOR}
      ) c
    ) r
    where r.no_of_subject <= ${OF_SUBJECT_MAX}
    order by r.due_at
    limit $2
  ) d`

/** Returns the due deliveries of each endpoint, longest due first, at most `countMax` per endpoint and a few of each subject. */
export async function findDueDeliveries(
  db: Queryable,
  keys: readonly EndpointKey[],
  now: Date,
  countMax: number,
): Promise<DueWebhook[]> {
  if (keys.length === 0) return []
  return db.query<DueWebhook>(FIND_DUE_DELIVERIES, [now, countMax, ...KEYS.values(keys)])
}
