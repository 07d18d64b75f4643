import type { Queryable } from '../../db/db-types.ts'

/** Tables of sessions, logins, links and throttles, with the column that says when a row expires. */
const EXPIRY_COLUMNS = [
  ['session', 'expires_at'],
  ['login_challenge', 'expires_at'],
  ['account_link', 'expires_at'],
  ['device_login', 'expires_at'],
  ['throttle', 'forget_at'],
] as const

/** Deletes expired rows, up to `countMax` per table. Returns true if there may be more. */
export async function expireAccounts(db: Queryable, now: Date, countMax: number): Promise<boolean> {
  let hasMore = false
  for (const [table, at] of EXPIRY_COLUMNS) {
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

/** Deletes invitations that expired without being accepted or renewed. Returns the number of deleted invitations. */
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
