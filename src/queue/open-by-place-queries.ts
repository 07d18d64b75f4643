import { batchOf } from '../db/batch.ts'
import type { Queryable } from '../db/db-types.ts'
import { READY_DESTINATIONS } from './depth-queries.ts'
import type { DestinationKey } from './ready-destinations.ts'

/** Destinations scanned, in index order; a team with more is represented by its first ones. */
const DESTINATIONS_MAX = 500
/** Ready rows counted in total, evenly over the destinations. */
const READY_MAX = 100_000
/** Waiting rows counted, soonest due first. */
const WAITING_MAX = 10_000
/** Paused sites, and the deliveries counted for each. */
const SITES_MAX = 200
const WAITING_OF_SITE_MAX = 500

/** The open deliveries of one team to one destination; ready ones of one class. */
export interface OpenPlace {
  teamId: string
  domain: string
  /** Claimable now, up to the counting limit. */
  ready: number
  /** Leased, deferred or scheduled, among the WAITING_MAX soonest due. */
  waiting: number
  oldestReadyAt: Date | null
}

const DESTINATIONS = batchOf('team_id uuid, is_bulk bool, domain text')

/** Returns where the open deliveries are, at a cost that does not grow with their number. */
export async function listOpenPlaces(db: Queryable): Promise<OpenPlace[]> {
  const destinations = await db.query<DestinationKey & { dueAt: Date }>(
    `with recursive ${READY_DESTINATIONS}
     select team_id, bulk as is_bulk, domain, due_at
     from destination`,
    [DESTINATIONS_MAX],
  )
  const countMax = Math.ceil(READY_MAX / Math.max(1, destinations.length))
  const counts = await db.query<{ count: number }>(
    `select c.count
     from unnest(${DESTINATIONS.arraysFrom(2)}) with ordinality as k (${DESTINATIONS.names}, place)
     cross join lateral (
       select count(*)::int4 as count
       from (
         select 1
         from delivery d
         where d.ready and d.team_id = k.team_id and d.bulk = k.is_bulk and d.domain = k.domain
         limit $1
       ) as counted
     ) c
     order by k.place`,
    [countMax, ...DESTINATIONS.values(destinations)],
  )
  const ready = destinations.map((row, index) => ({
    teamId: row.teamId,
    domain: row.domain,
    ready: counts[index]?.count ?? 0,
    waiting: 0,
    oldestReadyAt: row.dueAt,
  }))
  return [...ready, ...(await listWaitingPlaces(db))]
}

async function listWaitingPlaces(db: Queryable): Promise<OpenPlace[]> {
  const rows = await db.query<{ teamId: string; domain: string; count: number }>(
    `select team_id, domain, count(*)::int4 as count
     from (
       select team_id, domain
       from delivery
       where due_at is not null and not ready
       order by coalesce(leased_until, due_at)
       limit ${WAITING_MAX}
     ) w
     group by team_id, domain`,
  )
  return rows.map(({ teamId, domain, count }) => ({
    teamId,
    domain,
    ready: 0,
    waiting: count,
    oldestReadyAt: null,
  }))
}

/** Returns when the next waiting delivery is due, or null if none is waiting. */
export async function findNextDue(db: Queryable): Promise<Date | null> {
  const rows = await db.query<{ at: Date }>(
    `select coalesce(leased_until, due_at) as at
     from delivery
     where due_at is not null and not ready
     order by coalesce(leased_until, due_at)
     limit 1`,
  )
  return rows[0]?.at ?? null
}

/** A paused site and its waiting deliveries in the database, up to WAITING_OF_SITE_MAX. */
export interface WaitedSite {
  name: string
  waiting: number
  pausedUntil: Date
  reason: string
}

/** Returns the `countMax` sites with the most waiting deliveries. */
export async function listWaitedSites(db: Queryable, countMax: number): Promise<WaitedSite[]> {
  return db.query<WaitedSite>(
    `select p.name, w.waiting, p.paused_until, p.reason
     from (
       select name, paused_until, reason, changed_at
       from site_pause
       where state <> 'resumed'
       order by changed_at desc
       limit ${SITES_MAX}
     ) p
     cross join lateral (
       select count(*)::int4 as waiting
       from (select 1 from delivery where waits_for = p.name limit ${WAITING_OF_SITE_MAX}) as counted
     ) w
     where w.waiting > 0
     order by w.waiting desc, p.name
     limit $1`,
    [countMax],
  )
}
