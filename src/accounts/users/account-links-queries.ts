import type { Queryable } from '../../db/db-types.ts'

export type LinkKind = 'first_owner' | 'reset' | 'login'

/** A single-use link that grants access without a password. Only the SHA-256 of its token is stored. */
export interface AccountLink {
  tokenHash: Buffer
  kind: LinkKind
  /** Null for the first owner, who has no user yet. */
  userId: string | null
  createdAt: Date
  expiresAt: Date
}

export async function insertAccountLink(db: Queryable, link: AccountLink): Promise<void> {
  await db.query(
    `insert into account_link (token_hash, kind, user_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [link.tokenHash, link.kind, link.userId, link.createdAt, link.expiresAt],
  )
}

/** Returns the owner of a link, or null if the link does not exist, is used or has expired. */
export async function findAccountLink(
  db: Queryable,
  kind: LinkKind,
  tokenHash: Buffer,
  now: Date,
): Promise<Pick<AccountLink, 'userId'> | null> {
  const rows = await db.query<{ userId: string | null }>(
    `select user_id
     from account_link
     where token_hash = $1 and kind = $2 and expires_at > $3`,
    [tokenHash, kind, now],
  )
  return rows[0] ?? null
}

/** Deletes a link on its use and returns its owner. Returns null if the link does not exist, is used or has expired. */
export async function takeAccountLink(
  db: Queryable,
  kind: LinkKind,
  tokenHash: Buffer,
  now: Date,
): Promise<Pick<AccountLink, 'userId'> | null> {
  const rows = await db.query<{ userId: string | null }>(
    `delete from account_link
     where token_hash = $1 and kind = $2 and expires_at > $3
     returning user_id`,
    [tokenHash, kind, now],
  )
  return rows[0] ?? null
}

/** Deletes the links of one kind that a user got before a time. */
export async function deleteEarlierLinks(
  db: Queryable,
  { userId, kind, before }: { userId: string; kind: LinkKind; before: Date },
): Promise<void> {
  await db.query('delete from account_link where user_id = $1 and kind = $2 and created_at < $3', [
    userId,
    kind,
    before,
  ])
}

/** Deletes all links of a user, or those of the first owner if null. */
export async function deleteAccountLinks(db: Queryable, userId: string | null): Promise<void> {
  await db.query('delete from account_link where user_id is not distinct from $1', [userId])
}
