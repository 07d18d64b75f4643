import { wallMs } from '../../lib/time/time-zone.ts'
import { DAY_MS, HOUR_MS } from '../counting/calendar.ts'

/** A day of the calendar, as the time at which it starts in UTC. */
export type CalendarDay = Date

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
