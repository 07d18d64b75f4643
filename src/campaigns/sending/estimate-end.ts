import type { CampaignProgress } from '../rows/progress-queries.ts'
import { openingsFrom, type SendWindow, waitsUntil } from '../rows/send-window.ts'

const HOUR_MS = 3_600_000
/** The same as in recordAccepted: so much later, an email counts a factor of e less. */
const FADING_MS = 300_000
/** After this time without an acceptance, it is not known how fast the next ones are. */
const STALE_MS = 600_000
/** Time after which the rate is known. The first batches are accepted at once. */
const KNOWN_AFTER_MS = 10_000
/** A campaign that is accepted at this share of its limit is held by it. */
const LIMITED_SHARE = 0.7
/** An end after more openings is not worth an estimate, which takes some milliseconds. */
const OPENINGS_MAX = 100

type Recent = Pick<CampaignProgress, 'recent' | 'recentAt' | 'recentSince'>

/** Returns how many emails an hour were accepted in the last minutes; null if that is not known. */
export function rateOf({ recent, recentAt, recentSince }: Recent, now: Date): number | null {
  if (recentAt === null || recentSince === null) return null
  const elapsedMs = now.getTime() - recentSince.getTime()
  const idleMs = Math.max(0, now.getTime() - recentAt.getTime())
  if (elapsedMs < KNOWN_AFTER_MS || idleMs > STALE_MS) return null
  const weighted = recent * Math.exp(-idleMs / FADING_MS)
  // The sum of what was accepted since the beginning, each with its factor, is the rate times this time.
  const countedMs = FADING_MS * (1 - Math.exp(-elapsedMs / FADING_MS))
  return Math.round((weighted / countedMs) * HOUR_MS)
}

export interface Limits {
  ratePerHour: number | null
  sendWindow: SendWindow | null
}

/** Returns when the last email of a campaign that is being sent will be accepted; null if that is not known. */
export function estimateEnd(progress: CampaignProgress, limits: Limits, now: Date): Date | null {
  if (!progress.isAudienceDone) return null
  if (progress.waiting === 0) return now
  // It depends on the zones of those who wait.
  if (limits.sendWindow?.byContact === true) return null
  const perHour = expectedRate(progress, limits, now)
  if (perHour === null || perHour <= 0) return null
  return addOpenTime(limits.sendWindow, now, (progress.waiting / perHour) * HOUR_MS)
}

/**
 * Returns when a campaign would accept its first and its last email if it began at a time. The end is null without a rate, because
 * nothing shows yet how fast it will be, and if contacts have hours of their own.
 */
export function estimateRun(
  count: number,
  { ratePerHour, sendWindow }: Limits,
  startsAt: Date,
): { beginsAt: Date; endsAt: Date | null } {
  const beginsAt = waitsUntil(sendWindow, startsAt) ?? startsAt
  if (ratePerHour === null || sendWindow?.byContact === true) return { beginsAt, endsAt: null }
  return { beginsAt, endsAt: addOpenTime(sendWindow, beginsAt, (count / ratePerHour) * HOUR_MS) }
}

function expectedRate(progress: Recent, { ratePerHour, sendWindow }: Limits, now: Date): number | null {
  // Outside its hours, a campaign is not slower, but waits.
  const at = waitsUntil(sendWindow, now) === null ? now : (progress.recentAt ?? now)
  const rate = rateOf(progress, at)
  if (ratePerHour === null) return rate
  return rate === null || rate > ratePerHour * LIMITED_SHARE ? ratePerHour : rate
}

/** Returns the time after so many milliseconds within the openings of a window. */
function addOpenTime(window: SendWindow | null, now: Date, openMs: number): Date | null {
  if (window === null) return dateOf(now.getTime() + openMs)
  let restMs = openMs
  let count = 0
  for (const { opensAt, closesAt } of openingsFrom(window, now)) {
    const beginMs = Math.max(now.getTime(), opensAt.getTime())
    if (beginMs + restMs <= closesAt.getTime()) return dateOf(beginMs + restMs)
    restMs -= closesAt.getTime() - beginMs
    if (++count === OPENINGS_MAX) break
  }
  return null
}

/** The last year that is written with four digits. */
const LAST_MS = Date.UTC(9999, 11, 31)

function dateOf(ms: number): Date | null {
  return ms > LAST_MS ? null : new Date(Math.ceil(ms))
}
