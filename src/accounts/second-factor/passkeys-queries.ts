import type { Queryable, Tx } from '../../db/db-types.ts'

export interface Passkey {
  userId: string
  id: string
  name: string
  credentialId: Buffer
  /** COSE (RFC 9052). */
  publicKey: Buffer
  /** 0 if the authenticator does not count. */
  signCount: number
  transports: string[]
  isBackedUp: boolean
  /** Whether it is never enough alone: it is older than the user's link to single sign-on. */
  isSecondFactorOnly: boolean
  lastUsedAt: Date | null
  createdAt: Date
}

const COLUMNS = `user_id, id, name, credential_id, public_key, sign_count, transports, is_backed_up, is_second_factor_only,
  last_used_at, created_at`

/** Inserts a passkey. Returns false, without a change, if any user already has the credential. */
export async function insertPasskey(db: Queryable, passkey: Passkey): Promise<boolean> {
  const rows = await db.query(
    `insert into passkey (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (credential_id) do nothing
     returning id`,
    [
      passkey.userId,
      passkey.id,
      passkey.name,
      passkey.credentialId,
      passkey.publicKey,
      passkey.signCount,
      passkey.transports,
      passkey.isBackedUp,
      passkey.isSecondFactorOnly,
      passkey.lastUsedAt,
      passkey.createdAt,
    ],
  )
  return rows.length > 0
}

/** Lists a user's passkeys, oldest first. */
export async function listPasskeys(db: Queryable, userId: string): Promise<Passkey[]> {
  return db.query<Passkey>(
    `select ${COLUMNS}
     from passkey
     where user_id = $1
     order by id`,
    [userId],
  )
}

/** Finds a passkey by its credential, of any user. */
export async function findPasskeyByCredential(db: Queryable, credentialId: Buffer): Promise<Passkey | null> {
  const rows = await db.query<Passkey>(
    `select ${COLUMNS}
     from passkey
     where credential_id = $1`,
    [credentialId],
  )
  return rows[0] ?? null
}

/**
 * Records a use. Returns false, without a change, if the counter did not increase: the authenticator was copied, or
 * the answer was used before (WebAuthn level 3, section 6.1.1).
 */
export async function recordPasskeyUse(
  db: Queryable,
  { userId, id }: Pick<Passkey, 'userId' | 'id'>,
  { signCount, isBackedUp }: Pick<Passkey, 'signCount' | 'isBackedUp'>,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update passkey
     set sign_count = $3, is_backed_up = $4, last_used_at = $5
     where user_id = $1 and id = $2 and (sign_count < $3 or (sign_count = 0 and $3 = 0))
     returning id`,
    [userId, id, signCount, isBackedUp, now],
  )
  return rows.length > 0
}

/** Makes all passkeys of a user second factors only. */
export async function restrictPasskeys(tx: Tx, userId: string): Promise<void> {
  await tx.query('update passkey set is_second_factor_only = true where user_id = $1', [userId])
}

export async function renamePasskey(
  db: Queryable,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey | null> {
  const rows = await db.query<Passkey>(
    `update passkey
     set name = $3
     where user_id = $1 and id = $2
     returning ${COLUMNS}`,
    [userId, id, name],
  )
  return rows[0] ?? null
}

export async function deletePasskey(db: Queryable, userId: string, id: string): Promise<boolean> {
  const rows = await db.query(
    `delete from passkey
     where user_id = $1 and id = $2
     returning id`,
    [userId, id],
  )
  return rows.length > 0
}

/** Returns the number of deleted passkeys. */
export async function deletePasskeys(db: Queryable, userId: string): Promise<number> {
  const rows = await db.query('delete from passkey where user_id = $1 returning id', [userId])
  return rows.length
}
