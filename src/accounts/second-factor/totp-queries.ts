import type { Queryable } from '../../db/db-types.ts'

export interface Totp {
  userId: string
  sealedSecret: Buffer
  /** Null while the app awaits confirmation. */
  confirmedAt: Date | null
  /** The step of the last used code. */
  lastStep: number
}

export async function findTotp(db: Queryable, userId: string): Promise<Totp | null> {
  const rows = await db.query<Totp>(
    `select user_id, sealed_secret, confirmed_at, last_step
     from user_totp
     where user_id = $1`,
    [userId],
  )
  return rows[0] ?? null
}

/**
 * Stores a pending secret, replacing an earlier pending one. Returns false, without a change, if an app is already
 * enabled.
 */
export async function putPendingTotp(
  db: Queryable,
  userId: string,
  sealedSecret: Buffer,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `insert into user_totp as t (user_id, sealed_secret, confirmed_at, last_step, created_at)
     values ($1, $2, null, 0, $3)
     on conflict (user_id) do update
     set sealed_secret = excluded.sealed_secret, last_step = 0, created_at = excluded.created_at
     where t.confirmed_at is null
     returning user_id`,
    [userId, sealedSecret, now],
  )
  return rows.length > 0
}

/**
 * Enables the pending app and uses up the code that confirmed it. Returns false if the secret was replaced, confirmed
 * or deleted in the meantime.
 */
export async function confirmTotp(
  db: Queryable,
  { userId, sealedSecret }: Pick<Totp, 'userId' | 'sealedSecret'>,
  step: number,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update user_totp
     set confirmed_at = $4, last_step = $3
     where user_id = $1 and sealed_secret = $2 and confirmed_at is null
     returning user_id`,
    [userId, sealedSecret, step, now],
  )
  return rows.length > 0
}

/** Uses up the code of a step. Returns true for only one of several simultaneous requests in any processes. */
export async function spendTotpStep(
  db: Queryable,
  { userId, sealedSecret }: Pick<Totp, 'userId' | 'sealedSecret'>,
  step: number,
): Promise<boolean> {
  const rows = await db.query(
    `update user_totp
     set last_step = $3
     where user_id = $1 and sealed_secret = $2 and last_step < $3 and confirmed_at is not null
     returning user_id`,
    [userId, sealedSecret, step],
  )
  return rows.length > 0
}

/** Deletes the app, enabled or pending. Returns true if it was enabled. */
export async function deleteTotp(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query<{ confirmedAt: Date | null }>(
    `delete from user_totp
     where user_id = $1
     returning confirmed_at`,
    [userId],
  )
  return rows.some((row) => row.confirmedAt !== null)
}
