import { firstIdAt } from '../../lib/ids.ts'
import { EMAILS_DROPPED, REQUESTS_LOGGED } from '../counters.ts'
import type { Queryable } from '../db-types.ts'
import { SQLSTATE, sqlState } from '../sqlstate.ts'
import type { Partition } from './partitions.ts'

/** A week of ids, including `from` and excluding `to`. */
export type Week = Pick<Partition, 'from' | 'to'>

const idsOf = ({ from, to }: Week) => [firstIdAt(from), firstIdAt(to)]

/** Returns whether any recipient of the week's emails is undelivered. */
export async function hasOpenDelivery(db: Queryable, week: Week): Promise<boolean> {
  return hasRows(
    await db.query(
      `select 1
       from delivery
       where email_id >= $1 and email_id < $2 and due_at is not null and not ready
       union all
       select 1
       from delivery
       where email_id >= $1 and email_id < $2 and ready
       limit 1`,
      idsOf(week),
    ),
  )
}

/** Returns whether any of the week's emails was scheduled for a time after `cutoff`. */
export async function hasScheduledAfter(db: Queryable, week: Week, cutoff: Date): Promise<boolean> {
  return hasRows(
    await db.query(
      `select 1
       from email
       where id >= $1 and id < $2 and scheduled_at is not null and scheduled_at > $3
       limit 1`,
      [...idsOf(week), cutoff],
    ),
  )
}

/** Returns whether webhook deliveries of the week wait for a retry. Those of deleted webhooks wait for nothing. */
export async function hasWaitingWebhook(db: Queryable, week: Week): Promise<boolean> {
  return hasRows(
    await db.query(
      `select 1
       from webhook_delivery d
       join webhook w on w.team_id = d.team_id and w.id = d.webhook_id
       where d.id >= $1 and d.id < $2 and d.due_at is not null
       limit 1`,
      idsOf(week),
    ),
  )
}

/** A reader that has not yet read events of the week. */
export interface UnreadBy {
  teamId: string
  /** Null: the metrics have not counted them yet. */
  webhookId: string | null
}

/**
 * Finds a reader whose position in a feed is not yet beyond the week. Ignores endpoints that have failed since before
 * `failingBefore`, which will be disabled.
 */
export async function findUnread(db: Queryable, week: Week, failingBefore: Date): Promise<UnreadBy | null> {
  const rows = await db.query<UnreadBy>(
    `select r.team_id, r.webhook_id
     from (
       select w.team_id, w.id as webhook_id, w.position
       from webhook w
       join event_feed f on f.team_id = w.team_id
       where w.status = 'enabled' and w.position < f.position
         and (w.failing_since is null or w.failing_since > $3)
       union all
       select f.team_id, null, coalesce(m.position, 0)
       from event_feed f
       left join metric_feed m on m.team_id = f.team_id
       where coalesce(m.position, 0) < f.position
     ) r
     where exists (
       select from event e
       where e.team_id = r.team_id and e.position > r.position and e.id >= $1 and e.id < $2
     )
     limit 1`,
    [...idsOf(week), failingBefore],
  )
  return rows[0] ?? null
}

const hasRows = (rows: readonly unknown[]) => rows.length > 0

/** Limits the wait for a lock, during which writers queue behind it. */
const LOCK_MS = 200
/** A table that another transaction has used for this long (a dump, a report) is skipped. */
const LONG_SECONDS = 1
/** Prefix of a detached partition until it is dropped. Only this module drops tables with the prefix. */
const RETIRED = 'retired_'

/**
 * Detaches a partition with a plain DETACH, which locks the table exclusively for a moment. Does nothing while a long
 * transaction uses it. `hasReason` is checked again under the lock.
 * @returns false when it is not possible now
 */
export async function retirePartition(
  client: Queryable,
  { table, name }: Partition,
  hasReason: () => Promise<boolean>,
): Promise<boolean> {
  if (await isInLongUse(client, [table, name])) return false
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${LOCK_MS}`)
    await client.query(`lock table only ${table} in access exclusive mode`)
    const isThere = await client.query(
      'select 1 from pg_inherits where inhrelid = to_regclass($1) and inhparent = to_regclass($2)',
      [name, table],
    )
    const mayGo = isThere.length > 0 && (await hasReason())
    if (mayGo) {
      await client.query(`alter table ${table} detach partition ${name}`)
      await client.query(`alter table ${name} rename to ${RETIRED}${name}`)
    }
    await client.query('commit')
    return mayGo
  } catch (error) {
    await client.query('rollback')
    if (isBusy(error)) return false
    throw error
  }
}

/** Returns whether the lock timed out, or would have caused a deadlock. */
export function isBusy(error: unknown): boolean {
  const code = sqlState(error)
  return code === SQLSTATE.lockNotAvailable || code === SQLSTATE.deadlockDetected
}

/** Returns whether a long transaction of this database uses one of the tables. Copies of a database share their oids. */
export async function isInLongUse(client: Queryable, names: readonly string[]): Promise<boolean> {
  const rows = await client.query(
    `select 1
     from unnest($1::text[]) as n (name)
     join pg_locks l on l.relation = to_regclass(n.name)
     join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'relation' and l.granted and l.pid <> pg_backend_pid()
       and a.datname = current_database()
       and a.xact_start < clock_timestamp() - make_interval(secs => ${LONG_SECONDS})
     limit 1`,
    [names],
  )
  return rows.length > 0
}

/** Lists the detached partitions that are not yet dropped, including those of a killed process. */
export async function listRetired(client: Queryable): Promise<string[]> {
  const rows = await client.query<{ name: string }>(
    `select c.relname as name
     from pg_class c
     where c.relkind = 'r' and c.relname ~ '^${RETIRED}[a-z_]+_[0-9]{8}$' and pg_table_is_visible(c.oid)
       and not c.relispartition
     order by c.relname`,
  )
  return rows.map((row) => row.name)
}

/** The counters that change when a partition is dropped, and by how much for each of its rows. */
const COUNTED_OUT: readonly { prefix: string; counter: string; by: 1 | -1 }[] = [
  { prefix: `${RETIRED}email_2`, counter: EMAILS_DROPPED, by: 1 },
  { prefix: `${RETIRED}request_log_2`, counter: REQUESTS_LOGGED, by: -1 },
]

/** Drops a detached partition, and subtracts its rows from the lists of their teams. */
export async function dropRetired(client: Queryable, name: string): Promise<void> {
  try {
    await client.query('begin')
    // With the lock, a second process finds no table, and no row is counted twice.
    await client.query(`lock table ${name} in access exclusive mode`)
    const counter = COUNTED_OUT.find(({ prefix }) => name.startsWith(prefix))
    if (counter !== undefined) {
      await client.query(
        `insert into counter as c (team_id, name, value)
         select team_id, $1, $2 * count(*)
         from ${name}
         group by team_id
         order by team_id
         on conflict (team_id, name) do update
         set value = c.value + excluded.value`,
        [counter.counter, counter.by],
      )
    }
    await client.query(`drop table ${name}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    // Another scheduler dropped the table, and this transaction counted nothing.
    if (sqlState(error) === SQLSTATE.undefinedTable || isBusy(error)) return
    throw error
  }
}
