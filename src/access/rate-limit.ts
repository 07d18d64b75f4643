import { DatabaseUnavailable, type Db } from '../db/db-types.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Bucket } from './plans.ts'
import { countRequests, WINDOW_MS } from './rate-windows-queries.ts'

export interface Admission {
  isAdmitted: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window ends, 1-60. */
  resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request of a team. Throws DatabaseUnavailable when it cannot be counted. */
  admit(teamId: string, bucket: Bucket, limit: number): Promise<Admission>
}

interface RateRequest {
  teamId: string
  bucket: Bucket
  limit: number
}

/** A window that is used up. Its requests are rejected from memory until it ends. */
interface UsedUp {
  limit: number
  endsAtMs: number
}

const REQUESTS_PER_STATEMENT_MAX = 10_000
const USED_UP_COUNT_MAX = 10_000

/**
 * Creates a rate limiter that is exact across processes: PostgreSQL holds the count, and each request is counted in
 * exactly one statement. Requests that arrive during a statement share the next one, so under load one statement
 * counts dozens. The clocks of processes may differ by seconds: each process ends the window by its own clock.
 */
export function createRateLimiter(db: Db, clock: Clock): RateLimiter {
  const usedUp = new Map<string, UsedUp>()

  function rejectFromMemory(key: string, limit: number): Admission | null {
    const limitHit = usedUp.get(key)
    if (limitHit === undefined) return null
    const leftMs = limitHit.endsAtMs - clock.now().getTime()
    // A changed limit reopens the window, and a clock that jumped back must not keep it closed.
    if (leftMs <= 0 || leftMs > WINDOW_MS || limitHit.limit !== limit) {
      usedUp.delete(key)
      return null
    }
    return { isAdmitted: false, limit, remaining: 0, resetSeconds: Math.ceil(leftMs / 1000) }
  }

  async function runBatch(items: RateRequest[]): Promise<Admission[]> {
    const now = clock.now()
    const groups = groupByWindow(items)
    const windows = await countRequests(db, [...groups.values()], now)
    for (const window of windows) {
      const group = groups.get(keyOf(window)) as Group
      group.before = window.requests - group.requests
      group.endsAtMs = Math.min(window.openedAt.getTime(), now.getTime()) + WINDOW_MS
    }
    return items.map((item) => {
      const key = keyOf(item)
      const group = groups.get(key) as Group
      const place = ++group.before
      if (place > item.limit) remember(key, { limit: item.limit, endsAtMs: group.endsAtMs })
      return {
        isAdmitted: place <= item.limit,
        limit: item.limit,
        remaining: Math.max(0, item.limit - place),
        resetSeconds: Math.max(1, Math.ceil((group.endsAtMs - now.getTime()) / 1000)),
      }
    })
  }

  function remember(key: string, window: UsedUp): void {
    if (usedUp.size >= USED_UP_COUNT_MAX) usedUp.clear()
    usedUp.set(key, window)
  }

  const batcher = createBatcher<RateRequest, Admission>({
    run: runBatch,
    itemsMax: REQUESTS_PER_STATEMENT_MAX,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
  })

  return {
    async admit(teamId, bucket, limit) {
      const request = { teamId, bucket, limit }
      return rejectFromMemory(keyOf(request), limit) ?? batcher.add(request)
    },
  }
}

interface Group {
  teamId: string
  bucket: Bucket
  requests: number
  /** Requests counted earlier in this window. */
  before: number
  endsAtMs: number
}

function keyOf(window: { teamId: string; bucket: string }): string {
  return `${window.teamId} ${window.bucket}`
}

function groupByWindow(items: readonly RateRequest[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const { teamId, bucket } of items) {
    const key = keyOf({ teamId, bucket })
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { teamId, bucket, requests: 1, before: 0, endsAtMs: 0 })
    else group.requests++
  }
  return groups
}
