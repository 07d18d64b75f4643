import { hintAccessChanged } from '../access/access-changes-queries.ts'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { recordEvents } from '../events/record-queries.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { findDkimKeys } from './dkim-keys-queries.ts'
import { withDnsLookup } from './dns-lookup.ts'
import { checkRecords } from './domain-checks.ts'
import { expectedRecords } from './domain-records.ts'
import { capturedState, maySend, nextState, pendingAgain, proofOf } from './domain-status.ts'
import {
  claimDomainName,
  claimDueDomains,
  type Domain,
  type DomainState,
  findDomain,
  lockDomain,
  type RecordChecks,
  releaseDomainName,
  saveDomainState,
  withdrawCapturedDomains,
} from './domains-queries.ts'

export interface DomainDeps extends CheckDeps {
  /** The master key, which seals DKIM private keys. */
  secret: Buffer
}

interface CheckDeps {
  db: Db
  clock: Clock
  config: Pick<Config, 'hostname' | 'publicUrl' | 'dnsServers' | 'delivery'>
}

/** The time limit for all DNS lookups of one domain. */
const CHECK_TIMEOUT_MS = 5000
const CONCURRENT_CHECKS_MAX = 10
/** The delay of a check whose process died. */
const LEASE_MS = 5 * 60_000
const TAKEN = 'Another team of this installation has verified this domain.'

/** Returns the event data of a domain. */
export function domainEventData(domain: Domain): Record<string, unknown> {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status,
    reason: domain.reason,
    created_at: formatTime(domain.createdAt),
  }
}

async function resolveRecords(deps: CheckDeps, domain: Domain, now: Date): Promise<RecordChecks> {
  const keys = await findDkimKeys(deps.db, domain.teamId, domain.id)
  const records = expectedRecords(domain, keys, deps.config)
  return withDnsLookup(deps.config.dnsServers, CHECK_TIMEOUT_MS, (lookup) =>
    checkRecords(records, domain.checks, lookup, now),
  )
}

function reasonOf(checks: RecordChecks): string {
  switch (checks.dkim_rsa?.outcome) {
    case 'missing':
      return 'The DKIM record (RSA) was not found in DNS.'
    case 'wrong':
      return 'The DKIM record (RSA) in DNS is not the one to publish.'
    default:
      return 'DNS did not answer the query for the DKIM record (RSA).'
  }
}

async function stateAfterCheck(
  tx: Tx,
  domain: Domain,
  checks: RecordChecks,
  isRequested: boolean,
  checkStartedAt: Date,
  now: Date,
): Promise<DomainState> {
  const returnPath = checks.return_path?.outcome
  const state: DomainState = {
    // Once DNS is used, the verification of capture mode no longer counts.
    ...(domain.captured ? pendingAgain(domain, now) : domain),
    checks: keepRight(domain.checks, checks),
    checkedAt: checkStartedAt,
    returnPathVerified: returnPath === 'unknown' ? domain.returnPathVerified : returnPath === 'right',
  }
  const proof = proofOf(checks)
  if (proof !== 'proven') return nextState(state, proof, reasonOf(checks), isRequested, now)
  const holdsName = await claimDomainName(tx, domain)
  return nextState(state, holdsName ? 'proven' : 'taken', TAKEN, isRequested, now)
}

/** Records that stay right, like the return path, if DNS did not answer. What the RSA key's outcome means, nextState decides. */
const KEPT = ['tracking', 'dkim_ed25519'] as const

function keepRight(before: RecordChecks, after: RecordChecks): RecordChecks {
  const kept = KEPT.filter((key) => before[key]?.outcome === 'right' && after[key]?.outcome === 'unknown')
  return { ...after, ...Object.fromEntries(kept.map((key) => [key, before[key]])) }
}

async function stateInCapture(tx: Tx, domain: Domain, isRequested: boolean, now: Date): Promise<DomainState> {
  const holdsName = maySend(domain.status) || (await claimDomainName(tx, domain))
  return capturedState(domain, holdsName, TAKEN, isRequested, now)
}

function changesAccess(before: DomainState, after: DomainState): boolean {
  return (
    before.status !== after.status ||
    before.returnPathVerified !== after.returnPathVerified ||
    before.checks.dkim_ed25519?.outcome !== after.checks.dkim_ed25519?.outcome
  )
}

/** Saves a domain's next state with all consequences: its name, the event, the notification of other processes. */
async function moveDomain(tx: Tx, domain: Domain, state: DomainState, now: Date): Promise<Domain> {
  const updated: Domain = { ...domain, ...state, updatedAt: now }
  await saveDomainState(tx, domain.teamId, domain.id, updated, now)
  if (maySend(domain.status) && !maySend(updated.status)) await releaseDomainName(tx, domain)
  if (changesAccess(domain, updated)) await hintAccessChanged(tx)
  if (domain.status !== updated.status && (updated.status === 'verified' || updated.status === 'failed')) {
    const type = `domain.${updated.status}` as const
    const about = { teamId: domain.teamId, subjectId: domain.id }
    recordEvents(tx, [{ ...about, type, data: domainEventData(updated) }], now)
  }
  return updated
}

/** Verifies a domain in capture mode, within the transaction that adds it. */
export async function verifyByCapture(tx: Tx, domain: Domain, now: Date): Promise<Domain> {
  return moveDomain(tx, domain, await stateInCapture(tx, domain, true, now), now)
}

/**
 * Checks DNS without an open transaction, then updates the domain under its lock. Returns null if it was deleted
 * meanwhile. If two checks overlap, the one that started last counts, even if it ends first.
 */
async function checkDomain(deps: CheckDeps, domain: Domain, isRequested: boolean): Promise<Domain | null> {
  const capture = deps.config.delivery.kind === 'capture'
  const checkStartedAt = deps.clock.now()
  const checks = capture ? null : await resolveRecords(deps, domain, checkStartedAt)
  return deps.db.transaction(async (tx) => {
    const current = await lockDomain(tx, domain.teamId, domain.id)
    const now = deps.clock.now()
    if (current === null) return null
    if (checks === null)
      return moveDomain(tx, current, await stateInCapture(tx, current, isRequested, now), now)
    const { checkedAt } = current
    // A time after now comes from a process whose clock is ahead. It must not stop the checks until then.
    if (checkedAt !== null && checkedAt > checkStartedAt && checkedAt <= now) return current
    const state = await stateAfterCheck(tx, current, checks, isRequested, checkStartedAt, now)
    return moveDomain(tx, current, state, now)
  })
}

/** Checks DNS now (at most 5 s) and returns the updated domain. Throws `not_found`. */
export async function verifyDomain(deps: CheckDeps, teamId: string, id: string): Promise<Domain> {
  const domain = await findDomain(deps.db, teamId, id)
  const checkedDomain = domain === null ? null : await checkDomain(deps, domain, true)
  if (checkedDomain === null) throw new ApiError('not_found')
  return checkedDomain
}

/**
 * Checks up to `countMax` due domains and returns their number. If that is `countMax`, call it again at once,
 * otherwise in a minute. Safe in several processes at the same time. Throws if the database is unavailable.
 */
export async function recheckDueDomains(deps: CheckDeps, countMax: number): Promise<number> {
  const now = deps.clock.now()
  const due = await claimDueDomains(deps.db, now, new Date(now.getTime() + LEASE_MS), countMax)
  const queue = [...due]
  const worker = async () => {
    for (let domain = queue.pop(); domain !== undefined; domain = queue.pop()) {
      await checkDomain(deps, domain, false)
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: CONCURRENT_CHECKS_MAX }, worker))
  for (const outcome of workers) if (outcome.status === 'rejected') throw outcome.reason
  return due.length
}

/**
 * Makes domains that capture mode verified pending and due. Called at startup in every other mode. Idempotent.
 * Returns the number of changed domains.
 */
export async function revokeCapturedVerifications(db: Db, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const withdrawn = await withdrawCapturedDomains(tx, now)
    for (const domain of withdrawn) await releaseDomainName(tx, domain)
    if (withdrawn.length > 0) await hintAccessChanged(tx)
    return withdrawn.length
  })
}
