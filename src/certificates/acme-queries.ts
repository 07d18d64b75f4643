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

/** The certificate that answers TLS-ALPN-01, with its sealed private key. */
export interface ChallengeCertificate {
  /** PEM. */
  certificate: string
  sealedKey: Buffer
}

/** The answer to a challenge in progress. */
export interface ChallengeAnswer {
  token: string
  host: string
  keyAuthorization: string
  /** Null for HTTP-01. */
  tls: ChallengeCertificate | null
  expiresAt: Date
}

export async function saveChallenge(db: Queryable, answer: ChallengeAnswer): Promise<void> {
  const { token, host, keyAuthorization, tls, expiresAt } = answer
  await db.query(
    `insert into acme_challenge (token, host, key_authorization, certificate, sealed_key, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (token) do update
     set host = excluded.host, key_authorization = excluded.key_authorization, certificate = excluded.certificate,
       sealed_key = excluded.sealed_key, expires_at = excluded.expires_at`,
    [token, host, keyAuthorization, tls?.certificate ?? null, tls?.sealedKey ?? null, expiresAt],
  )
}

/** Returns the newest certificate that answers a TLS-ALPN-01 challenge for a host, or null. */
export async function findChallengeCertificate(
  db: Queryable,
  host: string,
): Promise<ChallengeCertificate | null> {
  const rows = await db.query<{ certificate: string | null; sealedKey: Buffer | null }>(
    `select certificate, sealed_key
     from acme_challenge
     where host = $1 and certificate is not null
     order by expires_at desc
     limit 1`,
    [host],
  )
  // Both columns are null together.
  return (rows[0] as ChallengeCertificate | undefined) ?? null
}

/** Returns the answer to an HTTP-01 challenge in progress, or null. */
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
