import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import { compareTexts } from '../../lib/text/compare-texts.ts'

export interface EndpointKey {
  teamId: string
  id: string
}

/** The fields of a webhook that its worker needs. */
export interface Endpoint extends EndpointKey {
  url: string
  /** Empty for all types. */
  types: readonly string[]
  sealedSecret: Buffer
  sealedOldSecret: Buffer | null
  oldSecretUntil: Date | null
  position: number
  failingSince: Date | null
  probeAt: Date | null
  nextRetryAt: Date | null
  /** Changes with every change by the owner. */
  updatedAt: Date
}

/** The fields of a leased endpoint that may have changed, from one snapshot. */
export interface EndpointPeek extends EndpointKey {
  updatedAt: Date
  nextRetryAt: Date | null
  /** The position of the team's newest event. */
  feedEnd: number
}

const COLUMNS = `w.team_id, w.id, w.url, w.types, w.sealed_secret, w.sealed_old_secret, w.old_secret_until, w.position,
  w.failing_since, w.probe_at, w.next_retry_at, w.updated_at`

const KEYS = batchOf('team_id uuid, id uuid')

/**
 * Compares endpoints by full key. Writes of several rows are sorted with it, so that two processes never lock the
 * same rows in opposite order.
 */
export function byEndpoint(a: EndpointKey, b: EndpointKey): number {
  return compareTexts(a.teamId, b.teamId) || compareTexts(a.id, b.id)
}

/** Selects unleased endpoints with work: new events, or a due retry. */
const HAS_WORK = `w.status = 'enabled'
  and (w.leased_until is null or w.leased_until <= $1)
  and (
    w.next_retry_at <= $1
    or ((w.probe_at is null or w.probe_at <= $1)
      and exists (select from event_feed f where f.team_id = w.team_id and f.position > w.position))
  )`

/**
 * Leases endpoints with work: one of every team before any team gets a second. `seed` shuffles the order, so that
 * every endpoint gets a turn if there are more than `countMax`.
 */
export async function claimEndpoints(
  db: Queryable,
  claim: { nodeId: string; now: Date; leasedUntil: Date; countMax: number; seed: number },
): Promise<Endpoint[]> {
  const { nodeId, now, leasedUntil, countMax, seed } = claim
  return db.query<Endpoint>(
    `with due as materialized (
       select w.team_id, w.id,
         row_number() over (partition by w.team_id order by hashtextextended(w.id::text, $4)) as turn
       from webhook w
       where ${HAS_WORK}
       order by turn, hashtextextended(w.team_id::text, $4)
       limit $5
     ),
     mine as materialized (
       select w.team_id, w.id
       from (select team_id, id from due order by team_id, id) d
       join webhook w on w.team_id = d.team_id and w.id = d.id
       where w.status = 'enabled' and (w.leased_until is null or w.leased_until <= $1)
       for update of w skip locked
     )
     update webhook w
     set leased_by = $2, leased_until = $3
     from mine m
     where w.team_id = m.team_id and w.id = m.id
     returning ${COLUMNS}`,
    [now, nodeId, leasedUntil, seed, countMax],
  )
}

/** Returns whether any endpoint waits for a lease. */
export async function isEndpointWaiting(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(`select from webhook w where ${HAS_WORK} limit 1`, [now])
  return rows.length > 0
}

const PEEK_ENDPOINTS = `select w.team_id, w.id, w.updated_at, w.next_retry_at, coalesce(f.position, 0) as feed_end
  from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
  join webhook w on w.team_id = k.team_id and w.id = k.id
  left join event_feed f on f.team_id = k.team_id
  where w.leased_by = $1 and w.status = 'enabled'`

/**
 * Returns those of `keys` that still exist, are enabled and are leased to this process, with the current end of their
 * feeds.
 */
export async function peekEndpoints(
  db: Queryable,
  keys: readonly EndpointKey[],
  nodeId: string,
): Promise<EndpointPeek[]> {
  return db.query<EndpointPeek>(PEEK_ENDPOINTS, [nodeId, ...KEYS.values(keys)])
}

/** Returns the whole rows of leased endpoints. */
export async function readEndpoints(
  db: Queryable,
  keys: readonly EndpointKey[],
  nodeId: string,
): Promise<Endpoint[]> {
  if (keys.length === 0) return []
  return db.query<Endpoint>(
    `select ${COLUMNS}
     from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
     join webhook w on w.team_id = k.team_id and w.id = k.id
     where w.leased_by = $1 and w.status = 'enabled'`,
    [nodeId, ...KEYS.values(keys)],
  )
}

/** Releases the endpoints of a dead process, so that others continue with them now. Returns the number of endpoints. */
export async function releaseEndpointsOf(db: Queryable, nodeId: string): Promise<number> {
  const rows = await db.query(
    `with leased as (
       select w.team_id, w.id
       from webhook w
       where w.leased_by = $1
       order by w.team_id, w.id
       for update
     )
     update webhook w
     set leased_by = null, leased_until = null
     from leased l
     where w.team_id = l.team_id and w.id = l.id
     returning w.id`,
    [nodeId],
  )
  return rows.length
}

/** The progress of an endpoint without results to write: past events that it does not subscribe to. */
export interface Progress extends EndpointKey {
  position: number
}

const PROGRESS = batchOf('team_id uuid, id uuid, position int8')

const EXTEND_ENDPOINT_LEASES = `update webhook w
  set leased_until = $2, position = greatest(w.position, k.position)
  from unnest(${PROGRESS.arraysFrom(3)}) as k (${PROGRESS.names})
  where w.team_id = k.team_id and w.id = k.id
    and w.leased_by = $1
  returning w.team_id, w.id`

/** Extends the leases of endpoints and saves their progress. Returns those that this process still leases. */
export async function extendEndpointLeases(
  db: Queryable,
  endpoints: readonly Progress[],
  nodeId: string,
  leasedUntil: Date,
): Promise<EndpointKey[]> {
  const sorted = endpoints.toSorted(byEndpoint)
  return db.query<EndpointKey>(EXTEND_ENDPOINT_LEASES, [nodeId, leasedUntil, ...PROGRESS.values(sorted)])
}

const RELEASED = batchOf('team_id uuid, id uuid, position int8, probe_at timestamptz, updated_at timestamptz')

const RELEASE_ENDPOINTS = `update webhook w
  set leased_by = null, leased_until = null, position = greatest(w.position, k.position),
    probe_at = case when w.updated_at = k.updated_at then k.probe_at else w.probe_at end
  from unnest(${RELEASED.arraysFrom(2)}) as k (${RELEASED.names})
  where w.team_id = k.team_id and w.id = k.id
    and w.leased_by = $1`

/** Releases endpoints to any process. An endpoint that was changed in the meantime keeps its own wait. */
export async function releaseEndpoints(
  db: Queryable,
  endpoints: readonly (Progress & { probeAt: Date | null; updatedAt: Date })[],
  nodeId: string,
): Promise<void> {
  if (endpoints.length === 0) return
  const sorted = endpoints.toSorted(byEndpoint)
  await db.query(RELEASE_ENDPOINTS, [nodeId, ...RELEASED.values(sorted)])
}

/** Counts healthy, failing and disabled endpoints for the metrics. */
export async function countEndpoints(
  db: Queryable,
): Promise<{ healthy: number; failing: number; disabled: number }> {
  const [row] = await db.query<{ healthy: number; failing: number; disabled: number }>(
    `select count(*) filter (where status = 'enabled' and failing_since is null) as healthy,
       count(*) filter (where status = 'enabled' and failing_since is not null) as failing,
       count(*) filter (where status = 'disabled') as disabled
     from webhook`,
  )
  return row ?? { healthy: 0, failing: 0, disabled: 0 }
}

/** Returns the time of the oldest event that a healthy endpoint has not processed, or null if none is behind. */
export async function findOldestPending(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ oldest: Date | null }>(
    `select min(e.created_at) as oldest
     from webhook w
     join event_feed f on f.team_id = w.team_id and f.position > w.position
     cross join lateral (
       select e.created_at
       from event e
       where e.team_id = w.team_id and e.position > w.position
       order by e.position
       limit 1
     ) e
     where w.status = 'enabled' and w.failing_since is null`,
  )
  return row?.oldest ?? null
}
