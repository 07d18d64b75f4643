import { arrays } from '../../db/arrays.ts'
import type { Db, Queryable, Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import type { AutomationRun } from './runs-queries.ts'

/** Those of some automations that are not active. */
const PAUSED = `select id
  from automation
  where team_id = $1 and id = any ($2::uuid[]) and status <> 'active'`

/**
 * Parks leased runs whose automation is not active, until somebody resumes it. Returns their ids. Without this, a look for due
 * runs would meet all of them each time.
 */
export async function parkRuns(db: Db, teamId: string, runs: readonly AutomationRun[]): Promise<Set<string>> {
  const automationIds = arrays.uuid([...new Set(runs.map(({ automationId }) => automationId))])
  const paused = await db.query(`${PAUSED} limit 1`, [teamId, automationIds])
  // Mostly, no transaction is needed.
  if (paused.length === 0) return new Set()
  return db.transaction(async (tx) => {
    const locked = await tx.query<{ id: string }>(`${PAUSED} order by id for update`, [teamId, automationIds])
    const isLocked = new Set(locked.map(({ id }) => id))
    const parking = runs.filter(({ automationId }) => isLocked.has(automationId))
    const [, rows] = await together([
      tx.query(
        'update automation set has_parked = true where team_id = $1 and id = any ($2::uuid[]) and not has_parked',
        [teamId, arrays.uuid([...isLocked])],
      ),
      tx.query<{ id: string }>(
        `update automation_run
         set state = 'parked', leased_until = null
         where team_id = $1 and id = any ($2::uuid[]) and state = 'active'
         returning id`,
        [teamId, arrays.uuid(parking.map(({ id }) => id))],
      ),
    ])
    return new Set(rows.map(({ id }) => id))
  })
}

/** An active automation with parked runs. */
export interface Resuming {
  teamId: string
  id: string
  /** How many of them go on in a minute. */
  rate: number
  /** Up to when that rate is used; null: nothing has gone on yet. */
  unparkedUntil: Date | null
}

const RESUMING = `team_id, id, coalesce((settings ->> 'resume_rate')::float8, 600)::int4 as rate, unparked_until`

/** Returns those whose rate lets a run go on, the longest waiting first; also if the clock was set back since. */
export async function findResuming(
  db: Queryable,
  now: Date,
  countMax: number,
): Promise<Pick<Resuming, 'teamId' | 'id'>[]> {
  return db.query<Pick<Resuming, 'teamId' | 'id'>>(
    `select team_id, id
     from automation
     where has_parked and status = 'active' and (unparked_until is null or unparked_until > $1
       or unparked_until + make_interval(secs => 60 / coalesce((settings ->> 'resume_rate')::float8, 600)) <= $1)
     order by unparked_until nulls first
     limit $2`,
    [now, countMax],
  )
}

/** Locks a resuming automation. Returns null if another process has it, or it is no longer resuming. */
export async function lockResuming(tx: Tx, teamId: string, id: string): Promise<Resuming | null> {
  const rows = await tx.query<Resuming>(
    `select ${RESUMING}
     from automation
     where team_id = $1 and id = $2 and has_parked and status = 'active'
     for update skip locked`,
    [teamId, id],
  )
  return rows[0] ?? null
}

export async function saveUnparkedUntil(
  tx: Tx,
  { teamId, id }: Pick<Resuming, 'teamId' | 'id'>,
  until: Date,
): Promise<void> {
  await tx.query('update automation set unparked_until = $3 where team_id = $1 and id = $2', [
    teamId,
    id,
    until,
  ])
}

/** Lets the parked runs of an automation go on that are due longest. Returns how many. */
export async function unparkRuns(
  tx: Tx,
  { teamId, id }: Pick<Resuming, 'teamId' | 'id'>,
  countMax: number,
): Promise<number> {
  const rows = await tx.query(
    `with next as materialized (
       select team_id, id
       from automation_run
       where team_id = $1 and automation_id = $2 and state = 'parked'
       order by due_at
       limit $3
       for update
     )
     update automation_run r
     set state = 'active'
     from next n
     where r.team_id = n.team_id and r.id = n.id
     returning 1`,
    [teamId, id, countMax],
  )
  return rows.length
}

/** Notes that no run of a locked automation is parked any more. */
export async function clearParked(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query(
    `update automation a
     set has_parked = false, unparked_until = null
     where a.team_id = $1 and a.id = $2`,
    [teamId, id],
  )
}
