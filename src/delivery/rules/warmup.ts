import type { ProviderGroup } from './provider-groups.ts'

/** Messages to one provider group on each day of warming; once it is over there is no limit. */
export type Schedule = readonly number[]

export interface Warmup {
  /** Midnight of the UTC day on which it began, which is day 1. */
  startedAt: Date
  scheduleOf(group: ProviderGroup): Schedule
}

/**
 * A month from nothing to 100,000 a day: doubling at first, then a fifth more each day, as the large providers advise.
 */
export const USUAL_SCHEDULE: Schedule = [
  50, 100, 200, 400, 600, 800, 1000, 1300, 1600, 2000, 2500, 3000, 3600, 4300, 5200, 6200, 7500, 9000, 11_000,
  13_000, 16_000, 19_000, 23_000, 28_000, 34_000, 41_000, 50_000, 62_000, 78_000, 100_000,
]

const DAY_MS = 24 * 3_600_000

/** Returns the day of warm-up, from 1; 0 or less before it begins. */
export function warmingDay(warmup: Warmup, now: Date): number {
  return Math.floor((now.getTime() - warmup.startedAt.getTime()) / DAY_MS) + 1
}

/** Returns how many messages may go to the group on this UTC day: 0 before the warm-up begins, null after it ends. */
export function limitOn(warmup: Warmup, group: ProviderGroup, now: Date): number | null {
  const day = warmingDay(warmup, now)
  if (day < 1) return 0
  return warmup.scheduleOf(group)[day - 1] ?? null
}

/** Returns the start of the UTC day of a time in milliseconds. */
export function startOfUtcDay(ms: number): Date {
  return new Date(Math.floor(ms / DAY_MS) * DAY_MS)
}

/** Returns the start of the next UTC day. */
export function nextDay(now: Date): Date {
  return startOfUtcDay(now.getTime() + DAY_MS)
}

/** Returns the UTC day as PostgreSQL writes dates. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
