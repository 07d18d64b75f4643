import type { Queryable } from '../db-types.ts'

/** The size of a partition. */
export interface PartitionSize {
  name: string
  /** As of the last vacuum or analyze; null when there was none. */
  rows: number | null
  /** Including indexes and TOAST data. */
  bytes: number
}

/** Returns the sizes of partitions by name. */
export async function measurePartitions(
  db: Queryable,
  names: readonly string[],
): Promise<Map<string, PartitionSize>> {
  const rows = await db.query<PartitionSize>(
    `select c.relname as name, case when c.reltuples < 0 then null else c.reltuples::int8 end as rows,
       pg_total_relation_size(c.oid) as bytes
     from pg_class c
     where c.relname = any ($1::text[]) and c.relkind = 'r' and pg_table_is_visible(c.oid)`,
    [names],
  )
  return new Map(rows.map((row) => [row.name, row]))
}
