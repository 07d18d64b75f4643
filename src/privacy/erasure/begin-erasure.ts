import {
  CONTACT_COUNTER,
  findContact,
  findContactIdByEmail,
} from '../../audience/contacts/contacts-queries.ts'
import {
  deleteSoftBounce,
  findAddressOfContact,
  hashSuppression,
  hashUnsubscriptions,
} from '../../audience/contacts/erase-contacts-queries.ts'
import { lockContact, markContactDeleted } from '../../audience/contacts/write-contacts-queries.ts'
import { holdOpenImports } from '../../audience/imports/erased-rows-queries.ts'
import { deleteMembersOf, memberBumps } from '../../audience/lists/list-members-queries.ts'
import { UNSUBSCRIPTION_COUNTER } from '../../audience/unsubscribes/unsubscriptions-queries.ts'
import { bumpCounters } from '../../db/counters.ts'
import type { Queryable, Transactions, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type HashAddress, makePseudonym } from '../../lib/crypto/erased-address.ts'
import { firstIdAt, isUuid, newId, timeOfId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { readAddressKey } from '../../mime/address.ts'
import { suppressKeys } from '../../suppressions/suppressions.ts'
import { deleteSuppressions } from '../../suppressions/suppressions-queries.ts'
import { cancelLocked } from './erase-emails.ts'
import { lockOpenDeliveriesTo } from './erase-emails-queries.ts'
import { type Erasure, findErasure, insertErasure, listNewestIds } from './erasures-queries.ts'

export interface BeginDeps {
  db: Transactions
  clock: Clock
  hashAddress: HashAddress
}

export interface ErasureInput {
  teamId: string
  /** In normalized form. */
  address: string
  /** Suppresses the address from then on, even if it was not suppressed before. */
  keepSuppressed: boolean
}

/**
 * Nearly all open deliveries are among the newest. Older ones are canceled before their next attempt
 * (prepare-deliveries.ts).
 */
const SCAN_MAX = 1_000

/**
 * Starts the erasure of a person. From the commit on, accepted mail is no longer sent to them, their contact is gone,
 * and their suppression and unsubscriptions are stored only under a hash. `runErasure` does the rest. A repeated call
 * finds less to do.
 */
export async function beginErasure(deps: BeginDeps, input: ErasureInput): Promise<Erasure> {
  const { teamId, address } = input
  const now = deps.clock.now()
  const hash = deps.hashAddress(teamId, address)
  const begun = {
    teamId,
    address,
    pseudonym: makePseudonym(),
    emails: 0,
    waiting: 0,
    createdAt: now,
    finishedAt: null,
  }
  return runAgainOnDeadlock(deps.db, async (tx) => {
    const imports = await holdOpenImports(tx, teamId)
    const ids = [...imports, ...(await listNewestIds(tx, teamId, address))]
    const erasure = { ...begun, id: makeIdAfter(ids, now) }
    const open = await lockOpenDeliveriesTo(tx, teamId, address, erasure.id, SCAN_MAX)
    await cancelLocked(tx, teamId, erasure, open, now)
    await removeLiveContact(tx, erasure, now)
    await eraseOptOuts(tx, input, hash, now)
    await insertErasure(tx, erasure)
    return (await findErasure(tx, teamId, erasure.id)) as Erasure
  })
}

/**
 * Returns an id after these, some of which a clock ahead of ours may have given. `newId` is not asked for a time of that
 * clock, because all later ids of this process would follow it. What the address gets until the time of this id, while the
 * erasure runs, counts as older than the erasure.
 */
function makeIdAfter(ids: readonly string[], now: Date): string {
  const id = newId(now.getTime())
  const newest = [id, ...ids].sort().at(-1) as string
  if (newest === id) return id
  const randomAt = id.lastIndexOf('-', id.lastIndexOf('-') - 1)
  return firstIdAt(new Date(timeOfId(newest) + 1)).slice(0, randomAt) + id.slice(randomAt)
}

/**
 * Deletes the contact, which disappears from every response and list; its row and its events follow later. The event
 * contains its id, not the address.
 */
async function removeLiveContact(
  tx: Tx,
  { teamId, address, pseudonym }: { teamId: string; address: string; pseudonym: string },
  now: Date,
): Promise<void> {
  const id = await findContactIdByEmail(tx, teamId, address)
  if (id === null || (await lockContact(tx, teamId, id)) === null) return
  if (!(await markContactDeleted(tx, teamId, id, now))) return
  const memberships = await deleteMembersOf(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: CONTACT_COUNTER, by: -1 }, ...memberBumps(teamId, [], memberships)])
  const data = { id, email: pseudonym }
  recordEvents(tx, [{ teamId, subjectId: id, type: 'contact.deleted', data }], now)
}

/** Replaces the address of the suppression and of unsubscriptions with its hash, and deletes the count of full mailboxes. */
export async function eraseOptOuts(
  tx: Tx,
  { teamId, address, keepSuppressed }: ErasureInput,
  hash: string,
  now: Date,
): Promise<void> {
  await deleteSoftBounce(tx, teamId, address)
  // An existing entry of the hash stays.
  if (!(await hashSuppression(tx, teamId, address, hash))) {
    await deleteSuppressions(tx, teamId, { emails: [address] })
  }
  if (keepSuppressed) {
    await suppressKeys(tx, [{ teamId, email: hash, reason: 'manual', sourceEmailId: null }], now)
  }
  const doubles = await hashUnsubscriptions(tx, teamId, address, hash)
  if (doubles > 0) await bumpCounters(tx, [{ teamId, name: UNSUBSCRIPTION_COUNTER, by: -doubles }])
}

/**
 * Returns the address to export, for an address or the id of a contact. Throws `not_found`, also for the id of a
 * deleted contact, which appears in no response.
 */
export async function requireExportAddress(
  db: Queryable,
  teamId: string,
  idOrEmail: string,
): Promise<string> {
  if (isUuid(idOrEmail) && (await findContact(db, teamId, idOrEmail.toLowerCase())) === null) {
    throw new ApiError('not_found')
  }
  return requireAddress(db, teamId, idOrEmail)
}

/** Returns the address of a contact, even of a deleted one, by its id, or the address itself. Throws `not_found`. */
export async function requireAddress(db: Queryable, teamId: string, idOrEmail: string): Promise<string> {
  const address = isUuid(idOrEmail)
    ? await findAddressOfContact(db, teamId, idOrEmail.toLowerCase())
    : readAddressKey(idOrEmail)
  if (address === null) throw new ApiError('not_found')
  return address
}
