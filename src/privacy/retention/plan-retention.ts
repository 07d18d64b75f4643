import type { Partition } from '../../db/partitions/partitions.ts'
import { type AllPeriods, KIND_OF, type Periods } from './periods.ts'

const DAY_MS = 24 * 3_600_000

/**
 * What is to become of a partition: *kept*, as nothing in it is over its period; *swept*, as it is over for some teams or in
 * part: their rows are deleted; *over*, when all of it is for every team: dropped whole, or swept while something in it is
 * still open.
 */
export type Fate = 'kept' | 'swept' | 'over'

export function classifyPartition(partition: Partition, { longest, shortest }: AllPeriods, now: Date): Fate {
  const kind = KIND_OF[partition.table]
  if (partition.to <= cutoffOf(longest, kind, now)) return 'over'
  const isOverForSome = shortest[kind] < longest[kind] && partition.from < cutoffOf(shortest, kind, now)
  return isOverForSome ? 'swept' : 'kept'
}

/** What is older than this is over. */
export function cutoffOf(periods: Periods, kind: keyof Periods, now: Date): Date {
  // The year 1 and before are of no interest to PostgreSQL's uuids: the beginning of time is 1970.
  return new Date(Math.max(0, now.getTime() - periods[kind] * DAY_MS))
}

/** When a partition is over for every team; null: never. */
export function findDropTime(partition: Partition, { longest }: AllPeriods): Date | null {
  const days = longest[KIND_OF[partition.table]]
  return Number.isFinite(days) ? new Date(partition.to.getTime() + days * DAY_MS) : null
}
