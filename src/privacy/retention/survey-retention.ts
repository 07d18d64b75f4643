import type { Db } from '../../db/db-types.ts'
import { listPartitions, type PartitionedName } from '../../db/partitions/partitions.ts'
import { measurePartitions } from '../../db/partitions/survey-partitions.ts'
import { KIND_OF, type Periods, writePeriod } from './periods.ts'
import { classifyPartition, type Fate, findDropTime } from './plan-retention.ts'
import { findHold, type Hold, readPeriods } from './retention-round.ts'

/** One week of one table, and its plan. */
export interface SurveyedWeek {
  name: string
  table: PartitionedName
  from: Date
  rows: number | null
  bytes: number
  fate: Fate
  /** When it expires for every team; null for never. */
  dropAt: Date | null
  /** Why an expired week stays. */
  hold: Hold | null
}

export interface SurveyedTable {
  table: PartitionedName
  /** The longest period of any team. */
  keep: string
  weeks: SurveyedWeek[]
}

/** Returns the stored weeks and what the next rounds will do with them. Changes nothing. */
export async function surveyRetention(db: Db, installation: Periods, now: Date): Promise<SurveyedTable[]> {
  const periods = await readPeriods(db, installation)
  const partitions = await listPartitions(db)
  const sizes = await measurePartitions(
    db,
    partitions.map(({ name }) => name),
  )
  const weeks: SurveyedWeek[] = []
  for (const partition of partitions) {
    const { table, name, from } = partition
    const fate = classifyPartition(partition, periods, now)
    weeks.push({
      name,
      table,
      from,
      rows: sizes.get(name)?.rows ?? null,
      bytes: sizes.get(name)?.bytes ?? 0,
      fate,
      dropAt: findDropTime(partition, periods),
      hold: fate === 'over' ? await findHold(db, partition, periods, now) : null,
    })
  }
  return [...Map.groupBy(weeks, (week) => week.table)].map(([table, own]) => ({
    table,
    keep: writePeriod(periods.longest[KIND_OF[table]]),
    weeks: own,
  }))
}
