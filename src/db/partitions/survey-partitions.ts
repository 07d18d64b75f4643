import type { Queryable } from '../db-types.ts'

/** How large a partition is. */
export interface PartitionSize {
  name: string
  /** As of the last vacuum or analyze; null: there was none yet. */
  rows: number | null
  /** With its indexes and what lies outside of its rows. */
  bytes: number
}

/** The sizes of these partitions. */
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
