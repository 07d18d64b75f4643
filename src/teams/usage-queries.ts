import { arrays } from '../db/arrays.ts'
import { batchOf } from '../db/batch.ts'
import { EMAILS_DROPPED } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'

/** The recipients that a team has used in the current UTC month and day. */
export interface Allowance {
  teamId: string
  monthRecipients: number
  dayRecipients: number
}

/** Returns the first day of the month, and the day, in UTC, as PostgreSQL dates. */
export function periodOf(now: Date): { month: string; day: string } {
  const day = now.toISOString().slice(0, 10)
  return { month: `${day.slice(0, 7)}-01`, day }
}

/** Inserts the missing rows of the month. `teams` must be sorted. */
export async function ensureUsageRows(tx: Queryable, teams: readonly string[], now: Date): Promise<void> {
  const { month, day } = periodOf(now)
  await tx.query(
    `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
     select team_id, $2::date, 0, $3::date, 0, 0
     from unnest($1::uuid[]) as t (team_id)
     on conflict do nothing`,
    [arrays.uuid(teams), month, day],
  )
}

/**
 * Locks the month's row of each team, in the order of their ids, until the transaction ends, so that quotas are
 * exact.
 */
export async function lockAllowances(tx: Tx, teams: readonly string[], now: Date): Promise<Allowance[]> {
  const { month, day } = periodOf(now)
  return tx.query<Allowance>(
    `select u.team_id, u.month_recipients,
       case when u.day >= $3::date then u.day_recipients else 0 end as day_recipients
     from usage u
     where u.team_id = any ($1::uuid[]) and u.month = $2::date
     order by u.team_id
     for update of u`,
    [arrays.uuid(teams), month, day],
  )
}

const ADDITIONS = batchOf('team_id uuid, recipients int4, emails int4')

const ADD_USAGE = `update usage u
  set month_recipients = u.month_recipients + a.recipients,
    -- A process whose clock is behind counts into the newer day: a day that is over never comes back.
    day = greatest(u.day, $2::date),
    day_recipients = case when u.day >= $2::date then u.day_recipients else 0 end + a.recipients,
    emails = u.emails + a.emails
  from unnest(${ADDITIONS.arraysFrom(3)}) as a (${ADDITIONS.names})
  where u.team_id = a.team_id and u.month = $1::date`

/** Adds to the usage of teams; negative numbers subtract. Rows must be sorted by team. */
export async function addUsage(
  tx: Tx,
  additions: readonly { teamId: string; recipients: number; emails: number }[],
  now: Date,
): Promise<void> {
  if (additions.length === 0) return
  const { month, day } = periodOf(now)
  await tx.query(ADD_USAGE, [month, day, ...ADDITIONS.values(additions)])
}

/**
 * Subtracts the recipients of a canceled email from the current month and, if it was accepted on the counted day,
 * from that day. Does nothing for an email accepted in an earlier month.
 */
export async function giveBackUsage(
  tx: Tx,
  teamId: string,
  recipients: number,
  acceptedAt: Date,
  now: Date,
): Promise<void> {
  const accepted = periodOf(acceptedAt)
  const current = periodOf(now)
  if (accepted.month !== current.month) return
  await tx.query(
    `update usage u
     set month_recipients = greatest(0, u.month_recipients - $3),
       day_recipients = case when u.day = $4::date then greatest(0, u.day_recipients - $3) else u.day_recipients end
     where u.team_id = $1 and u.month = $2::date`,
    [teamId, current.month, recipients, accepted.day],
  )
}

/** Counts all emails of a team except those that retention deleted: the `total` of its list. */
export async function countEmails(db: Queryable, teamId: string): Promise<number> {
  const rows = await db.query<{ emails: number }>(
    `select greatest(0, coalesce(sum(emails), 0)
       - coalesce((select value from counter where team_id = $1 and name = $2), 0))::int8 as emails
     from usage
     where team_id = $1`,
    [teamId, EMAILS_DROPPED],
  )
  return rows[0]?.emails ?? 0
}

/** Returns the usage of the current month and day; zeros when nothing was accepted. Takes no lock. */
export async function readUsage(
  db: Queryable,
  teamId: string,
  now: Date,
): Promise<{ monthRecipients: number; dayRecipients: number; emails: number }> {
  const { month, day } = periodOf(now)
  const rows = await db.query<{ monthRecipients: number; dayRecipients: number; emails: number }>(
    `select month_recipients, case when day = $3::date then day_recipients else 0 end as day_recipients, emails
     from usage
     where team_id = $1 and month = $2::date`,
    [teamId, month, day],
  )
  return rows[0] ?? { monthRecipients: 0, dayRecipients: 0, emails: 0 }
}

/** Lists the usage of each month in which the team sent, newest first. */
export async function listUsage(
  db: Queryable,
  teamId: string,
  countMax: number,
): Promise<{ month: string; recipients: number; emails: number }[]> {
  return db.query<{ month: string; recipients: number; emails: number }>(
    `select month, month_recipients as recipients, emails
     from usage
     where team_id = $1
     order by month desc
     limit $2`,
    [teamId, countMax],
  )
}
