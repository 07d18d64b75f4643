import type { Queryable } from '../../db/db-types.ts'

/** The second factors of a user. */
export interface SecondFactors {
  totpEnabled: boolean
  passkeyCount: number
  recoveryCodesLeft: number
}

export async function countSecondFactors(db: Queryable, userId: string): Promise<SecondFactors> {
  const rows = await db.query<{ totp: boolean; passkeys: number; codes: number }>(
    `select
       exists (select 1 from user_totp where user_id = $1 and confirmed_at is not null) as totp,
       (select count(*)::int4 from passkey where user_id = $1) as passkeys,
       (select count(*)::int4 from user_recovery_code where user_id = $1) as codes`,
    [userId],
  )
  const { totp = false, passkeys = 0, codes = 0 } = rows[0] ?? {}
  return { totpEnabled: totp, passkeyCount: passkeys, recoveryCodesLeft: codes }
}

/** Marks an answered challenge as spent, and deletes a few expired ones. Returns false if it was spent before. */
export async function spendChallenge(
  db: Queryable,
  hash: Buffer,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `with gone as (
       delete from spent_challenge
       where hash in (
         select hash from spent_challenge where expires_at <= $3 order by expires_at limit 10 for update skip locked
       )
     )
     insert into spent_challenge (hash, expires_at)
     values ($1, $2)
     on conflict (hash) do nothing
     returning hash`,
    [hash, expiresAt, now],
  )
  return rows.length > 0
}
