import type { Queryable } from '../../db/db-types.ts'

export interface Totp {
  userId: string
  sealedSecret: Buffer
  /** Null: shown, and not in use yet. */
  confirmedAt: Date | null
  /** The step whose code was used last. */
  lastStep: number
}

interface Row {
  userId: string
  sealedSecret: Buffer
  confirmedAt: Date | null
  lastStep: number
}

export async function findTotp(db: Queryable, userId: string): Promise<Totp | null> {
  const rows = await db.query<Row>(
    `select user_id, sealed_secret, confirmed_at, last_step
     from user_totp
     where user_id = $1`,
    [userId],
  )
  const row = rows[0]
  if (row === undefined) return null
  return {
    userId: row.userId,
    sealedSecret: row.sealedSecret,
    confirmedAt: row.confirmedAt,
    lastStep: row.lastStep,
  }
}

/** In place of one that was not confirmed. False: one is in use, and stays. */
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

/** The pending one comes into use; the code that showed it is used. False: it was replaced, confirmed or ended meanwhile. */
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

/** Takes the code of a step: of all who bring it at the same time, in whatever process, one is told true. */
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

/** True: one was in use. One that was only begun goes as well. */
export async function deleteTotp(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query<{ confirmedAt: Date | null }>(
    `delete from user_totp
     where user_id = $1
     returning confirmed_at`,
    [userId],
  )
  return rows.some((row) => row.confirmedAt !== null)
}
