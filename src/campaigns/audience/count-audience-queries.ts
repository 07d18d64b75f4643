import { CONTACT_COUNTER } from '../../audience/contacts/contacts-queries.ts'
import type { ContactCondition } from '../../audience/segments/contact-condition.ts'
import { arrays } from '../../db/arrays.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import { queryPatiently } from '../../db/query-patiently.ts'

/** How many contacts of an audience would get mail, and how many would not. Each contact counts once. */
export interface AudienceCount {
  count: number
  unsubscribed: number
  suppressed: number
}

/** A contact of an audience, as shown beside its count. */
export interface AudienceExample {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
}

const COUNTS = `count(*) filter (where not c.is_unsubscribed and not c.is_suppressed)::int4 as count,
       count(*) filter (where c.is_unsubscribed)::int4 as unsubscribed,
       count(*) filter (where c.is_suppressed and not c.is_unsubscribed)::int4 as suppressed`

const LIVE = 'c.team_id = $1 and c.deleted_at is null'
/** Selects whether contacts opted out of campaigns or of the scope `$2`, and whether their address is suppressed. */
const FLAGS = `c.unsubscribed or u.email is not null as is_unsubscribed, s.email is not null as is_suppressed`
const OPT_OUTS = `left join unsubscription u on u.team_id = $1 and u.scope = $2 and u.email = c.email
         left join suppression s on s.team_id = $1 and s.email = c.email`

/** Counts an audience. Returns null if that takes longer than `timeoutMs`. */
export async function countAudience(
  db: Db,
  teamId: string,
  scope: string,
  condition: ContactCondition,
  timeoutMs: number,
): Promise<AudienceCount | null> {
  const values: unknown[] = [teamId, scope]
  const place = (value: unknown) => `$${values.push(value)}`
  const where = condition.gatherSql?.(place) ?? condition.sql(place)
  const rows = await queryPatiently<AudienceCount>(
    db,
    `select ${COUNTS}
     from (
       select ${FLAGS}
       from contact c
         ${OPT_OUTS}
       where ${LIVE} and (${where})
     ) as c`,
    values,
    { timeoutMs, mayHash: true },
  )
  return rows?.[0] ?? null
}

/** Estimates the count of an audience from the newest and the oldest contacts of the team, `sampleCount` of each. */
export async function estimateAudience(
  db: Queryable,
  teamId: string,
  scope: string,
  condition: ContactCondition,
  sampleCount: number,
): Promise<AudienceCount> {
  const values: unknown[] = [teamId, scope]
  const place = (value: unknown) => `$${values.push(value)}`
  const nearest = (order: 'asc' | 'desc') => `(select *
            from contact c
            where ${LIVE}
            order by c.id ${order}
            limit ${place(sampleCount)})`
  const rows = await db.query<AudienceCount & { testedCount: number }>(
    `with tested as materialized (
       select * from ${nearest('desc')} as newest
       union
       select * from ${nearest('asc')} as oldest
     )
     select ${COUNTS}, (select count(*)::int4 from tested) as tested_count
     from (
       select ${FLAGS}
       from tested c
         ${OPT_OUTS}
       where ${condition.sql(place)}
     ) as c`,
    values,
    { isOneOff: true },
  )
  const { testedCount = 0, ...counts } = rows[0] ?? { count: 0, unsubscribed: 0, suppressed: 0 }
  const all = Math.max(testedCount, await readCounter(db, teamId, CONTACT_COUNTER))
  const scale = (count: number) => (testedCount === 0 ? 0 : Math.round((count * all) / testedCount))
  return {
    count: scale(counts.count),
    unsubscribed: scale(counts.unsubscribed),
    suppressed: scale(counts.suppressed),
  }
}

/** Selects contacts that opted out neither of campaigns nor of a scope, and whose address is not suppressed. */
export function getsMail(scope: string): ContactCondition {
  return {
    sql: (place) => `not c.unsubscribed
         and not exists (
           select from unsubscription u where u.team_id = $1 and u.scope = ${place(scope)} and u.email = c.email)
         and not exists (select from suppression s where s.team_id = $1 and s.email = c.email)`,
  }
}

/** Reads contacts that were not deleted, newest first. */
export async function readExamples(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<AudienceExample[]> {
  return db.query<AudienceExample>(
    `select id, email, first_name, last_name
     from contact
     where team_id = $1 and id = any ($2::uuid[]) and deleted_at is null
     order by id desc`,
    [teamId, arrays.uuid(ids)],
  )
}
