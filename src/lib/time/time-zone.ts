const formats = new Map<string, Intl.DateTimeFormat>()
/** Far more than one process meets; a client must not be able to fill the memory with spellings. */
const FORMATS_MAX = 600
const DAY_MS = 24 * 3_600_000

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
  // Otherwise the spellings of one client would keep out the zones of all others for as long as the process runs.
  const [oldest] = formats.keys()
  if (formats.size >= FORMATS_MAX && oldest !== undefined) formats.delete(oldest)
  formats.set(timeZone, format)
  return format
}

/** Returns a time zone as Intl spells it, whatever the case of its letters; null: there is none of that name. */
export function readTimeZone(name: string): string | null {
  return isTimeZone(name) ? formatOf(name).resolvedOptions().timeZone : null
}

/** Returns a stored time zone; UTC for none, and for one that this server does not know: another version may have stored it. */
export function zoneOrUtc(stored: string | null): string {
  return stored !== null && isTimeZone(stored) ? stored : 'UTC'
}

export function isTimeZone(timeZone: string): boolean {
  try {
    formatOf(timeZone)
    return true
  } catch {
    return false
  }
}

/** Returns what clocks in the zone show, in whole seconds, as if it were UTC. */
export function wallMs(timeZone: string, atMs: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * Returns when clocks in the zone first show a time, which is given as if it were UTC, in whole seconds. Where clocks skip that
 * time, it is when they do. Where it comes twice, it is the first. Zones change their clocks at most once in two days.
 */
export function firstShownMs(timeZone: string, shownMs: number): number {
  const atMs = [-DAY_MS, DAY_MS].map((nearby) => {
    const nearMs = shownMs + nearby
    return shownMs - (wallMs(timeZone, nearMs) - nearMs)
  })
  const shownThen = atMs.filter((ms) => wallMs(timeZone, ms) === shownMs)
  if (shownThen.length > 0) return Math.min(...shownThen)
  // Clocks are behind at the one and ahead at the other. They change between the two.
  let [behindMs, aheadMs] = [Math.min(...atMs), Math.max(...atMs)]
  while (aheadMs - behindMs > 1000) {
    const middleMs = Math.floor((behindMs + aheadMs) / 2000) * 1000
    if (wallMs(timeZone, middleMs) < shownMs) behindMs = middleMs
    else aheadMs = middleMs
  }
  return aheadMs
}
