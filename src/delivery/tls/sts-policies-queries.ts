import { arrays } from '../../db/arrays.ts'
import type { Queryable } from '../../db/db-types.ts'

/** A domain's MTA-STS policy as last fetched. */
export interface StoredStsPolicy {
  /** The id in the `_mta-sts` record that announced the policy. */
  id: string
  mode: 'enforce' | 'testing' | 'none'
  mx: readonly string[]
  maxAgeSeconds: number
  fetchedAt: Date
  expiresAt: Date
}

/** Returns the policy of each domain, in order; null if there is none. Includes expired policies. */
export async function findStsPolicies(
  db: Queryable,
  domains: readonly string[],
): Promise<(StoredStsPolicy | null)[]> {
  const rows = await db.query<StoredStsPolicy & { domain: string }>(
    `select domain, policy_id as id, mode, mx, max_age_seconds, fetched_at, expires_at
     from sts_policy
     where domain = any ($1::text[])`,
    [arrays.text([...domains])],
  )
  const byDomain = new Map(rows.map(({ domain, ...policy }) => [domain, policy]))
  return domains.map((domain) => byDomain.get(domain) ?? null)
}

/** Stores a fetched policy. If two processes fetched it, the later fetch is kept. */
export async function saveStsPolicy(db: Queryable, domain: string, policy: StoredStsPolicy): Promise<void> {
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

/** Deletes up to `countMax` expired policies. Returns the number. */
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
