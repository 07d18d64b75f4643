import type { Queryable } from '../db/db-types.ts'

/** Tables of people's ways in, and from when on a row of each is of no use. */
const OVER = [
  ['session', 'expires_at'],
  ['login_challenge', 'expires_at'],
  ['account_link', 'expires_at'],
  ['throttle', 'forget_at'],
] as const

/** Deletes what is over, up to `countMax` rows of each table; true: there may be more. */
export async function expireAccounts(db: Queryable, now: Date, countMax: number): Promise<boolean> {
  let hasMore = false
  for (const [table, at] of OVER) {
    const rows = await db.query(
      `delete from ${table}
       where ctid = any(array(select ctid from ${table} where ${at} <= $1 order by ${at} limit $2 for update skip locked))
       returning 1`,
      [now, countMax],
    )
    hasMore ||= rows.length === countMax
  }
  return hasMore
}

/** Invitations that nobody followed or renewed. */
export async function expireInvitations(db: Queryable, before: Date, countMax: number): Promise<number> {
  const rows = await db.query(
    `delete from invitation i
     using (
       select team_id, id
       from invitation
       where expires_at <= $1
       order by expires_at
       limit $2
       for update skip locked
     ) old
     where i.team_id = old.team_id and i.id = old.id
     returning i.id`,
    [before, countMax],
  )
  return rows.length
}
