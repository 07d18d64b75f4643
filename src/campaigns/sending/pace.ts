const HOUR_MS = 3_600_000
/** What a campaign may catch up after it could not be sent at its rate: two seconds of it. */
const BURST_MS = 2000
/** The time that the emails of one request stand for, if that is at least one. */
const STEP_MS = 1000
/** The emails that wait in the queue stand for at most so much of the rate. */
const WINDOW_MS = 120_000

/**
 * The pace of a campaign as a token bucket: a time at which the next email may be accepted, which each email moves by its share of
 * an hour. It is stored, so the rate holds for all processes together and after a crash.
 */
export interface Pace {
  pacedUntil: Date | null
  ratePerHour: number
}

const spacingMs = (ratePerHour: number) => HOUR_MS / ratePerHour

/**
 * Returns the time at which the next email may be accepted, in milliseconds. It is never further away than one email at the
 * current rate, so neither a clock that was set back nor a lower rate before holds a campaign up.
 */
function nextMs({ pacedUntil, ratePerHour }: Pace, nowMs: number): number {
  const storedMs = pacedUntil?.getTime() ?? 0
  return Math.min(Math.max(storedMs, nowMs - BURST_MS), nowMs + spacingMs(ratePerHour))
}

/** Returns how many emails may be accepted now. */
export function allowanceOf(pace: Pace, now: Date): number {
  const freeMs = now.getTime() - nextMs(pace, now.getTime())
  return freeMs < 0 ? 0 : Math.floor(freeMs / spacingMs(pace.ratePerHour)) + 1
}

/** Returns the time at which the next email may be accepted after `count` emails now. */
export function paceAfter(pace: Pace, now: Date, count: number): Date {
  return new Date(Math.ceil(nextMs(pace, now.getTime()) + count * spacingMs(pace.ratePerHour)))
}

/** Returns in how many milliseconds so many emails may be accepted. */
export function waitMsFor(pace: Pace, now: Date, count: number): number {
  const fullMs = nextMs(pace, now.getTime()) + (count - 1) * spacingMs(pace.ratePerHour)
  return Math.max(0, Math.ceil(fullMs - now.getTime()))
}

/** Returns how many emails one request should have at least, so that they are accepted evenly and not one by one. */
export function stepOf(ratePerHour: number | null, countMax: number): number {
  if (ratePerHour === null) return countMax
  return Math.min(countMax, Math.max(1, Math.floor(STEP_MS / spacingMs(ratePerHour))))
}

/** Returns how many emails of a campaign may wait in the queue. */
export function windowOf(ratePerHour: number | null, countMax: number): number {
  if (ratePerHour === null) return countMax
  return Math.min(countMax, Math.max(1, Math.floor(WINDOW_MS / spacingMs(ratePerHour))))
}
