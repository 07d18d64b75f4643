import { hintAccessChanged } from '../access/access-changes-queries.ts'
import { bumpCounters } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { violates } from '../db/sqlstate.ts'
import { recordEvents } from '../events/record-queries.ts'
import { ApiError, orNotFound } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { findDkimKeys, insertDkimKey, retireDkimKeys, type StoredDkimKey } from './dkim-keys-queries.ts'
import { makeDkimKeys } from './domain-keys.ts'
import { requireDomainName } from './domain-name.ts'
import { type ExpectedRecord, expectedRecords } from './domain-records.ts'
import { pendingState } from './domain-status.ts'
import {
  type Domain,
  type DomainSettings,
  deleteDomain,
  findDomain,
  findDomainByName,
  insertDomain,
  lockDomain,
  type RecordCheck,
  releaseDomainName,
  updateDomainSettings,
} from './domains-queries.ts'
import { isDomainUsedBySenders } from './senders-queries.ts'
import { type DomainDeps, domainEventData, verifyByCapture } from './verify-domain.ts'

interface DomainInput extends Partial<DomainSettings> {
  name: string
}

/** The name of the counter for the `total` of the list. */
export const DOMAIN_COUNTER = 'domains'

type RecordStatus = 'pending' | 'verified' | 'failed' | 'temporary_failure'

export interface DomainRecord extends ExpectedRecord {
  status: RecordStatus
  /** The result of the last check; null before the first. */
  check: RecordCheck | null
  isInDns: boolean
}

function newDomain(teamId: string, name: string, input: DomainInput, now: Date): Domain {
  return {
    ...pendingState(now),
    teamId,
    id: newId(now.getTime()),
    name,
    tls: input.tls ?? 'opportunistic',
    openTracking: input.openTracking ?? false,
    clickTracking: input.clickTracking ?? false,
    dkimEd25519: input.dkimEd25519 ?? false,
    createdAt: now,
    updatedAt: now,
  }
}

function nameConflict(): ApiError {
  return new ApiError('conflict', 'This domain has already been added.')
}

async function insertWhole(tx: Tx, domain: Domain, keys: readonly StoredDkimKey[]): Promise<void> {
  const { teamId, id, createdAt } = domain
  try {
    await insertDomain(tx, domain)
  } catch (error) {
    throw violates(error, 'domain_name_unique') ? nameConflict() : error
  }
  for (const key of keys) await insertDkimKey(tx, teamId, id, key, createdAt)
  await bumpCounters(tx, [{ teamId, name: DOMAIN_COUNTER, by: 1 }])
  const event = { teamId, subjectId: id, type: 'domain.created' as const, data: domainEventData(domain) }
  recordEvents(tx, [event], createdAt)
}

/**
 * Adds a domain with new DKIM keys. It is pending and due for its first check; in capture mode, it is verified at
 * once. Throws `validation_error` on `name`, and `conflict` if the team already has the name.
 */
export async function addDomain(deps: DomainDeps, teamId: string, input: DomainInput): Promise<Domain> {
  const name = requireDomainName(input.name)
  // Check first, because keys are expensive. The constraint decides between simultaneous requests.
  if ((await findDomainByName(deps.db, teamId, name)) !== null) throw nameConflict()
  return deps.db.transaction(await prepareDomain(deps, teamId, input))
}

/**
 * Generates the keys of a domain. Returns a function that adds the domain as `addDomain` does, in the transaction of the
 * caller. Both throw as `addDomain` does.
 */
export async function prepareDomain(
  { clock, secret, config }: Omit<DomainDeps, 'db'>,
  teamId: string,
  input: DomainInput,
): Promise<(tx: Tx) => Promise<Domain>> {
  const name = requireDomainName(input.name)
  const now = clock.now()
  const domain = newDomain(teamId, name, input, now)
  const keys = await makeDkimKeys(secret, teamId, domain)
  return async (tx) => {
    await insertWhole(tx, domain, keys)
    return config.delivery.kind === 'capture' ? verifyByCapture(tx, domain, now) : domain
  }
}

/** Updates the given settings. Throws `not_found`. */
export async function updateDomain(
  deps: DomainDeps,
  teamId: string,
  id: string,
  settings: Partial<DomainSettings>,
): Promise<Domain> {
  const { tls = null, openTracking = null, clickTracking = null, dkimEd25519 = null } = settings
  return deps.db.transaction(async (tx) => {
    const settings = { tls, openTracking, clickTracking, dkimEd25519 }
    if (!(await updateDomainSettings(tx, teamId, id, settings, deps.clock.now())))
      throw new ApiError('not_found')
    await hintAccessChanged(tx)
    return (await findDomain(tx, teamId, id)) as Domain
  })
}

/**
 * Deletes a domain. Emails accepted before are still signed and delivered (domains/domain-keys.ts). Throws
 * `not_found`, and `conflict` while it has senders.
 */
export async function removeDomain(deps: DomainDeps, teamId: string, id: string): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const domain = orNotFound(await lockDomain(tx, teamId, id))
    // A transaction that adds a sender holds a weaker lock on the domain: its sender is visible here, or it finds the
    // domain deleted.
    if (await isDomainUsedBySenders(tx, teamId, id)) {
      throw new ApiError('conflict', 'This domain is used by senders and cannot be deleted.')
    }
    await deleteDomain(tx, teamId, id)
    await releaseDomainName(tx, domain)
    await retireDkimKeys(tx, teamId, domain, now)
    await bumpCounters(tx, [{ teamId, name: DOMAIN_COUNTER, by: -1 }])
    recordEvents(tx, [{ teamId, subjectId: id, type: 'domain.deleted', data: domainEventData(domain) }], now)
    await hintAccessChanged(tx)
  })
}

function recordStatus(domain: Domain, check: RecordCheck | null): RecordStatus {
  switch (check?.outcome) {
    case 'right':
      return 'verified'
    case 'wrong':
      return 'failed'
    case 'unknown':
      return 'temporary_failure'
    case 'missing':
      return domain.status === 'pending' ? 'pending' : 'failed'
    default:
      return 'pending'
  }
}

/** Returns the records to publish, each with the result of the last check. */
export async function domainRecords(
  deps: { db: Queryable; config: DomainDeps['config'] },
  domain: Domain,
): Promise<DomainRecord[]> {
  const keys = await findDkimKeys(deps.db, domain.teamId, domain.id)
  return expectedRecords(domain, keys, deps.config).map((record) => {
    const check = domain.checks[record.key] ?? null
    return { ...record, check, status: recordStatus(domain, check), isInDns: check?.outcome === 'right' }
  })
}
