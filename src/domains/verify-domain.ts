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
  hintAccessChanged,
  lockDomain,
  type RecordChecks,
  releaseDomainName,
  saveDomainState,
  withdrawCapturedDomains,
} from './domains-queries.ts'

export interface DomainDeps {
  db: Db
  clock: Clock
  config: Pick<Config, 'hostname' | 'publicUrl' | 'dnsServers' | 'delivery'>
  /** The master key: seals DKIM private keys. */
  secret: Buffer
}

/** DNS has this long to answer all questions about one domain. */
const LOOK_TIMEOUT_MS = 5000
const LOOKS_AT_ONCE_MAX = 10
/** A process that dies over a check delays it by this much. */
const LEASE_MS = 5 * 60_000
const TAKEN = 'Another team of this installation has verified this domain.'

/** What a subscriber learns about a domain. */
export function domainEventData(domain: Domain): Record<string, unknown> {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status,
    reason: domain.reason,
    created_at: formatTime(domain.createdAt),
  }
}

async function resolveRecords(deps: DomainDeps, domain: Domain, now: Date): Promise<RecordChecks> {
  const keys = await findDkimKeys(deps.db, domain.teamId, domain.id)
  const records = expectedRecords(domain, keys, deps.config)
  return withDnsLookup(deps.config.dnsServers, LOOK_TIMEOUT_MS, (lookup) =>
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
      return 'DNS did not answer when it was asked for the DKIM record (RSA).'
  }
}

async function stateAfterLook(
  tx: Tx,
  domain: Domain,
  checks: RecordChecks,
  asked: boolean,
  lookedAt: Date,
  now: Date,
): Promise<DomainState> {
  const returnPath = checks.return_path?.outcome
  const seen: DomainState = {
    // What capture mode has verified counts for nothing as soon as DNS is asked.
    ...(domain.captured ? pendingAgain(domain, now) : domain),
    checks,
    checkedAt: lookedAt,
    returnPathVerified: returnPath === 'unknown' ? domain.returnPathVerified : returnPath === 'right',
  }
  const proof = proofOf(checks)
  if (proof !== 'proven') return nextState(seen, proof, reasonOf(checks), asked, now)
  const held = await claimDomainName(tx, domain)
  return nextState(seen, held ? 'proven' : 'taken', TAKEN, asked, now)
}

async function stateInCapture(tx: Tx, domain: Domain, asked: boolean, now: Date): Promise<DomainState> {
  const held = maySend(domain.status) || (await claimDomainName(tx, domain))
  return capturedState(domain, held, TAKEN, asked, now)
}

function changesAccess(before: DomainState, after: DomainState): boolean {
  return (
    before.status !== after.status ||
    before.returnPathVerified !== after.returnPathVerified ||
    before.checks.dkim_ed25519?.outcome !== after.checks.dkim_ed25519?.outcome
  )
}

/** Writes a domain's next state with all that hangs on it: its name, the event, the hint to other processes. */
async function moveDomain(tx: Tx, domain: Domain, state: DomainState, now: Date): Promise<Domain> {
  const moved: Domain = { ...domain, ...state, updatedAt: now }
  await saveDomainState(tx, domain.teamId, domain.id, moved, now)
  if (maySend(domain.status) && !maySend(moved.status)) await releaseDomainName(tx, domain)
  if (changesAccess(domain, moved)) await hintAccessChanged(tx)
  if (domain.status !== moved.status && (moved.status === 'verified' || moved.status === 'failed')) {
    const type = `domain.${moved.status}` as const
    const about = { teamId: domain.teamId, subjectId: domain.id }
    recordEvents(tx, [{ ...about, type, data: domainEventData(moved) }], now)
  }
  return moved
}

/** Capture mode's verification, inside the transaction that adds the domain. */
export async function verifyByCapture(tx: Tx, domain: Domain, now: Date): Promise<Domain> {
  return moveDomain(tx, domain, await stateInCapture(tx, domain, true, now), now)
}

/**
 * Looks at DNS with no transaction open, then judges under the row's lock. Null: deleted meanwhile. When two looks
 * overlap, the one that began last counts, whichever ends first.
 */
async function checkDomain(deps: DomainDeps, domain: Domain, asked: boolean): Promise<Domain | null> {
  const capture = deps.config.delivery.kind === 'capture'
  const lookedAt = deps.clock.now()
  const checks = capture ? null : await resolveRecords(deps, domain, lookedAt)
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now()
    const current = await lockDomain(tx, domain.teamId, domain.id)
    if (current === null) return null
    if (checks === null) return moveDomain(tx, current, await stateInCapture(tx, current, asked, now), now)
    if (current.checkedAt !== null && current.checkedAt > lookedAt) return current
    const state = await stateAfterLook(tx, current, checks, asked, lookedAt, now)
    return moveDomain(tx, current, state, now)
  })
}

/** Asks DNS now (at most 5 s) and answers with the domain as it is afterwards. Refuses `not_found`. */
export async function verifyDomain(deps: DomainDeps, teamId: string, id: string): Promise<Domain> {
  const domain = await findDomain(deps.db, teamId, id)
  const checked = domain === null ? null : await checkDomain(deps, domain, true)
  if (checked === null) throw new ApiError('not_found')
  return checked
}

/**
 * Checks up to `countMax` domains that are due; returns how many were. Call it again at once when that is `countMax`,
 * else in a minute. Safe in any number of processes at once. Throws when the database is away.
 */
export async function recheckDueDomains(deps: DomainDeps, countMax: number): Promise<number> {
  const now = deps.clock.now()
  const due = await claimDueDomains(deps.db, now, new Date(now.getTime() + LEASE_MS), countMax)
  const left = [...due]
  const lane = async () => {
    for (let domain = left.pop(); domain !== undefined; domain = left.pop()) {
      await checkDomain(deps, domain, false)
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LOOKS_AT_ONCE_MAX }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  return due.length
}

/**
 * To be called at start in every mode but capture: what capture mode verified is pending again, and due at once.
 * Idempotent. Returns how many domains that were.
 */
export async function revokeCapturedVerifications(db: Db, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const withdrawn = await withdrawCapturedDomains(tx, now)
    for (const domain of withdrawn) await releaseDomainName(tx, domain)
    if (withdrawn.length > 0) await hintAccessChanged(tx)
    return withdrawn.length
  })
}
