import { storedDurationMs } from '../../lib/time/durations.ts'
import { timeOfDayMs } from '../../lib/time/time-of-day.ts'
import { firstShownMs, wallMs, zoneOrUtc } from '../../lib/time/time-zone.ts'
import type { StepConfigs, TriggerConfigs } from './graph-types.ts'
import { CONTACT_ZONE } from './read-values.ts'

const DAY_MS = 24 * 3_600_000
/** A day of the week comes within seven days; clocks that skip a whole day add another week. */
const DAYS_AHEAD_MAX = 16
/** Years in which an offset of at most a year can move a date of one year. */
const YEARS_AROUND = 2

/**
 * Returns when a run that arrives at a step of type `wait_until` continues.
 * - `at` is first: nothing below counts before it.
 * - `time` is always after `from`, so that a run which comes back waits for the next day.
 * - `weekdays` without `time` are over at once on such a day, and otherwise at the next one's midnight.
 *
 * A local time that clocks skip is when they change; one that they show twice is the first.
 * @param contactZone the time zone of the contact; null or unknown to this server: UTC
 */
export function nextWaitUntil(
  config: StepConfigs['wait_until'],
  contactZone: string | null,
  from: Date,
): Date {
  const { time, weekdays, at } = config
  const fromMs = from.getTime()
  const startMs = at === undefined ? fromMs : Math.max(fromMs, new Date(at).getTime())
  const zone = zoneOf(config.time_zone, contactZone)
  const today = Math.floor(wallMs(zone, startMs) / DAY_MS) * DAY_MS
  const isOpen = (dayMs: number) => weekdays?.includes(new Date(dayMs).getUTCDay() || 7) ?? true
  if (time === undefined && isOpen(today)) return new Date(startMs)
  // Clocks may show an earlier day again.
  for (let day = -1; day < DAYS_AHEAD_MAX; day++) {
    const dayMs = today + day * DAY_MS
    if (!isOpen(dayMs)) continue
    const shownMs = firstShownMs(zone, dayMs + (time === undefined ? 0 : timeOfDayMs(time)))
    if (shownMs > fromMs && shownMs >= startMs) return new Date(shownMs)
  }
  throw new Error(`No day fits ${JSON.stringify(config)}`)
}

/**
 * Returns the first time at or after `from` at which the date of a contact starts a run, or null.
 *
 * A date at midnight in UTC is a day, and stands for the same day in every time zone. Any other is an instant, and stands for the
 * day that clocks in the zone show then. Without `time`, it is at the midnight of the day or at the instant. An offset of whole days
 * moves the day; another is added to the time. `yearly` begins with the year of the date; 29 February is the 28th in other years. For
 * local times that clocks skip or show twice, and for the zone: see nextWaitUntil.
 */
export function dateOccurrence(
  value: Date,
  config: TriggerConfigs['date'],
  contactZone: string | null,
  from: Date,
): Date | null {
  const zone = zoneOf(config.time_zone, contactZone)
  const isDay = value.getTime() % DAY_MS === 0
  const offsetMs = config.offset === undefined ? 0 : storedDurationMs(config.offset)
  const isExact = config.repeat === 'once' && !isDay && config.time === undefined
  if (isExact && (offsetMs === 0 || offsetMs % DAY_MS !== 0)) {
    return notBefore(from, value.getTime() + offsetMs)
  }
  const wholeDaysMs = offsetMs % DAY_MS === 0 ? offsetMs : 0
  const shownMs = isDay ? value.getTime() : wallMs(zone, value.getTime())
  const clockMs = config.time === undefined ? shownMs - floorDay(shownMs) : timeOfDayMs(config.time)
  const occurrenceOn = (dayMs: number) =>
    firstShownMs(zone, dayMs + wholeDaysMs + clockMs) + offsetMs - wholeDaysMs
  if (config.repeat === 'once') return notBefore(from, occurrenceOn(floorDay(shownMs)))
  const firstYear = Math.max(new Date(shownMs).getUTCFullYear(), from.getUTCFullYear() - YEARS_AROUND)
  for (let year = firstYear; year <= firstYear + 2 * YEARS_AROUND + 1; year++) {
    const occurrence = notBefore(from, occurrenceOn(anniversaryOf(shownMs, year)))
    if (occurrence !== null) return occurrence
  }
  return null
}

function floorDay(shownMs: number): number {
  return Math.floor(shownMs / DAY_MS) * DAY_MS
}

function notBefore(from: Date, ms: number): Date | null {
  return ms >= from.getTime() ? new Date(ms) : null
}

/** Returns the midnight of the same day of another year, as if clocks showed UTC. */
function anniversaryOf(shownMs: number, year: number): number {
  const shown = new Date(shownMs)
  const month = shown.getUTCMonth()
  const sameMs = Date.UTC(year, month, shown.getUTCDate())
  return new Date(sameMs).getUTCMonth() === month ? sameMs : Date.UTC(year, month + 1, 0)
}

function zoneOf(configured: string = CONTACT_ZONE, contactZone: string | null): string {
  return zoneOrUtc(configured === CONTACT_ZONE ? contactZone : configured)
}
