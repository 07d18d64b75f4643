import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** An open of an email, a click on one of its links, or a complaint, by a recipient. */
export interface CountedVisit {
  teamId: string
  emailId: string
  name: 'opened' | 'clicked' | 'complained'
  /** A pseudonym of the address. */
  recipient: string
}

const VISITS = batchOf('team_id uuid, email_id uuid, name text, recipient uuid')

const STORE_VISITS = `insert into metric_visit (${VISITS.names})
  select *
  from unnest(${VISITS.arrays})
  on conflict do nothing
  returning team_id, email_id, name, recipient`

/** Stores visits, and returns those that are the first of their kind. */
export async function storeVisits(tx: Tx, visits: readonly CountedVisit[]): Promise<CountedVisit[]> {
  if (visits.length === 0) return []
  return tx.query<CountedVisit>(STORE_VISITS, VISITS.values(visits))
}

const KEYS = batchOf('team_id uuid, email_id uuid')

const COUNT_VISITS = `select v.email_id, v.name, count(*)::int4 as count
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  join metric_visit v on v.team_id = k.team_id and v.email_id = k.email_id
  group by v.email_id, v.name`

/** Returns how many visits of each kind emails have. */
export async function countVisits(
  db: Queryable,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<{ emailId: string; name: CountedVisit['name']; count: number }[]> {
  if (keys.length === 0) return []
  return db.query<{ emailId: string; name: CountedVisit['name']; count: number }>(
    COUNT_VISITS,
    KEYS.values(keys),
  )
}

/** Deletes visits of emails accepted before `firstId`. Returns the number deleted. */
export async function forgetVisits(db: Queryable, firstId: string, countMax: number): Promise<number> {
  const rows = await db.query(
    `with old as (
       select team_id, email_id, name, recipient
       from metric_visit
       where email_id < $1
       order by email_id
       limit $2
     )
     delete from metric_visit v
     using old
     where v.team_id = old.team_id and v.email_id = old.email_id and v.name = old.name
       and v.recipient = old.recipient
     returning v.email_id`,
    [firstId, countMax],
  )
  return rows.length
}

/** Deletes the counted statuses of emails accepted before `firstId`. Returns the number deleted. */
export async function forgetStatuses(db: Queryable, firstId: string, countMax: number): Promise<number> {
  const rows = await db.query(
    `with old as (
       select team_id, email_id
       from metric_status
       where email_id < $1
       order by email_id
       limit $2
     )
     delete from metric_status s
     using old
     where s.team_id = old.team_id and s.email_id = old.email_id
     returning s.email_id`,
    [firstId, countMax],
  )
  return rows.length
}

/** Deletes the outcomes of one grain from before `before`. Returns the number of rows. */
export async function forgetOutcomes(
  db: Queryable,
  grain: string,
  before: Date,
  countMax: number,
): Promise<number> {
  const rows = await db.query(
    `with old as (
       select team_id, grain, since, simulated
       from metric_outcome
       where grain = $1 and since < $2
       order by since
       limit $3
     )
     delete from metric_outcome m
     using old
     where m.team_id = old.team_id and m.grain = old.grain and m.since = old.since and m.simulated = old.simulated
     returning m.since`,
    [grain, before, countMax],
  )
  return rows.length
}

/** Deletes the metrics of one grain from before `before`. Returns the number of rows. */
export async function forgetMetrics(
  db: Queryable,
  table: 'metric' | 'metric_delay',
  grain: string,
  before: Date,
  countMax: number,
): Promise<number> {
  const rows = await db.query(
    `with old as (
       select team_id, grain, dimension, since, key
       from ${table}
       where grain = $1 and since < $2
       order by since
       limit $3
     )
     delete from ${table} m
     using old
     where m.team_id = old.team_id and m.grain = old.grain and m.dimension = old.dimension
       and m.since = old.since and m.key = old.key
     returning m.since`,
    [grain, before, countMax],
  )
  return rows.length
}
