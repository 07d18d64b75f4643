import { readTime } from '../times.ts'

const HOURS = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
const DAYS = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats the time of a point: hours in the user's time zone, days in UTC. */
export function showAt(at: string, interval: string): string {
  const date = readTime(at)
  return date === null ? at : (interval === 'hour' ? HOURS : DAYS).format(date)
}
