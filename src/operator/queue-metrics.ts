import type { Queryable } from '../db/db-types.ts'
import { oldestReadySeconds } from '../queue/depth-queries.ts'
import {
  findNextDue,
  listOpenPlaces,
  listWaitedSites,
  type OpenPlace,
  type WaitedSite,
} from '../queue/open-by-place-queries.ts'
import { countOpen, type OpenCounts } from '../queue/open-counts-queries.ts'
import { findTeamNames } from '../teams/operator-teams-queries.ts'

/** Open deliveries of one team or one destination. */
export interface OpenSum {
  ready: number
  waiting: number
  oldestReadyAt: Date | null
}

export interface QueueMetrics {
  asOf: Date
  counts: OpenCounts
  oldestReadySeconds: number
  nextDueAt: Date | null
  teams: ({ id: string; name: string | null } & OpenSum)[]
  destinations: ({ domain: string } & OpenSum)[]
  sites: WaitedSite[]
}

const SHOWN_MAX = 20

/** Reads the depth of the queue, by team and destination. Every query is bounded, whatever the depth. */
export async function readQueueMetrics(db: Queryable, now: Date): Promise<QueueMetrics> {
  const places = await listOpenPlaces(db)
  const teams = sumBy(places, ({ teamId }) => teamId)
  const names = await findTeamNames(
    db,
    teams.map(([id]) => id),
  )
  return {
    asOf: now,
    counts: await countOpen(db),
    oldestReadySeconds: await oldestReadySeconds(db, now),
    nextDueAt: await findNextDue(db),
    teams: teams.map(([id, sum]) => ({ id, name: names.get(id) ?? null, ...sum })),
    destinations: sumBy(places, ({ domain }) => domain).map(([domain, sum]) => ({ domain, ...sum })),
    sites: await listWaitedSites(db, SHOWN_MAX),
  }
}

/** Sums places by key. Returns the keys with the most deliveries. */
function sumBy(places: readonly OpenPlace[], keyOf: (place: OpenPlace) => string): [string, OpenSum][] {
  const sums = new Map<string, OpenSum>()
  for (const place of places) {
    const sum = sums.get(keyOf(place)) ?? { ready: 0, waiting: 0, oldestReadyAt: null }
    sum.ready += place.ready
    sum.waiting += place.waiting
    if (place.oldestReadyAt !== null && place.oldestReadyAt < (sum.oldestReadyAt ?? LATEST))
      sum.oldestReadyAt = place.oldestReadyAt
    sums.set(keyOf(place), sum)
  }
  return [...sums].sort(([, a], [, b]) => b.ready + b.waiting - (a.ready + a.waiting)).slice(0, SHOWN_MAX)
}

const LATEST = new Date(8.64e15)
