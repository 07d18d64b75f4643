import type { Queryable } from '../../db/db-types.ts'

export interface Passkey {
  userId: string
  id: string
  name: string
  credentialId: Buffer
  /** COSE (RFC 9052). */
  publicKey: Buffer
  /** 0: the authenticator does not count. */
  signCount: number
  transports: string[]
  isBackedUp: boolean
  lastUsedAt: Date | null
  createdAt: Date
}

interface Row {
  userId: string
  id: string
  name: string
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: string[]
  isBackedUp: boolean
  lastUsedAt: Date | null
  createdAt: Date
}

const COLUMNS =
  'user_id, id, name, credential_id, public_key, sign_count, transports, is_backed_up, last_used_at, created_at'

function toPasskey(row: Row): Passkey {
  return {
    userId: row.userId,
    id: row.id,
    name: row.name,
    credentialId: row.credentialId,
    publicKey: row.publicKey,
    signCount: row.signCount,
    transports: row.transports,
    isBackedUp: row.isBackedUp,
    lastUsedAt: row.lastUsedAt,
    createdAt: row.createdAt,
  }
}

/** False: the credential is known already, whoever has it; nothing was written then. */
export async function insertPasskey(db: Queryable, passkey: Passkey): Promise<boolean> {
  const rows = await db.query(
    `insert into passkey (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
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
      passkey.lastUsedAt,
      passkey.createdAt,
    ],
  )
  return rows.length > 0
}

/** All of a user, oldest first: they are few. */
export async function listPasskeys(db: Queryable, userId: string): Promise<Passkey[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS}
     from passkey
     where user_id = $1
     order by id`,
    [userId],
  )
  return rows.map(toPasskey)
}

/** Whoever has it. */
export async function findPasskeyByCredential(db: Queryable, credentialId: Buffer): Promise<Passkey | null> {
  const rows = await db.query<Row>(
    `select ${COLUMNS}
     from passkey
     where credential_id = $1`,
    [credentialId],
  )
  return rows[0] === undefined ? null : toPasskey(rows[0])
}

/**
 * Notes a use. A counter that does not go up says that the authenticator was copied, or that this very answer was taken
 * before (WebAuthn level 3, section 6.1.1): false then, and nothing is written.
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

export async function renamePasskey(
  db: Queryable,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey | null> {
  const rows = await db.query<Row>(
    `update passkey
     set name = $3
     where user_id = $1 and id = $2
     returning ${COLUMNS}`,
    [userId, id, name],
  )
  return rows[0] === undefined ? null : toPasskey(rows[0])
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

/** Returns how many there were. */
export async function deletePasskeys(db: Queryable, userId: string): Promise<number> {
  const rows = await db.query('delete from passkey where user_id = $1 returning id', [userId])
  return rows.length
}
