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
