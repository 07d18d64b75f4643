import type pg from 'pg'
import { firstIdAt } from '../base/ids.ts'
import type { Db } from './db.ts'

const WEEK_MS = 7 * 24 * 3_600_000
/** Weeks made ahead of time, so that a scheduler that was off for a month still finds its partitions. */
const WEEKS_AHEAD = 8
const LOCK_TIMEOUT_MS = 500
/** 2026-01-05, a Monday: weeks are counted from here, so their names never move. */
const FIRST_MONDAY_MS = Date.UTC(2026, 0, 5)

interface PartitionedTable {
  name: string
  storage: string
}

/** Fill factors leave room for the one update that a row gets: its new version lies on the page of the old one. */
const TABLES: readonly PartitionedTable[] = [
  { name: 'email', storage: 'fillfactor = 85' },
  // Bodies of up to 8 KB stay in the row: one write instead of five.
  { name: 'email_content', storage: 'toast_tuple_target = 8160' },
  { name: 'email_tag', storage: 'fillfactor = 100' },
  { name: 'delivery', storage: 'fillfactor = 100, autovacuum_vacuum_scale_factor = 0.05' },
  { name: 'attempt', storage: 'fillfactor = 100' },
  { name: 'event', storage: 'fillfactor = 100' },
  { name: 'webhook_delivery', storage: 'fillfactor = 90' },
]

function mondayOf(at: Date): number {
  return FIRST_MONDAY_MS + Math.floor((at.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
}

/** Makes the partitions of last week, this week and the next eight where they are missing. Idempotent. */
export async function ensurePartitions(client: pg.Client, now: Date): Promise<void> {
  const existing = await client.query<{ relname: string }>(
    `select c.relname
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid`,
  )
  const known = new Set(existing.rows.map((row) => row.relname))
  for (let week = -1; week <= WEEKS_AHEAD; week++) {
    const from = new Date(mondayOf(now) + week * WEEK_MS)
    const to = new Date(from.getTime() + WEEK_MS)
    const suffix = from.toISOString().slice(0, 10).replaceAll('-', '')
    for (const table of TABLES) {
      const name = `${table.name}_${suffix}`
      if (known.has(name)) continue
      await client.query(
        `create table if not exists ${name} partition of ${table.name}
         for values from ('${firstIdAt(from)}') to ('${firstIdAt(to)}')
         with (${table.storage})`,
      )
    }
  }
}

/**
 * The same from the scheduler, on a connection of its own. A new partition locks its parent against everything, so
 * behind a long read (pg_dump) it would wait, and all mail behind it: it gives up soon, weeks before it is needed.
 */
export async function keepPartitions(db: Db, now: Date): Promise<void> {
  const client = await db.connect()
  try {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await ensurePartitions(client, now)
  } finally {
    await client.end()
  }
}
