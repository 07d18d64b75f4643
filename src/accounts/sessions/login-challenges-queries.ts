import type { Queryable } from '../../db/db-types.ts'

/** A login with a correct password that awaits a second factor. */
export interface LoginChallenge {
  id: string
  userId: string
  /** The number of attempts, including the current one. */
  tries: number
  /** The lifetime of the session that follows, in milliseconds. Null: the default. */
  sessionMs: number | null
  createdAt: Date
  expiresAt: Date
}

const COLUMNS = `id, user_id, tries, session_ms, created_at, expires_at`

export async function insertLoginChallenge(db: Queryable, challenge: LoginChallenge): Promise<void> {
  await db.query(
    `insert into login_challenge (id, user_id, tries, session_ms, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      challenge.id,
      challenge.userId,
      challenge.tries,
      challenge.sessionMs,
      challenge.createdAt,
      challenge.expiresAt,
    ],
  )
}

/**
 * Returns a pending login without counting an attempt, or null if it does not exist, has expired or has no attempts
 * left.
 */
export async function findLoginChallenge(
  db: Queryable,
  id: string,
  now: Date,
  attemptsMax: number,
): Promise<LoginChallenge | null> {
  const rows = await db.query<LoginChallenge>(
    `select ${COLUMNS}
     from login_challenge
     where id = $1 and expires_at > $2 and tries < $3`,
    [id, now, attemptsMax],
  )
  return rows[0] ?? null
}

/**
 * Counts an attempt before anything is verified. Returns null if the login does not exist, has expired or has no
 * attempts left.
 */
export async function countLoginAttempt(
  db: Queryable,
  id: string,
  now: Date,
  attemptsMax: number,
): Promise<LoginChallenge | null> {
  const rows = await db.query<LoginChallenge>(
    `update login_challenge
     set tries = tries + 1
     where id = $1 and expires_at > $2 and tries < $3
     returning ${COLUMNS}`,
    [id, now, attemptsMax],
  )
  return rows[0] ?? null
}

/** Returns false if another request deleted it first: a pending login allows one session. */
export async function deleteLoginChallenge(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('delete from login_challenge where id = $1 returning id', [id])).length > 0
}

/** Deletes all pending logins of a user, because the password that started them has changed. */
export async function deleteLoginChallengesOf(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from login_challenge where user_id = $1', [userId])
}
