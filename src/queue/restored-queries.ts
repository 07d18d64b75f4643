import type { Queryable, Tx } from '../db/db-types.ts'

/**
 * Deliveries that were open when a backup was made may have been delivered since. After a restore they wait until this
 * time, for the operator to release or fail them.
 */
export const HELD_UNTIL = new Date('9999-01-01T00:00:00Z')
/** The category of held deliveries. */
export const RESTORED = 'restored'
const RESPONSE = 'Held since a backup was restored: it may have been delivered after the backup was made.'

/**
 * Holds all open deliveries, except those scheduled for a future time, which only a still running old installation
 * could send. Returns the number of recipients.
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

/** Held deliveries by the index of waiting rows: of team `$1` or all, at most `$6`. */
const HELD = `select team_id, email_id, no
       from delivery
       where due_at is not null and not ready and coalesce(leased_until, due_at) >= $4
         and category = $5 and ($1::uuid is null or team_id = $1)
       limit $6
       for update skip locked`

/** Releases up to `countMax` held deliveries: due now, with a new lifetime. Returns how many. */
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

/** A delivery that was held and has now failed. */
export interface GivenUp {
  teamId: string
  emailId: string
  address: string
}

/** Ends up to `countMax` held deliveries as failed. The caller updates the emails. */
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
