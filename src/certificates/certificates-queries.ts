import { arrays } from '../db/arrays.ts'
import type { Queryable } from '../db/db-types.ts'

/** A certificate with its sealed private key. */
export interface StoredCertificate {
  host: string
  /** PEM, leaf first. */
  chain: string
  sealedKey: Buffer
  validUntil: Date
  issuedAt: Date
}

/** The state of a host's certificate, without its key. */
export interface CertificateState {
  host: string
  /** Null before the first certificate. */
  validUntil: Date | null
  dueAt: Date | null
  failures: number
  reason: string | null
}

/** A host that needs a certificate now. */
export interface DueHost {
  host: string
  failures: number
  /** The challenge of the last certificate, or null. */
  provenBy: string | null
}

type CertificateRow = { host: string } & {
  [Key in Exclude<keyof StoredCertificate, 'host'>]: StoredCertificate[Key] | null
}

/** Returns the certificates that were issued after a time, for all hosts. */
export async function findCertificatesSince(db: Queryable, after: Date): Promise<StoredCertificate[]> {
  const rows = await db.query<CertificateRow>(
    `select host, chain, sealed_key, valid_until, issued_at
     from tls_certificate
     where issued_at > $1
     order by issued_at`,
    [after],
  )
  // The four columns are null together, before the first certificate.
  return rows as StoredCertificate[]
}

/** Lists up to `countMax` hosts that the installation serves: those with failures first, then by expiry. */
export async function listCertificateStates(db: Queryable, countMax: number): Promise<CertificateState[]> {
  return db.query<CertificateState>(
    `select host, valid_until, due_at, failures, reason
     from tls_certificate
     where due_at is not null
     order by failures desc, valid_until nulls first, host
     limit $1`,
    [countMax],
  )
}

/**
 * Returns the domains whose record for tracked links was verified, the first `teamMax` of each team: authorities limit the orders
 * of an installation, which one team must not use up.
 */
export async function listTrackedDomains(db: Queryable, teamMax: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select name
     from (
       select v.name, row_number() over (partition by d.team_id order by d.id) as place
       from verified_domain v
       join domain d on d.team_id = v.team_id and d.id = v.domain_id
       where d.checks -> 'tracking' ->> 'outcome' = 'right') tracked
     where place <= $1`,
    [teamMax],
  )
  return rows.map(({ name }) => name)
}

/**
 * Adds hosts without a certificate, which are due at once, and hosts that are served again or by another authority. A
 * host that is served again is due at the time of `renewalAt`: authorities limit the certificates of one host, and a
 * record that comes and goes must not use them up. The others are left out first, because `on conflict` would lock
 * their rows each time.
 */
export async function addHosts(
  db: Queryable,
  hosts: readonly string[],
  directoryUrl: string,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into tls_certificate (host, directory_url, due_at, failures)
     select wanted, $2, $3, 0
     from unnest($1::text[]) wanted
     where not exists (
       select 1
       from tls_certificate
       where host = wanted and directory_url = $2 and due_at is not null)
     on conflict (host) do update
     set directory_url = excluded.directory_url, failures = 0, reason = null,
       due_at = case
         when tls_certificate.directory_url = excluded.directory_url and tls_certificate.valid_until is not null
         then tls_certificate.valid_until
           - least(interval '30 days', (tls_certificate.valid_until - tls_certificate.issued_at) / 3)
         else excluded.due_at
       end
     where tls_certificate.due_at is null or tls_certificate.directory_url <> excluded.directory_url`,
    [arrays.text([...hosts]), directoryUrl, now],
  )
}

/** Ends the renewal for all other hosts. Their certificates stay in use until they expire. */
export async function dropOtherHosts(db: Queryable, hosts: readonly string[], now: Date): Promise<void> {
  await db.query(
    `update tls_certificate
     set due_at = null, failures = 0, reason = null
     where due_at is not null and host <> all ($1::text[])`,
    [arrays.text([...hosts])],
  )
  await db.query(
    `delete from tls_certificate
     where due_at is null and (valid_until is null or valid_until < $1)`,
    [now],
  )
}

/** Claims the host that has been due for longest, until `leasedUntil`. Concurrent processes claim different ones. */
export async function claimDueHost(db: Queryable, now: Date, leasedUntil: Date): Promise<DueHost | null> {
  const rows = await db.query<DueHost>(
    `with due as (
       select host as due_host
       from tls_certificate
       where due_at <= $1
       order by due_at
       limit 1
       for update skip locked
     )
     update tls_certificate
     set due_at = $2
     from due
     where host = due_host
     returning host, failures, proven_by`,
    [now, leasedUntil],
  )
  return rows[0] ?? null
}

/** @param provenBy the challenge that proved the host; null keeps the known one */
export async function saveCertificate(
  db: Queryable,
  certificate: StoredCertificate,
  dueAt: Date,
  provenBy: string | null = null,
): Promise<void> {
  const { host, chain, sealedKey, validUntil, issuedAt } = certificate
  await db.query(
    `update tls_certificate
     set chain = $2, sealed_key = $3, valid_until = $4, issued_at = $5, due_at = $6, failures = 0, reason = null,
       proven_by = coalesce($7, proven_by)
     where host = $1`,
    [host, chain, sealedKey, validUntil, issuedAt, dueAt, provenBy],
  )
}

/** Records that an attempt failed. A host that is no longer served stays so. */
export async function saveFailure(
  db: Queryable,
  host: string,
  failures: number,
  reason: string,
  dueAt: Date,
): Promise<void> {
  await db.query(
    `update tls_certificate
     set failures = $2, reason = $3, due_at = $4
     where host = $1 and due_at is not null`,
    [host, failures, reason, dueAt],
  )
}
