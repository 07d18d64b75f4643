import type { Queryable } from '../../db/db-types.ts'

/** A login whose password was right, and of which a second factor is asked. */
export interface LoginChallenge {
  id: string
  userId: string
  /** This one included. */
  tries: number
  createdAt: Date
  expiresAt: Date
}

const COLUMNS = `id, user_id, tries, created_at, expires_at`

export async function insertLoginChallenge(db: Queryable, challenge: LoginChallenge): Promise<void> {
  await db.query(
    `insert into login_challenge (id, user_id, tries, created_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [challenge.id, challenge.userId, challenge.tries, challenge.createdAt, challenge.expiresAt],
  )
}

/** Without counting a try. Null: there is none, it is over, or it was tried too often. */
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

/** Counts a try at it, before anything is looked at. Null: there is none, it is over, or it was tried too often. */
export async function tryLoginChallenge(
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

/** False when somebody else was quicker: it is good for one login. */
export async function deleteLoginChallenge(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('delete from login_challenge where id = $1 returning id', [id])).length > 0
}

/** All that a user began: whoever began it, what it began with has changed. */
export async function deleteLoginChallengesOf(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from login_challenge where user_id = $1', [userId])
}
