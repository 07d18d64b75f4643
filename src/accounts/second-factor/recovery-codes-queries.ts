import { arrays } from '../../db/arrays.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  hashes: readonly Buffer[],
  now: Date,
): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  await tx.query(
    `insert into user_recovery_code (user_id, hash, created_at)
     select $1, hash, $3
     from unnest($2::bytea[]) as code (hash)`,
    [userId, arrays.bytea(hashes), now],
  )
}

/** Deletes a code on its use. Returns true for only one of several simultaneous requests. */
export async function spendRecoveryCode(db: Queryable, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await db.query(
    `delete from user_recovery_code
     where user_id = $1 and hash = $2
     returning user_id`,
    [userId, hash],
  )
  return rows.length > 0
}

export async function deleteRecoveryCodes(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from user_recovery_code where user_id = $1', [userId])
}
