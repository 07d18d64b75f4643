import type { Queryable, Tx } from '../../db/db-types.ts'

/** A person at an OpenID provider, and their user here. */
export interface SsoIdentity {
  issuer: string
  subject: string
  userId: string
  createdAt: Date
  lastLoginAt: Date
}

/** Violates `sso_identity_pkey` if the subject has a user, `sso_identity_one` if the user has another subject. */
export async function insertSsoIdentity(tx: Tx, identity: SsoIdentity): Promise<void> {
  await tx.query(
    `insert into sso_identity (issuer, subject, user_id, created_at, last_login_at)
     values ($1, $2, $3, $4, $5)`,
    [identity.issuer, identity.subject, identity.userId, identity.createdAt, identity.lastLoginAt],
  )
}

export async function findSsoUser(db: Queryable, issuer: string, subject: string): Promise<string | null> {
  const rows = await db.query<{ userId: string }>(
    'select user_id from sso_identity where issuer = $1 and subject = $2',
    [issuer, subject],
  )
  return rows[0]?.userId ?? null
}

/** Returns whether a user is linked to a subject of the issuer. */
export async function hasSsoIdentity(db: Queryable, issuer: string, userId: string): Promise<boolean> {
  const rows = await db.query('select 1 from sso_identity where user_id = $1 and issuer = $2', [
    userId,
    issuer,
  ])
  return rows.length > 0
}

/** Returns whether a user is linked to a subject of any issuer. */
export async function isLinkedUser(db: Queryable, userId: string): Promise<boolean> {
  return (await db.query('select 1 from sso_identity where user_id = $1 limit 1', [userId])).length > 0
}

export async function touchSsoIdentity(tx: Tx, issuer: string, subject: string, now: Date): Promise<void> {
  await tx.query('update sso_identity set last_login_at = $3 where issuer = $1 and subject = $2', [
    issuer,
    subject,
    now,
  ])
}

export async function deleteSsoIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.query('delete from sso_identity where user_id = $1', [userId])
}
