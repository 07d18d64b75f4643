const SECOND_MS = 1_000
const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3_600 * SECOND_MS,
  d: 86_400 * SECOND_MS,
  w: 7 * 86_400 * SECOND_MS,
}
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const DELAY = /^in (\d{1,6}|an?) (seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?)$/
const DAY = new RegExp(`^(today|tomorrow|(?:on )?(?:${WEEKDAYS.join('|')})) at (.+?)(?: utc)?$`)
const TIME = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/

/**
 * Reads a time in English, as programs written for Resend send it: `in 5 minutes`, `in an hour`, `tomorrow at 9am`,
 * `friday at 15:30`. Times of day are in UTC. A weekday is the next one on which the time is still to come. Returns null
 * for anything else: a guess could send an email on the wrong day.
 */
export function parseNaturalTime(text: string, now: Date): Date | null {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const delay = DELAY.exec(words)
  if (delay !== null) {
    const [, count = '', unit = ''] = delay
    const unitMs = UNITS_MS[unit.charAt(0)] ?? 0
    return new Date(now.getTime() + (count.startsWith('a') ? 1 : Number(count)) * unitMs)
  }
  const [, day, time] = DAY.exec(words) ?? []
  const minutes = time === undefined ? null : readMinutes(time)
  return day === undefined || minutes === null ? null : findDay(day.replace(/^on /, ''), minutes, now)
}

/** Returns the minutes since midnight; null if the text is not a time of day. */
function readMinutes(time: string): number | null {
  if (time === 'noon') return 12 * 60
  if (time === 'midnight') return 0
  const [, hourText, minuteText, half] = TIME.exec(time) ?? []
  // "at 9" could be either half of the day.
  if (hourText === undefined || (half === undefined && minuteText === undefined)) return null
  const hour = Number(hourText)
  const minute = Number(minuteText ?? 0)
  if (minute > 59) return null
  if (half === undefined) return hour > 23 ? null : hour * 60 + minute
  return hour < 1 || hour > 12 ? null : ((hour % 12) + (half === 'pm' ? 12 : 0)) * 60 + minute
}

function findDay(day: string, minutes: number, now: Date): Date {
  const at = (days: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 0, minutes))
  if (day === 'today') return at(0)
  if (day === 'tomorrow') return at(1)
  const days = (WEEKDAYS.indexOf(day) - now.getUTCDay() + 7) % 7
  return days === 0 && at(0).getTime() <= now.getTime() ? at(7) : at(days)
}
