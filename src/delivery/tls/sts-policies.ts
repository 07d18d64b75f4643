import { OverloadedError } from '../../lib/async/batcher.ts'
import { createFairSemaphore } from '../../lib/async/fair-semaphore.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { FetchStsPolicy, StsFetchFailure } from './sts-fetch.ts'
import type { StoredStsPolicy } from './sts-policies-queries.ts'
import { readStsRecord } from './sts-syntax.ts'
import { TtlCache } from './ttl-cache.ts'

/** The DNS answer for a name's TXT records. */
export type TxtAnswer =
  | { kind: 'records'; records: readonly string[]; ttlSeconds: number }
  | { kind: 'none'; ttlSeconds: number | null }
  | { kind: 'temporary' }

export interface StsKnown {
  policy: StoredStsPolicy
}

/** A domain's policy; one that is announced but cannot be fetched; or null. */
export type StsState = StsKnown | { failure: StsFetchFailure; reason: string } | null

export interface StsDeps {
  clock: Clock
  log: Log
  txt(name: string, teamId: string): Promise<TxtAnswer>
  fetchPolicy: FetchStsPolicy
  find(domain: string): Promise<StoredStsPolicy | null>
  save(domain: string, policy: StoredStsPolicy): Promise<void>
}

export interface StsPolicies {
  /**
   * Rejects when the database cannot be read, so that a stored policy is never taken for none. Takes no longer than the
   * database, DNS and one fetch. `teamId` is the sending team: teams share DNS and fetches fairly.
   */
  policyOf(domain: string, teamId: string): Promise<StsState>
}

/** Some 60,000 domains without a policy or with a typical one; the largest policies have 64 KB. */
const MEMORY_BYTES_MAX = 32 * 1024 * 1024
/** Limit on a fetch, including the wait for its turn: a delivery waits no longer. */
const FETCH_MS = 10_000
const FETCHES_MAX = 64
/** How long a DNS answer is used, whatever its TTL: a changed policy can go unnoticed for this long. */
const RECORD_MS_MIN = 60_000
const RECORD_MS_MAX = 60 * 60_000
const NO_RECORD_MS = 5 * 60_000
const DNS_TROUBLE_MS = 60_000
const FETCH_FAILED_MS = 5 * 60_000
/** RFC 8461 section 3.3: refresh a policy long before it expires. */
const REFRESH_MS_MAX = 24 * 60 * 60_000

/**
 * The MTA-STS policies of recipient domains (RFC 8461). A policy is:
 * - *in memory* while the domain's TXT record is fresh;
 * - *in the database* until its max_age ends: other processes read it there without a fetch. It applies until then even
 *   if the record disappears and the policy host is down (section 5.1);
 * - *fetched* when the record's id differs from the stored policy's, or after a day, or half of its max_age if that is
 *   shorter (then in the background, while the delivery uses the stored policy).
 */
export function createStsPolicies(deps: StsDeps): StsPolicies {
  const { clock, log } = deps
  const states = new TtlCache<StsState>({ clock, bytesMax: MEMORY_BYTES_MAX, measure })
  const gate = createFairSemaphore({ places: FETCHES_MAX, waitMs: FETCH_MS })

  async function search(domain: string, teamId: string): Promise<{ value: StsState; ttlMs: number }> {
    const policy = await findKept(domain)
    const answer = await deps.txt(`_mta-sts.${domain}`, teamId)
    const state: StsState = policy === null ? null : { policy }
    if (answer.kind === 'temporary') return { value: state, ttlMs: DNS_TROUBLE_MS }
    const id = answer.kind === 'records' ? readStsRecord(answer.records) : null
    if (id === null) return { value: state, ttlMs: NO_RECORD_MS }
    const ttlMs = Math.min(RECORD_MS_MAX, Math.max(RECORD_MS_MIN, (answer.ttlSeconds ?? 0) * 1000))
    if (policy?.id === id) {
      if (isOld(policy, clock.now())) refresh(domain, id, teamId)
      return { value: state, ttlMs: Math.min(ttlMs, policy.expiresAt.getTime() - clock.now().getTime()) }
    }
    const fetched = await fetch(domain, id, teamId)
    if (fetched === null || 'policy' in fetched) return { value: fetched, ttlMs }
    return { value: state ?? fetched, ttlMs: FETCH_FAILED_MS }
  }

  /** Returns null when there is none, or it has expired. */
  async function findKept(domain: string): Promise<StoredStsPolicy | null> {
    const policy = await deps.find(domain)
    return policy !== null && policy.expiresAt > clock.now() ? policy : null
  }

  /** Fetches in the background: the delivery goes by the stored policy. */
  function refresh(domain: string, id: string, teamId: string): void {
    const warn = (error: unknown) => log.warn({ err: error, domain }, 'could not refresh an MTA-STS policy')
    fetch(domain, id, teamId).catch(warn)
  }

  /** Fetches and stores a policy. Never rejects. */
  async function fetch(domain: string, id: string, teamId: string): Promise<StsState> {
    const signal = AbortSignal.timeout(FETCH_MS)
    const answer = await gate
      .run(teamId, () => deps.fetchPolicy(domain, signal))
      .catch((error: unknown) => {
        if (!(error instanceof OverloadedError)) throw error
        return { failure: 'sts-policy-fetch-error', reason: 'too many policies are being fetched' } as const
      })
    if ('failure' in answer) {
      const { failure, reason } = answer
      log.info({ domain, failure, reason }, 'could not fetch an MTA-STS policy')
      return answer
    }
    const policy = toKept(answer.policy, id, clock.now())
    const warn = (error: unknown) => log.warn({ err: error, domain }, 'could not store an MTA-STS policy')
    await deps.save(domain, policy).catch(warn)
    return { policy }
  }

  return { policyOf: (domain, teamId) => states.get(domain, () => search(domain, teamId)) }
}

function toKept(
  policy: Omit<StoredStsPolicy, 'id' | 'fetchedAt' | 'expiresAt'>,
  id: string,
  fetchedAt: Date,
): StoredStsPolicy {
  return { ...policy, id, fetchedAt, expiresAt: new Date(fetchedAt.getTime() + policy.maxAgeSeconds * 1000) }
}

function isOld({ fetchedAt, maxAgeSeconds }: StoredStsPolicy, now: Date): boolean {
  const ageMs = now.getTime() - fetchedAt.getTime()
  return ageMs > Math.min(REFRESH_MS_MAX, (maxAgeSeconds * 1000) / 2)
}

function measure(state: StsState): number {
  if (state === null || 'failure' in state) return 0
  return state.policy.mx.reduce((sum, pattern) => sum + pattern.length + STRING_BYTES, 0)
}
/** Memory overhead of a string beside its characters. */
const STRING_BYTES = 32
