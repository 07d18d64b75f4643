export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Returns the start of the hour of a time, in milliseconds. */
export function startOfHour(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS
}

/** Returns the start of the UTC day of a time, in milliseconds. */
export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** Returns the start of the UTC month of a time, in milliseconds. */
export function startOfMonth(ms: number): number {
  const at = new Date(ms)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
}
