import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { daysBefore } from '../../../test/support/old-weeks.ts'
import { queryOn } from '../own-connection.ts'
import { vacuumPartition } from './compact-partition.ts'
import { makePartition, type Partition, type PartitionedName, partitionsAt } from './partitions.ts'

const KEYS: [PartitionedName, string, string][] = [
  ['email', 'id', 'uuid'],
  ['email_content', 'email_id', 'uuid'],
  ['delivery', 'email_id', 'uuid'],
  ['attempt', 'email_id', 'uuid'],
]

test('read by its primary key while it is empty', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const client = await db.connect()
  onTestFinished(() => client.end())
  for (const [table, column, type] of KEYS) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (generic_plan)
       select 1
       from unnest($1::uuid[], $2::${type}[]) as k (team_id, id)
       join ${table} t on t.team_id = k.team_id and t.${column} = k.id`,
    )
    const scans = rows.flatMap((row) => / using (\S+) on/.exec(row['QUERY PLAN'])?.[1] ?? [])
    // One of each partition: last week, this week and the next four.
    expect(scans.length).toBe(6)
    for (const index of scans) expect(index).toMatch(/_pkey$/)
  }
})

test('has the columns, constraints and indexes of its table, and is created once', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const [one, two] = [await db.connect(), await db.connect()]
  onTestFinished(() => one.end())
  onTestFinished(() => two.end())
  const old = partitionsAt(daysBefore(new Date(), 100))
  for (const partition of old) {
    await Promise.all([one, two].map((client) => makePartition(client, partition)))
    await one.query(
      `create table plain_${partition.name} partition of ${partition.table}
       for values from ('00000000-0000-7000-8000-000000000000') to ('00000000-0001-7000-8000-000000000000')`,
    )
    const [made, plain] = await Promise.all(
      [partition.name, `plain_${partition.name}`].map(async (name) => {
        const rows = await db.query<{ what: string }>(
          `select concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attstorage, attislocal, attinhcount)
             as what
           from pg_attribute
           where attrelid = $1::regclass and attnum > 0
           union all
           select concat_ws(' ', conname, pg_get_constraintdef(oid), conislocal, coninhcount)
           from pg_constraint
           where conrelid = $1::regclass
           union all
           select concat_ws(' ', substring(pg_get_indexdef(x.indexrelid) from 'USING .*'), p.inhparent::regclass)
           from pg_index x
           join pg_inherits p on p.inhrelid = x.indexrelid
           where x.indrelid = $1::regclass`,
          [name],
        )
        return rows.map(({ what }) => what.replace(name, 'name')).sort()
      }),
    )
    expect(made).toEqual(plain)
    await one.query(`drop table plain_${partition.name}`)
  }
})

test('not vacuumed for new rows alone', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const isVacuumed = new Set(['email_tag', 'webhook_delivery'])
  const partitions = partitionsAt(new Date()).filter(({ table }) => !isVacuumed.has(table))
  const large = partitions.filter(({ table }) => table === 'email_content' || table === 'packed_content')
  const rows = await db.query<{ name: string; isOff: boolean | null }>(
    `select t.relname as name, 'autovacuum_vacuum_insert_threshold=-1' = any (t.reloptions) as is_off
     from pg_class c
     join pg_class t on t.oid = c.oid or t.oid = c.reltoastrelid and c.relname = any ($2::text[])
     where c.relname = any ($1::text[])`,
    [partitions.map(({ name }) => name), large.map(({ name }) => name)],
  )
  expect(rows).toHaveLength(partitions.length + 2)
  expect(rows.filter(({ isOff }) => isOff !== true)).toEqual([])
})

test('vacuumed as slowly as by autovacuum', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const client = await db.connect()
  onTestFinished(() => client.end())
  const [partition] = partitionsAt(new Date())
  await vacuumPartition(queryOn(client, 10_000), partition as Partition)
  const { rows } = await client.query("select current_setting('vacuum_cost_delay') as delay")
  expect(rows).toEqual([{ delay: '2ms' }])
})
