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
import { deleteMembersOf, memberBumps } from '../../audience/lists/list-members-queries.ts'
import { UNSUBSCRIPTION_COUNTER } from '../../audience/unsubscribes/unsubscriptions-queries.ts'
import { bumpCounters } from '../../db/counters.ts'
import type { Queryable, Transactions, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type HashAddress, makePseudonym } from '../../lib/crypto/erased-address.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { readAddressKey } from '../../mime/address.ts'
import { suppressKeys } from '../../suppressions/suppressions.ts'
import { deleteSuppressions } from '../../suppressions/suppressions-queries.ts'
import { cancelLocked } from './erase-emails.ts'
import { lockOpenDeliveriesTo } from './erase-emails-queries.ts'
import { type Erasure, findErasure, insertErasure } from './erasures-queries.ts'

export interface BeginDeps {
  db: Transactions
  clock: Clock
  hashAddress: HashAddress
}

export interface Wanted {
  teamId: string
  /** In the form in which addresses are compared. */
  address: string
  /** The address gets no mail from then on, also where it was not suppressed before. */
  keepSuppressed: boolean
}

/** Nearly all that is open is among the newest; older mail is canceled before it is tried (prepare-deliveries.ts). */
const LOOKS_MAX = 1_000

/**
 * Begins to forget a person: from the commit on nothing is sent to them that was accepted before, their contact is gone,
 * and what is known of their wishes (suppression, unsubscriptions) is kept under a hash alone. The rest is left to
 * `runErasure`. Again, it finds less to do.
 */
export async function beginErasure(deps: BeginDeps, wanted: Wanted): Promise<Erasure> {
  const { teamId, address } = wanted
  const now = deps.clock.now()
  const hash = deps.hashAddress(teamId, address)
  const erasure = {
    ...{ teamId, address, pseudonym: makePseudonym(), emails: 0, waiting: 0 },
    ...{ id: newId(now.getTime()), createdAt: now, finishedAt: null },
  }
  return runAgainOnDeadlock(deps.db, async (tx) => {
    const open = await lockOpenDeliveriesTo(tx, teamId, address, erasure.id, LOOKS_MAX)
    await cancelLocked(tx, teamId, erasure, open, now)
    await removeLiveContact(tx, erasure, now)
    await deleteSoftBounce(tx, teamId, address)
    await hashWishes(tx, wanted, hash, now)
    await insertErasure(tx, erasure)
    return (await findErasure(tx, teamId, erasure.id)) as Erasure
  })
}

/** The contact is gone from every answer and list; its row and its events follow. Told with its id, and no address. */
async function removeLiveContact(
  tx: Tx,
  { teamId, address, pseudonym }: { teamId: string; address: string; pseudonym: string },
  now: Date,
): Promise<void> {
  const id = await findContactIdByEmail(tx, teamId, address)
  if (id === null || (await lockContact(tx, teamId, id)) === null) return
  if (!(await markContactDeleted(tx, teamId, id, now))) return
  const went = await deleteMembersOf(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: CONTACT_COUNTER, by: -1 }, ...memberBumps(teamId, [], went)])
  const data = { id, email: pseudonym }
  recordEvents(tx, [{ teamId, subjectId: id, type: 'contact.deleted', data }], now)
}

async function hashWishes(
  tx: Tx,
  { teamId, address, keepSuppressed }: Wanted,
  hash: string,
  now: Date,
): Promise<void> {
  // Where the hash has an entry already, that one stays.
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
 * Returns the address to export for an address or the id of a contact. Refuses `not_found`, also for the id of a contact
 * that was deleted: it is gone from every answer.
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

/** Returns the address that an id of a contact means, also of one that was deleted, or an address itself. Refuses `not_found`. */
export async function requireAddress(db: Queryable, teamId: string, idOrEmail: string): Promise<string> {
  const address = isUuid(idOrEmail)
    ? await findAddressOfContact(db, teamId, idOrEmail.toLowerCase())
    : readAddressKey(idOrEmail)
  if (address === null) throw new ApiError('not_found')
  return address
}
