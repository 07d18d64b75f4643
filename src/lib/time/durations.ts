const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

export interface Duration {
  ms: number
  /** The canonical text: a number of the largest unit that fits, such as `3 days` or `90 seconds`. */
  text: string
}

/** Units, the largest first. Months and years have no fixed length. */
const UNITS = [
  ['week', WEEK_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const

const UNIT_MS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(UNITS.flatMap(([name, ms]) => [name, `${name}s`].map((word) => [word, ms]))),
  ...{ w: WEEK_MS, wk: WEEK_MS, wks: WEEK_MS, d: DAY_MS, h: HOUR_MS, hr: HOUR_MS, hrs: HOUR_MS },
  ...{ m: MINUTE_MS, min: MINUTE_MS, mins: MINUTE_MS, s: SECOND_MS, sec: SECOND_MS, secs: SECOND_MS },
}

/** Longer texts are no durations; they are not read. */
const TEXT_CHARS_MAX = 100
const NUMBER = String.raw`\d{1,9}(?:\.\d{1,6})?`
/** One quantity of words, such as `3 days`, `an hour` or `1h`. */
const QUANTITY = new RegExp(String.raw`(?:(${NUMBER}) ?|(an?) )([a-z]+)(?:(?:,| and|, and)? |(?=\d)|$)`, 'y')
const ISO = new RegExp(
  `^p(?:(${NUMBER})w)?(?:(${NUMBER})d)?(?:t(?=\\d)(?:(${NUMBER})h)?(?:(${NUMBER})m)?(?:(${NUMBER})s)?)?$`,
)
const SECONDS = new RegExp(`^${NUMBER}$`)

/**
 * Parses a duration of whole seconds: words (`3 days`, `1 hour 30 minutes`, `2h`), ISO 8601 without years and months
 * (`P3D`, `PT1H`), or a number of seconds. Returns null for anything else, zero included.
 */
export function parseDuration(value: unknown): Duration | null {
  const ms = typeof value === 'number' ? value * SECOND_MS : typeof value === 'string' ? readMs(value) : null
  return ms === null || ms <= 0 || !Number.isSafeInteger(ms) || ms % SECOND_MS !== 0 ? null : toDuration(ms)
}

/** Parses a duration that may have a sign. Its milliseconds are below zero for a `-`. Returns null as parseDuration. */
export function parseSignedDuration(value: unknown): Duration | null {
  if (typeof value === 'number' && value < 0) return negative(parseDuration(-value))
  const [, sign, rest] = typeof value === 'string' ? (/^\s*([+-])\s*(\S.*)$/s.exec(value) ?? []) : []
  if (sign === undefined) return parseDuration(value)
  return sign === '-' ? negative(parseDuration(rest)) : parseDuration(rest)
}

/** Returns a duration in milliseconds, above zero and of whole seconds, with its canonical text. */
export function toDuration(ms: number): Duration {
  const [name, unitMs] = UNITS.find(([, size]) => ms % size === 0) ?? (['second', SECOND_MS] as const)
  const count = ms / unitMs
  return { ms, text: `${count} ${name}${count === 1 ? '' : 's'}` }
}

/** Returns the milliseconds of a canonical text of this file, which may have a sign. Throws if it is none. */
export function storedDurationMs(text: string): number {
  const duration = parseSignedDuration(text)
  if (duration === null) throw new Error(`Not a duration: ${text.slice(0, TEXT_CHARS_MAX)}`)
  return duration.ms
}

function negative(duration: Duration | null): Duration | null {
  return duration && { ms: -duration.ms, text: `-${duration.text}` }
}

function readMs(text: string): number | null {
  if (text.length > TEXT_CHARS_MAX) return null
  const folded = text.trim().toLowerCase().replace(/\s+/g, ' ')
  if (SECONDS.test(folded)) return inMs(folded, SECOND_MS)
  return folded.startsWith('p') ? readIso(folded) : readWords(folded)
}

function readIso(text: string): number | null {
  const numbers = ISO.exec(text)?.slice(1)
  if (numbers === undefined || numbers.every((number) => number === undefined)) return null
  return numbers.reduce((sum, number, index) => sum + inMs(number ?? '0', UNITS[index]?.[1] ?? 0), 0)
}

function readWords(text: string): number | null {
  let sum = 0
  for (QUANTITY.lastIndex = 0; QUANTITY.lastIndex < text.length; ) {
    const [, number, one, word = ''] = QUANTITY.exec(text) ?? []
    const unitMs = Object.hasOwn(UNIT_MS, word) ? UNIT_MS[word] : undefined
    if (unitMs === undefined) return null
    sum += one === undefined ? inMs(number ?? '', unitMs) : unitMs
  }
  return sum
}

/** Rounds to a microsecond: a decimal number of units has no exact binary form. */
function inMs(number: string, unitMs: number): number {
  return Math.round(Number(number) * unitMs * 1000) / 1000
}
