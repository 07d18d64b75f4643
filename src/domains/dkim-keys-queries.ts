import type { Db, Queryable, Tx } from '../db/db-types.ts'

export interface StoredDkimKey {
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  domainName: string
  selector: string
  /** The p= tag of the DNS record (RFC 6376 section 3.6.1; RFC 8463 section 4 for Ed25519). */
  publicKey: string
  /** PKCS#8 DER, sealed. */
  sealedPrivateKey: Buffer
}

const COLUMNS = `k.algorithm, k.domain_name, k.selector, k.public_key,
  k.sealed_private_key`

/** Returns the keys of a domain, RSA first, because every verifier supports it. */
export async function findDkimKeys(
  db: Queryable,
  teamId: string,
  domainId: string,
): Promise<StoredDkimKey[]> {
  return db.query<StoredDkimKey>(
    `select ${COLUMNS}
     from dkim_key k
     where k.team_id = $1 and k.domain_id = $2
     order by k.algorithm desc`,
    [teamId, domainId],
  )
}

/**
 * Returns the keys of a domain, RSA first, and whether new emails are signed with each: RSA always, Ed25519 if the
 * domain asks for it and its record was found in DNS (a signature without a record causes a permanent error at
 * receivers). For a deleted domain: RSA.
 */
export async function findSigningKeys(
  db: Queryable,
  teamId: string,
  domainId: string,
): Promise<(StoredDkimKey & { isUsed: boolean })[]> {
  return db.query<StoredDkimKey & { isUsed: boolean }>(
    `select ${COLUMNS},
       k.algorithm = 'rsa-sha256' or coalesce(d.dkim_ed25519
         and (d.captured or d.checks #>> '{dkim_ed25519,outcome}' = 'right'), false) as is_used
     from dkim_key k
     left join domain d on d.team_id = k.team_id and d.id = k.domain_id
     where k.team_id = $1 and k.domain_id = $2
     order by k.algorithm desc`,
    [teamId, domainId],
  )
}

/**
 * Returns the newest key of the installation with its owner, or null if there is none. Those of deleted domains come last,
 * so that a domain sealed with a wrong key no longer counts once it is deleted.
 */
export async function findAnyDkimKey(
  db: Queryable,
): Promise<(StoredDkimKey & { teamId: string; domainId: string }) | null> {
  const rows = await db.query<StoredDkimKey & { teamId: string; domainId: string }>(
    `select ${COLUMNS}, k.team_id, k.domain_id
     from dkim_key k
     order by k.retired_at is not null, k.created_at desc
     limit 1`,
  )
  return rows[0] ?? null
}

export async function insertDkimKey(
  tx: Tx,
  teamId: string,
  domainId: string,
  key: StoredDkimKey,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into dkim_key (team_id, domain_id, algorithm, domain_name, selector, public_key, sealed_private_key,
       created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [teamId, domainId, key.algorithm, key.domainName, key.selector, key.publicKey, key.sealedPrivateKey, now],
  )
}

/** Marks the keys of a deleted domain. They stay for emails accepted before (domains/domain-keys.ts). */
export async function retireDkimKeys(
  tx: Tx,
  teamId: string,
  domain: { id: string; tls: 'opportunistic' | 'enforced' },
  now: Date,
): Promise<void> {
  await tx.query(
    `update dkim_key
     set retired_at = $3, domain_tls = $4
     where team_id = $1 and domain_id = $2`,
    [teamId, domain.id, now, domain.tls],
  )
}

/** Returns the number of deleted keys. */
export async function deleteKeysRetiredBefore(db: Db, before: Date): Promise<number> {
  const rows = await db.query(
    `delete from dkim_key
     where retired_at < $1
     returning selector`,
    [before],
  )
  return rows.length
}
