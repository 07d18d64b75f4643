import { arrays } from '../db/arrays.ts'
import type { Queryable, Tx } from '../db/db-types.ts'

/** An open of an email, or a click on one of its links, by a recipient. */
export interface Visit {
  teamId: string
  emailId: string
  name: 'opened' | 'clicked'
  /** A pseudonym of the address. */
  recipient: string
}

/** Stores visits, and returns those that are the first of their kind. */
export async function storeVisits(tx: Tx, visits: readonly Visit[]): Promise<Visit[]> {
  if (visits.length === 0) return []
  return tx.query<Visit>(
    `insert into metric_visit (team_id, email_id, name, recipient)
     select *
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[])
     on conflict do nothing
     returning team_id, email_id, name, recipient`,
    [
      arrays.uuid(visits.map((visit) => visit.teamId)),
      arrays.uuid(visits.map((visit) => visit.emailId)),
      arrays.text(visits.map((visit) => visit.name)),
      arrays.uuid(visits.map((visit) => visit.recipient)),
    ],
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
