import type { Queryable, Tx } from '../db/db.ts'

/**
 * What was open when a backup was made may have been delivered after that: once restored it waits until then, for the
 * operator to release it or to give it up.
 */
export const HELD_UNTIL = new Date('9999-01-01T00:00:00Z')
/** The category of what is held. */
export const RESTORED = 'restored'
const RESPONSE = 'Held since a backup was restored: it may have been delivered after the backup was made.'

/**
 * Holds all that is open, but for what is scheduled for a time that is still to come: nobody can have sent that, unless the
 * old installation runs on. Returns how many recipients.
 */
export async function holdRestored(tx: Queryable, now: Date): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `with held as (
       update delivery
       set ready = false, due_at = $2, leased_until = null, leased_by = null, waits_for = null, category = $3,
         smtp_code = null, enhanced_code = null, response = $4
       where due_at is not null and (status <> 'scheduled' or due_at <= $1)
       returning 1
     )
     select count(*)::int8 as count from held`,
    [now, HELD_UNTIL, RESTORED, RESPONSE],
  )
  return rows[0]?.count ?? 0
}

/** Some of those held, by the index of what waits for a time: of team `$1` or all, `$6` at most. */
const HELD = `select team_id, email_id, no
       from delivery
       where due_at is not null and not ready and coalesce(leased_until, due_at) >= $4
         and category = $5 and ($1::uuid is null or team_id = $1)
       limit $6
       for update skip locked`

/** Lets up to `countMax` of those held go, the due time being now and the lifetime beginning anew. Returns how many. */
export async function releaseRestored(
  db: Queryable,
  teamId: string | null,
  times: { now: Date; expiresAt: Date },
  countMax: number,
): Promise<number> {
  const rows = await db.query(
    `update delivery d
     set due_at = $2, expires_at = $3, category = null, response = null, updated_at = $2
     from (${HELD}) h
     where d.team_id = h.team_id and d.email_id = h.email_id and d.no = h.no
     returning d.no`,
    [teamId, times.now, times.expiresAt, HELD_UNTIL, RESTORED, countMax],
  )
  return rows.length
}

/** One that was held, and is over now. */
export interface GivenUp {
  teamId: string
  emailId: string
  address: string
}

/** Ends up to `countMax` of those held as failed. The emails are the caller's to move. */
export async function failRestored(
  tx: Tx,
  teamId: string | null,
  response: string,
  now: Date,
  countMax: number,
): Promise<GivenUp[]> {
  return tx.query<GivenUp>(
    `update delivery d
     set status = 'failed', due_at = null, response = $3, updated_at = $2
     from (${HELD}) h
     where d.team_id = h.team_id and d.email_id = h.email_id and d.no = h.no
     returning d.team_id, d.email_id, d.address`,
    [teamId, now, response, HELD_UNTIL, RESTORED, countMax],
  )
}
