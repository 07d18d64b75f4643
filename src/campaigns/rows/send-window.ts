import { timeOfDayMs } from '../../lib/time/time-of-day.ts'
import { firstShownMs, wallMs } from '../../lib/time/time-zone.ts'

const DAY_MS = 24 * 3_600_000

/** The hours of the day in which a campaign is sent. */
export interface SendWindow {
  /** `HH:MM`, as clocks in the zone show it. */
  from: string
  /** The same; at or before `from`: on the next day. */
  to: string
  /** The name of an IANA time zone. */
  timeZone: string
  /** The days of the week on which it opens, from 1, Monday, to 7; null: all. */
  days: readonly number[] | null
  /** Whether clocks of contacts count, where their time zones are known. Stored windows of earlier versions have none. */
  byContact?: boolean
}

/** A time in which a campaign is sent. It ends before `closesAt`. */
export interface Opening {
  opensAt: Date
  closesAt: Date
}

/** At most so many days without an opening follow each other: six of the week, and one whose opening clocks skip. */
const DAYS_WITHOUT_MAX = 16

/**
 * Yields the opening that contains a time, if one does, and those that follow. A local time that clocks skip counts as the time of
 * their change, one that they show twice as the first.
 */
export function* openingsFrom(window: SendWindow, at: Date): Generator<Opening> {
  const today = Math.floor(wallMs(window.timeZone, at.getTime()) / DAY_MS) * DAY_MS
  // The opening of yesterday may last until today, and clocks may show an earlier day again.
  for (let day = -2, without = 0; without < DAYS_WITHOUT_MAX; day++) {
    const opening = openingOn(window, today + day * DAY_MS)
    without = opening === null ? without + 1 : 0
    if (opening !== null && opening.closesAt > at) yield opening
  }
}

/** Returns the opening that begins on a day, which is given as its midnight in UTC. Null: it has none. */
function openingOn({ from, to, timeZone, days }: SendWindow, dayMs: number): Opening | null {
  const weekday = new Date(dayMs).getUTCDay() || 7
  if (days !== null && !days.includes(weekday)) return null
  const nextDayMs = to <= from ? DAY_MS : 0
  const opensMs = firstShownMs(timeZone, dayMs + timeOfDayMs(from))
  const closesMs = firstShownMs(timeZone, dayMs + nextDayMs + timeOfDayMs(to))
  return opensMs < closesMs ? { opensAt: new Date(opensMs), closesAt: new Date(closesMs) } : null
}

/** Returns when a campaign outside its hours continues; null: it is within them, or its contacts have hours of their own. */
export function waitsUntil(window: SendWindow | null, now: Date): Date | null {
  if (window === null || window.byContact === true) return null
  const [opening] = openingsFrom(window, now)
  return opening !== undefined && opening.opensAt > now ? opening.opensAt : null
}
