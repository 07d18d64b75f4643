import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'
import { compareTexts } from '../../lib/text/compare-texts.ts'

export interface EndpointKey {
  teamId: string
  id: string
}

/** A webhook's row, as whoever has it leased needs it. */
export interface Endpoint extends EndpointKey {
  url: string
  /** Empty: all. */
  types: readonly string[]
  sealedSecret: Buffer
  sealedOldSecret: Buffer | null
  oldSecretUntil: Date | null
  position: number
  failingSince: Date | null
  probeAt: Date | null
  nextRetryAt: Date | null
  /** Changes with every change that somebody makes to it. */
  updatedAt: Date
}

/** What may have changed of a leased endpoint, as of one moment. */
export interface EndpointPeek extends EndpointKey {
  updatedAt: Date
  nextRetryAt: Date | null
  /** The number of its team's newest event. */
  feedEnd: number
}

interface Row {
  teamId: string
  id: string
  url: string
  types: string[]
  sealedSecret: Buffer
  sealedOldSecret: Buffer | null
  oldSecretUntil: Date | null
  position: number
  failingSince: Date | null
  probeAt: Date | null
  nextRetryAt: Date | null
  updatedAt: Date
}

const COLUMNS = `w.team_id, w.id, w.url, w.types, w.sealed_secret, w.sealed_old_secret, w.old_secret_until, w.position,
  w.failing_since, w.probe_at, w.next_retry_at, w.updated_at`

function toEndpoint(row: Row): Endpoint {
  return {
    teamId: row.teamId,
    id: row.id,
    url: row.url,
    types: row.types,
    sealedSecret: row.sealedSecret,
    sealedOldSecret: row.sealedOldSecret,
    oldSecretUntil: row.oldSecretUntil,
    position: row.position,
    failingSince: row.failingSince,
    probeAt: row.probeAt,
    nextRetryAt: row.nextRetryAt,
    updatedAt: row.updatedAt,
  }
}

const keysOf = (keys: readonly EndpointKey[]) => [
  arrays.uuid(keys.map((key) => key.teamId)),
  arrays.uuid(keys.map((key) => key.id)),
]

/** Sorted by full key before a write of many, so that two processes never lock the same rows in opposite order. */
export function byEndpoint(a: EndpointKey, b: EndpointKey): number {
  return compareTexts(a.teamId, b.teamId) || compareTexts(a.id, b.id)
}

/** An endpoint that nobody has, and that has something to do: new events that it may be told, or a retry. */
const HAS_WORK = `w.status = 'enabled'
  and (w.leased_until is null or w.leased_until <= $1)
  and (
    w.next_retry_at <= $1
    or ((w.probe_at is null or w.probe_at <= $1)
      and exists (select from event_feed f where f.team_id = w.team_id and f.position > w.position))
  )`

/**
 * Leases endpoints with something to do: of every team one before any team gets a second, in an order that `seed` shuffles,
 * so that where there are more than `countMax` each comes to its turn.
 */
export async function claimEndpoints(
  db: Queryable,
  claim: { nodeId: string; now: Date; leasedUntil: Date; countMax: number; seed: number },
): Promise<Endpoint[]> {
  const { nodeId, now, leasedUntil, countMax, seed } = claim
  const rows = await db.query<Row>(
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
  return rows.map(toEndpoint)
}

/** Whether an endpoint waits for somebody to lease it. */
export async function isEndpointWaiting(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(`select from webhook w where ${HAS_WORK} limit 1`, [now])
  return rows.length > 0
}

/** Those of `keys` that are still there, enabled and leased to this process; each beside its feed's end at that moment. */
export async function peekEndpoints(
  db: Queryable,
  keys: readonly EndpointKey[],
  nodeId: string,
): Promise<EndpointPeek[]> {
  const rows = await db.query<{
    teamId: string
    id: string
    updatedAt: Date
    nextRetryAt: Date | null
    feedEnd: number
  }>(
    `select w.team_id, w.id, w.updated_at, w.next_retry_at, coalesce(f.position, 0) as feed_end
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, id)
     join webhook w on w.team_id = k.team_id and w.id = k.id
     left join event_feed f on f.team_id = k.team_id
     where w.leased_by = $3 and w.status = 'enabled'`,
    [...keysOf(keys), nodeId],
  )
  return rows.map((row) => ({
    teamId: row.teamId,
    id: row.id,
    updatedAt: row.updatedAt,
    nextRetryAt: row.nextRetryAt,
    feedEnd: row.feedEnd,
  }))
}

/** The whole rows of leased endpoints. */
export async function readEndpoints(
  db: Queryable,
  keys: readonly EndpointKey[],
  nodeId: string,
): Promise<Endpoint[]> {
  if (keys.length === 0) return []
  const rows = await db.query<Row>(
    `select ${COLUMNS}
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, id)
     join webhook w on w.team_id = k.team_id and w.id = k.id
     where w.leased_by = $3 and w.status = 'enabled'`,
    [...keysOf(keys), nodeId],
  )
  return rows.map(toEndpoint)
}

/** Where an endpoint has come to without anything to write of it: events that it does not want. */
export interface Progress extends EndpointKey {
  position: number
}

/** Says that this process is still at work on these, and how far they have come. Returns those that it still has. */
export async function extendEndpointLeases(
  db: Queryable,
  endpoints: readonly Progress[],
  nodeId: string,
  leasedUntil: Date,
): Promise<EndpointKey[]> {
  const sorted = endpoints.toSorted(byEndpoint)
  const rows = await db.query<{ teamId: string; id: string }>(
    `update webhook w
     set leased_until = $5, position = greatest(w.position, k.position)
     from unnest($1::uuid[], $2::uuid[], $3::int8[]) as k (team_id, id, position)
     where w.team_id = k.team_id and w.id = k.id
       and w.leased_by = $4
     returning w.team_id, w.id`,
    [...keysOf(sorted), positionsOf(sorted), nodeId, leasedUntil],
  )
  return rows.map((row) => ({ teamId: row.teamId, id: row.id }))
}

/** Gives endpoints back: anyone may lease them now. Those that were changed meanwhile rest no longer than they do. */
export async function releaseEndpoints(
  db: Queryable,
  endpoints: readonly (Progress & { probeAt: Date | null; updatedAt: Date })[],
  nodeId: string,
): Promise<void> {
  if (endpoints.length === 0) return
  const sorted = endpoints.toSorted(byEndpoint)
  await db.query(
    `update webhook w
     set leased_by = null, leased_until = null, position = greatest(w.position, k.position),
       probe_at = case when w.updated_at = k.updated_at then k.probe_at else w.probe_at end
     from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::timestamptz[], $5::timestamptz[])
       as k (team_id, id, position, probe_at, updated_at)
     where w.team_id = k.team_id and w.id = k.id
       and w.leased_by = $6`,
    [
      ...keysOf(sorted),
      positionsOf(sorted),
      arrays.timestamptz(sorted.map(({ probeAt }) => probeAt)),
      arrays.timestamptz(sorted.map(({ updatedAt }) => updatedAt)),
      nodeId,
    ],
  )
}

function positionsOf(endpoints: readonly Progress[]): Buffer {
  return arrays.int8(endpoints.map(({ position }) => position))
}

/** Endpoints for the gauges: how many are well, fail, or are switched off. */
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

/** When the oldest event happened that a healthy endpoint has not come to yet; null: none is behind. */
export async function findOldestUntold(db: Queryable): Promise<Date | null> {
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
