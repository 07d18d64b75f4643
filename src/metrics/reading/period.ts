import { readDate } from '../../http/route/date-query.ts'
import { invalidField } from '../../lib/api-error.ts'
import { isTimeZone } from '../../lib/time/time-zone.ts'
import { DAY_MS, HOUR_MS, startOfDay, startOfHour } from '../counting/calendar.ts'
import { dayAt, laterDay, startOfLocalDay } from './local-days.ts'

/** A time range as the steps of a series. */
export interface Period {
  interval: 'hour' | 'day'
  timeZone: string
  from: Date
  before: Date
  /** The starts of the hours or days, oldest first. */
  starts: readonly Date[]
  /** The grain of the rows that the steps consist of: days of other zones than UTC consist of hours. */
  grain: 'hour' | 'day'
}

export interface PeriodQuery {
  start_date?: string
  end_date?: string
  interval?: unknown
  time_zone?: string
}

const DAYS_MAX = { hour: 31, day: 366 }
const DAYS_DEFAULT = 30
/** Later years cannot be formatted. */
const END_MS = Date.UTC(9999, 11, 31)
const UTC = 'UTC'

/** Returns the whole hours or days that contain the requested range. Throws ApiError. */
export function readPeriod(query: PeriodQuery, now: Date): Period {
  const interval = query.interval === 'hour' ? 'hour' : 'day'
  const timeZone = query.time_zone ?? UTC
  if (!isTimeZone(timeZone))
    throw invalidField('time_zone', 'The time_zone field must be an IANA time zone, such as Europe/Berlin.')
  const endDate = query.end_date === undefined ? now : readAt('end_date', query.end_date, true, timeZone)
  const end = new Date(Math.min(endDate.getTime(), END_MS))
  const start =
    query.start_date === undefined
      ? new Date(Math.max(0, end.getTime() - DAYS_DEFAULT * DAY_MS))
      : readAt('start_date', query.start_date, false, timeZone)
  if (start >= end) {
    throw invalidField('end_date', 'The end_date field must be a date after start_date.')
  }
  const days = DAYS_MAX[interval]
  // A day in which clocks go back has an hour more.
  if (end.getTime() - start.getTime() > days * DAY_MS + (timeZone === UTC ? 0 : HOUR_MS)) {
    const message = `The start_date field must be at most ${days} days before end_date with the interval ${interval}.`
    throw invalidField('start_date', message)
  }
  return interval === 'hour' ? hoursOf(start, end, timeZone) : daysOf(start, end, timeZone)
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Reads a date or time. Dates are days of the zone. */
function readAt(field: string, text: string, isEnd: boolean, timeZone: string): Date {
  const at = readDate(field, text, isEnd)
  return timeZone !== UTC && DATE.test(text) ? startOfLocalDay(timeZone, at) : at
}

function hoursOf(start: Date, end: Date, timeZone: string): Period {
  const from = startOfHour(start.getTime())
  const before = Math.ceil(end.getTime() / HOUR_MS) * HOUR_MS
  const starts = Array.from(
    { length: (before - from) / HOUR_MS },
    (_, hour) => new Date(from + hour * HOUR_MS),
  )
  return { interval: 'hour', timeZone, from: new Date(from), before: new Date(before), starts, grain: 'hour' }
}

function daysOf(start: Date, end: Date, timeZone: string): Period {
  const starts: Date[] = []
  const startOf = timeZone === UTC ? (day: Date) => day : (day: Date) => startOfLocalDay(timeZone, day)
  let day = timeZone === UTC ? new Date(startOfDay(start.getTime())) : dayAt(timeZone, start)
  let at = startOf(day)
  while (at < end) {
    starts.push(at)
    day = laterDay(day, 1)
    at = startOf(day)
  }
  const isUtc = [...starts, at].every((each) => each.getTime() % DAY_MS === 0)
  const from = starts[0] ?? at
  return { interval: 'day', timeZone, from, before: at, starts, grain: isUtc ? 'day' : 'hour' }
}
