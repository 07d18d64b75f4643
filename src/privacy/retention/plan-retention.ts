import type { Partition } from '../../db/partitions/partitions.ts'
import { type AllPeriods, KIND_OF, type Periods } from './periods.ts'

const DAY_MS = 24 * 3_600_000

/**
 * The plan for a partition. *kept*: nothing in it has expired. *swept*: expired for some teams or in part, so their
 * rows are deleted. *over*: expired for every team, so it is dropped as a whole, or swept while anything in it is
 * open.
 */
export type Fate = 'kept' | 'swept' | 'over'

export function classifyPartition(partition: Partition, { longest, shortest }: AllPeriods, now: Date): Fate {
  const kind = KIND_OF[partition.table]
  if (partition.to <= cutoffOf(longest, kind, now)) return 'over'
  const isOverForSome = shortest[kind] < longest[kind] && partition.from < cutoffOf(shortest, kind, now)
  return isOverForSome ? 'swept' : 'kept'
}

/** Returns the time before which data of a kind has expired. */
export function cutoffOf(periods: Periods, kind: keyof Periods, now: Date): Date {
  // At the earliest 1970, because ids contain milliseconds since then.
  return new Date(Math.max(0, now.getTime() - periods[kind] * DAY_MS))
}

/** Returns when a partition expires for every team, or null for never. */
export function findDropTime(partition: Partition, { longest }: AllPeriods): Date | null {
  const days = longest[KIND_OF[partition.table]]
  return Number.isFinite(days) ? new Date(partition.to.getTime() + days * DAY_MS) : null
}
