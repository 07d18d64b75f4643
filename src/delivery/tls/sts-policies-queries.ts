import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'

/** A domain's MTA-STS policy as last fetched. */
export interface KeptStsPolicy {
  /** Of the `_mta-sts` record that announced it. */
  id: string
  mode: 'enforce' | 'testing' | 'none'
  mx: readonly string[]
  maxAgeSeconds: number
  fetchedAt: Date
  expiresAt: Date
}

interface StsPolicyRow {
  domain: string
  policyId: string
  mode: KeptStsPolicy['mode']
  mx: string[]
  maxAgeSeconds: number
  fetchedAt: Date
  expiresAt: Date
}

/** Of each domain, in their order; null where there is none. Expired ones too: the caller judges. */
export async function findStsPolicies(
  db: Queryable,
  domains: readonly string[],
): Promise<(KeptStsPolicy | null)[]> {
  const rows = await db.query<StsPolicyRow>(
    `select domain, policy_id, mode, mx, max_age_seconds, fetched_at, expires_at
     from sts_policy
     where domain = any ($1::text[])`,
    [arrays.text([...domains])],
  )
  const byDomain = new Map(rows.map((row) => [row.domain, fromRow(row)]))
  return domains.map((domain) => byDomain.get(domain) ?? null)
}

function fromRow(row: StsPolicyRow): KeptStsPolicy {
  return {
    id: row.policyId,
    mode: row.mode,
    mx: row.mx,
    maxAgeSeconds: row.maxAgeSeconds,
    fetchedAt: row.fetchedAt,
    expiresAt: row.expiresAt,
  }
}

/** Of two processes that fetched, the later fetch stays. */
export async function saveStsPolicy(db: Queryable, domain: string, policy: KeptStsPolicy): Promise<void> {
  await db.query(
    `insert into sts_policy (domain, policy_id, mode, mx, max_age_seconds, fetched_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (domain) do update
     set policy_id = excluded.policy_id, mode = excluded.mode, mx = excluded.mx,
       max_age_seconds = excluded.max_age_seconds, fetched_at = excluded.fetched_at, expires_at = excluded.expires_at
     where sts_policy.fetched_at <= excluded.fetched_at`,
    [domain, policy.id, policy.mode, policy.mx, policy.maxAgeSeconds, policy.fetchedAt, policy.expiresAt],
  )
}

/** Forgets policies that have expired, `countMax` at most. Returns how many. */
export async function purgeStsPolicies(
  db: Queryable,
  expiredBefore: Date,
  countMax: number,
): Promise<number> {
  const rows = await db.query<{ domain: string }>(
    `delete from sts_policy
     where domain in (
       select domain
       from sts_policy
       where expires_at < $1
       order by expires_at
       limit $2)
     returning domain`,
    [expiredBefore, countMax],
  )
  return rows.length
}
