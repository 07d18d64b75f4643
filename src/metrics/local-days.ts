import { DAY_MS, HOUR_MS } from './calendar.ts'

/** A day of the calendar, as the time at which it starts in UTC. */
export type CalendarDay = Date

const formats = new Map<string, Intl.DateTimeFormat>()
/** Far more than one process meets; a client must not be able to fill the memory with names. */
const FORMATS_MAX = 600

/** Returns the format of a time zone. Throws RangeError if it does not exist. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  })
  if (formats.size < FORMATS_MAX) formats.set(timeZone, format)
  return format
}

export function isTimeZone(timeZone: string): boolean {
  try {
    formatOf(timeZone)
    return true
  } catch {
    return false
  }
}

/** Returns what clocks in the zone show, as if it were UTC. */
function wallMs(timeZone: string, atMs: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * Returns the day of a time in the zone, between the starts of that day and the next. A start at a whole hour may be
 * before midnight, when clocks still show the day before.
 */
export function dayAt(timeZone: string, at: Date): CalendarDay {
  const shown = new Date(Math.floor(wallMs(timeZone, at.getTime()) / DAY_MS) * DAY_MS)
  const next = laterDay(shown, 1)
  return startOfLocalDay(timeZone, next) <= at ? next : shown
}

/** Returns a day so many days later. */
export function laterDay(day: CalendarDay, days: number): CalendarDay {
  return new Date(day.getTime() + days * DAY_MS)
}

/**
 * Returns the start of a day in the zone, as the whole hour in UTC at or before it: metrics are counted by whole hours,
 * and some zones are half an hour off. Where clocks skip midnight, the day starts when they do. Where midnight comes
 * twice, it starts at the first.
 */
export function startOfLocalDay(timeZone: string, day: CalendarDay): Date {
  const midnight = day.getTime()
  const starts = [-DAY_MS, DAY_MS]
    .map((nearby) => midnight - (wallMs(timeZone, midnight + nearby) - (midnight + nearby)))
    .filter((startMs) => Math.floor(wallMs(timeZone, startMs) / DAY_MS) * DAY_MS === midnight)
  const startMs = Math.min(...starts, ...(starts.length === 0 ? [midnight] : []))
  return new Date(Math.floor(startMs / HOUR_MS) * HOUR_MS)
}
