import type { Queryable, Tx } from '../db/db-types.ts'
import { type NewEvent, recordEvents } from '../events/record-queries.ts'
import { ApiError, type FieldErrors, invalidField, throwInvalid } from '../lib/api-error.ts'
import type { HashAddress } from '../lib/crypto/erased-address.ts'
import { isUuid, newId } from '../lib/ids.ts'
import { readAddressKey } from '../mime/address.ts'
import {
  countInserted,
  deleteSuppressions,
  findSuppression,
  findSuppressions,
  insertSuppressions,
  type Suppression,
  type SuppressionKey,
  type SuppressionReason,
  saveSuppressionReason,
} from './suppressions-queries.ts'

export interface Cause {
  reason: SuppressionReason | null
  /** The email with the bounce or complaint; null for a manual entry. */
  sourceEmailId: string | null
}

const BY_HAND: Cause = { reason: 'manual', sourceEmailId: null }
/** The limit on attempts with an address that others keep removing and adding. */
const ROUNDS_MAX = 5

/**
 * Suppresses an address: from the commit on, it receives no email. Idempotent: an existing entry stays unchanged,
 * even one that holds only the hash of the address.
 * @param email without a display name; throws `validation_error` if it is not an address
 */
export async function suppress(
  tx: Tx,
  hashAddress: HashAddress,
  teamId: string,
  email: string,
  now: Date,
): Promise<{ entry: Suppression; isNew: boolean }> {
  const key = readAddressKey(email)
  if (key === null) throw invalidField('email', 'The email field must be a valid email address.')
  const [outcome] = await suppressNormalized(tx, hashAddress, teamId, [key], now)
  return outcome as { entry: Suppression; isNew: boolean }
}

/**
 * Suppresses several addresses, all or none. Entries are returned in the order of the addresses. Throws
 * `validation_error` on `emails.N`.
 */
export async function suppressMany(
  tx: Tx,
  hashAddress: HashAddress,
  teamId: string,
  emails: readonly string[],
  now: Date,
): Promise<{ entry: Suppression; isNew: boolean }[]> {
  return suppressNormalized(tx, hashAddress, teamId, readAddresses(emails), now)
}

async function suppressNormalized(
  tx: Tx,
  hashAddress: HashAddress,
  teamId: string,
  keys: readonly string[],
  now: Date,
): Promise<{ entry: Suppression; isNew: boolean }[]> {
  const hashes = keys.map((key) => hashAddress(teamId, key))
  const hashed = await findSuppressions(
    tx,
    hashes.map((email) => ({ teamId, email })),
  )
  const isHashed = new Set(hashed.map(({ email }) => email))
  // If the hash of an address is on the list, its entry is found under the hash.
  const inputs = keys.map((key, index) => {
    const hash = hashes[index] as string
    return { teamId, email: isHashed.has(hash) ? hash : key, ...BY_HAND }
  })
  return suppressKeys(tx, inputs, now)
}

/**
 * Suppresses normalized addresses in a few statements for any number of addresses and teams. A normalized address may
 * be invalid: lower case can exceed the 64 octets of a local part.
 */
export async function suppressKeys(
  tx: Tx,
  inputs: readonly (SuppressionKey & Cause)[],
  now: Date,
): Promise<{ entry: Suppression; isNew: boolean }[]> {
  const byName = new Map<string, Suppression>()
  const fresh = new Set<Suppression>()
  const remember = (entries: readonly Suppression[]) => {
    for (const entry of entries) byName.set(nameOf(entry), entry)
  }
  remember(await findSuppressions(tx, inputs))
  for (let round = 0; ; round++) {
    const missing = new Map(
      inputs.filter((each) => !byName.has(nameOf(each))).map((one) => [nameOf(one), one]),
    )
    if (missing.size === 0) break
    if (round === ROUNDS_MAX)
      throw new ApiError('conflict', 'The suppression was removed at the same moment.')
    const entries = [...missing.values()].map((each) => ({
      teamId: each.teamId,
      id: newId(now.getTime()),
      email: each.email,
      reason: each.reason,
      sourceEmailId: each.sourceEmailId,
      createdAt: now,
      updatedAt: now,
    }))
    const inserted = await insertSuppressions(tx, entries)
    remember(inserted)
    for (const entry of inserted) fresh.add(entry)
    // Another transaction inserted entries after the lookup. They are visible now, unless a third removed them.
    if (inserted.length < entries.length) remember(await findSuppressions(tx, entries))
  }
  await countInserted(tx, [...fresh])
  recordEvents(
    tx,
    [...fresh].map((entry) => eventOf(entry, 'suppression.added')),
    now,
  )
  return inputs.map((each) => {
    const entry = byName.get(nameOf(each)) as Suppression
    // Reported once: for an address given twice, the second finds the entry of the first.
    return { entry, isNew: fresh.delete(entry) }
  })
}

function nameOf({ teamId, email }: SuppressionKey): string {
  return `${teamId} ${email}`
}

/** Changes the reason of an entry. Throws `not_found`. */
export async function changeReason(
  tx: Tx,
  hashAddress: HashAddress,
  teamId: string,
  idOrEmail: string,
  reason: SuppressionReason | null,
  now: Date,
): Promise<Suppression> {
  const entry = await lookUpSuppression(tx, hashAddress, teamId, idOrEmail)
  const changed =
    entry === null || entry.reason === reason
      ? entry
      : await saveSuppressionReason(tx, teamId, entry.id, reason, now)
  if (changed === null) throw new ApiError('not_found')
  return changed
}

/** Removes an entry, so that the address receives email again. Throws `not_found`. */
export async function unsuppress(
  tx: Tx,
  hashAddress: HashAddress,
  teamId: string,
  idOrEmail: string,
  now: Date,
): Promise<Suppression> {
  const named = isUuid(idOrEmail)
    ? { ids: [idOrEmail] }
    : { emails: writingsOf(hashAddress, teamId, readAddressKey(idOrEmail)) }
  const [removed] = await remove(tx, teamId, named, now)
  if (removed === undefined) throw new ApiError('not_found')
  return removed
}

/**
 * Removes several entries and ignores those that do not exist. Returns the removed entries. Throws `validation_error`
 * on `emails.N`.
 */
export async function unsuppressMany(
  tx: Tx,
  hashAddress: HashAddress,
  teamId: string,
  named: { emails: readonly string[] } | { ids: readonly string[] },
  now: Date,
): Promise<Suppression[]> {
  if ('ids' in named) return remove(tx, teamId, named, now)
  const emails = readAddresses(named.emails).flatMap((key) => writingsOf(hashAddress, teamId, key))
  return remove(tx, teamId, { emails }, now)
}

/** Returns the forms in which an entry may hold an address: normalized, or as its hash. */
export function writingsOf(hashAddress: HashAddress, teamId: string, addressKey: string | null): string[] {
  return addressKey === null ? [] : [addressKey, hashAddress(teamId, addressKey)]
}

async function remove(
  tx: Tx,
  teamId: string,
  named: Parameters<typeof deleteSuppressions>[2],
  now: Date,
): Promise<Suppression[]> {
  const removed = await deleteSuppressions(tx, teamId, named)
  recordEvents(
    tx,
    removed.map((entry) => eventOf(entry, 'suppression.removed')),
    now,
  )
  return removed
}

/** Finds an entry by its id or its address in any spelling. */
export async function lookUpSuppression(
  db: Queryable,
  hashAddress: HashAddress,
  teamId: string,
  idOrEmail: string,
): Promise<Suppression | null> {
  if (isUuid(idOrEmail)) return findSuppression(db, teamId, idOrEmail)
  const writings = writingsOf(hashAddress, teamId, readAddressKey(idOrEmail))
  const [entry] = await findSuppressions(
    db,
    writings.map((email) => ({ teamId, email })),
  )
  return entry ?? null
}

/** Throws ApiError (422) that names each invalid address. */
function readAddresses(emails: readonly string[]): string[] {
  const errors: FieldErrors = {}
  const keys = emails.map((email, index) => {
    const field = `emails.${index}`
    const key = readAddressKey(email)
    if (key === null) errors[field] = [`The ${field} field must be a valid email address.`]
    return key ?? ''
  })
  throwInvalid(errors)
  return keys
}

function eventOf(entry: Suppression, type: 'suppression.added' | 'suppression.removed'): NewEvent {
  const { teamId, id, email, reason, sourceEmailId } = entry
  return { teamId, subjectId: id, type, data: { id, email, reason, source_email_id: sourceEmailId } }
}
