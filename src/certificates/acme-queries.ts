import type { Queryable } from '../db/db-types.ts'

/** Returns the sealed key of the account at a certificate authority, or null if there is none. */
export async function findAccountKey(db: Queryable, directoryUrl: string): Promise<Buffer | null> {
  const rows = await db.query<{ sealedKey: Buffer }>(
    `select sealed_key
     from acme_account
     where directory_url = $1`,
    [directoryUrl],
  )
  return rows[0]?.sealedKey ?? null
}

/** Stores an account key, unless another process was first. */
export async function insertAccountKey(
  db: Queryable,
  directoryUrl: string,
  sealedKey: Buffer,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into acme_account (directory_url, sealed_key, created_at)
     values ($1, $2, $3)
     on conflict (directory_url) do nothing`,
    [directoryUrl, sealedKey, now],
  )
}

export async function saveChallenge(
  db: Queryable,
  token: string,
  keyAuthorization: string,
  expiresAt: Date,
): Promise<void> {
  await db.query(
    `insert into acme_challenge (token, key_authorization, expires_at)
     values ($1, $2, $3)
     on conflict (token) do update
     set key_authorization = excluded.key_authorization, expires_at = excluded.expires_at`,
    [token, keyAuthorization, expiresAt],
  )
}

/** Returns the answer to a challenge in progress, or null. */
export async function findChallenge(db: Queryable, token: string): Promise<string | null> {
  const rows = await db.query<{ keyAuthorization: string }>(
    `select key_authorization
     from acme_challenge
     where token = $1`,
    [token],
  )
  return rows[0]?.keyAuthorization ?? null
}

export async function deleteChallenge(db: Queryable, token: string): Promise<void> {
  await db.query(
    `delete from acme_challenge
     where token = $1`,
    [token],
  )
}

/** Deletes challenges whose process died. */
export async function deleteChallengesBefore(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from acme_challenge
     where expires_at < $1`,
    [now],
  )
}
