import type { Queryable } from '../db/db-types.ts'
import { classOf, type MailClass } from './mail-class.ts'

/** The numbers of open deliveries by state. */
export interface OpenCounts {
  /** Claimable now. */
  ready: number
  /** Held by a process. */
  leased: number
  /** Waiting for their next attempt. */
  delayed: number
  /** Waiting for their scheduled time. */
  scheduled: number
}

/** The counting limit: a graph must not cost what the queue itself needs. */
export const OPEN_COUNT_MAX = 200_000

/** Teams whose ready deliveries are counted. */
const TEAMS_MAX = 10_000

/** Counts the open deliveries by state. */
export async function countOpen(db: Queryable): Promise<OpenCounts> {
  const { transactional, bulk } = await countOpenByClass(db)
  return {
    ready: transactional.ready + bulk.ready,
    leased: transactional.leased + bulk.leased,
    delayed: transactional.delayed + bulk.delayed,
    scheduled: transactional.scheduled + bulk.scheduled,
  }
}

/**
 * Counts the open deliveries by class and state, up to OPEN_COUNT_MAX ready ones of each class and as many others
 * together. Ready ones are counted by team, so that a bulk backlog does not have to be read to find transactional mail.
 */
export async function countOpenByClass(db: Queryable): Promise<Record<MailClass, OpenCounts>> {
  const readyOf = (isBulk: boolean) =>
    `select ${isBulk} as is_bulk, 'ready' as state, count(*)::int4 as count
     from (
       select 1
       from team
       cross join lateral (select 1 from delivery d where d.ready and d.team_id = team.team_id and d.bulk = ${isBulk}) as row
       limit ${OPEN_COUNT_MAX}
     ) as ready`
  const rows = await db.query<{ isBulk: boolean; state: keyof OpenCounts; count: number }>(
    `with recursive team (team_id, position) as (
       (select d.team_id, 1 from delivery d where d.ready order by d.team_id limit 1)
       union all
       select (select d.team_id from delivery d where d.ready and d.team_id > team.team_id order by d.team_id limit 1),
         team.position + 1
       from team
       where team.team_id is not null and team.position < ${TEAMS_MAX}
     )
     ${readyOf(false)}
     union all
     ${readyOf(true)}
     union all
     select bulk, state, count(*)::int4
     from (
       select bulk, case when leased_until is not null then 'leased' when status = 'scheduled' then 'scheduled'
         else 'delayed' end as state
       from delivery
       where due_at is not null and not ready
       limit ${OPEN_COUNT_MAX}
     ) as waiting
     group by bulk, state`,
  )
  const counts: Record<MailClass, OpenCounts> = { transactional: { ...NONE }, bulk: { ...NONE } }
  for (const { isBulk, state, count } of rows) counts[classOf(isBulk)][state] = count
  return counts
}

const NONE: OpenCounts = { ready: 0, leased: 0, delayed: 0, scheduled: 0 }
