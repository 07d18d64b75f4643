import { bumpCounters } from '../db/counters.ts'
import type { Queryable, Tx } from '../db/db-types.ts'
import { violates } from '../db/sqlstate.ts'
import { recordEvents } from '../events/record-queries.ts'
import { ApiError } from '../lib/api-error.ts'
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
  hintAccessChanged,
  insertDomain,
  lockDomain,
  type RecordCheck,
  releaseDomainName,
  updateDomainSettings,
} from './domains-queries.ts'
import { isDomainUsedBySenders } from './senders-queries.ts'
import { type DomainDeps, domainEventData, verifyByCapture } from './verify-domain.ts'

export interface DomainInput extends Partial<DomainSettings> {
  name: string
}

/** The name of the counter behind the `total` of the list. */
export const DOMAIN_COUNTER = 'domains'

type RecordStatus = 'pending' | 'verified' | 'failed' | 'temporary_failure'

export interface DomainRecord extends ExpectedRecord {
  status: RecordStatus
  /** As last seen; null before the first look. */
  check: RecordCheck | null
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
    createdAt: now,
    updatedAt: now,
  }
}

function nameConflict(): ApiError {
  return new ApiError('conflict', 'This domain has been added already.')
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
 * Adds a domain with fresh DKIM keys: pending and due for its first check, in capture mode verified at once.
 * Refuses `validation_error` on `name` and `conflict` when the team has the name already.
 */
export async function addDomain(deps: DomainDeps, teamId: string, input: DomainInput): Promise<Domain> {
  const name = requireDomainName(input.name)
  // Keys are dear: a name that is there already costs none. The constraint decides between two at once.
  if ((await findDomainByName(deps.db, teamId, name)) !== null) throw nameConflict()
  const now = deps.clock.now()
  const domain = newDomain(teamId, name, input, now)
  const keys = await makeDkimKeys(deps.secret, teamId, domain)
  return deps.db.transaction(async (tx) => {
    await insertWhole(tx, domain, keys)
    return deps.config.delivery.kind === 'capture' ? verifyByCapture(tx, domain, now) : domain
  })
}

/** Changes the settings that are given. Refuses `not_found`. */
export async function updateDomain(
  deps: DomainDeps,
  teamId: string,
  id: string,
  settings: Partial<DomainSettings>,
): Promise<Domain> {
  const { tls = null, openTracking = null, clickTracking = null } = settings
  return deps.db.transaction(async (tx) => {
    const changed = { tls, openTracking, clickTracking }
    if (!(await updateDomainSettings(tx, teamId, id, changed, deps.clock.now())))
      throw new ApiError('not_found')
    await hintAccessChanged(tx)
    return (await findDomain(tx, teamId, id)) as Domain
  })
}

/**
 * Emails accepted before are still delivered and signed (domains/domain-keys.ts). Refuses `not_found`, and
 * `conflict` while a sender of it exists.
 */
export async function removeDomain(deps: DomainDeps, teamId: string, id: string): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const domain = await lockDomain(tx, teamId, id)
    if (domain === null) throw new ApiError('not_found')
    // A sender under way holds the domain with a weaker lock: it is seen here, or finds the domain gone.
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

/** The records to publish, each with its state as last seen in DNS. */
export async function domainRecords(
  deps: { db: Queryable; config: DomainDeps['config'] },
  domain: Domain,
): Promise<DomainRecord[]> {
  const keys = await findDkimKeys(deps.db, domain.teamId, domain.id)
  return expectedRecords(domain, keys, deps.config).map((record) => {
    const check = domain.checks[record.key] ?? null
    return { ...record, check, status: recordStatus(domain, check) }
  })
}
