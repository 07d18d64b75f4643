import { bumpCounters } from '../../db/counters.ts'
import type { Queryable, Transactions, Tx } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { ApiError, type FieldErrors, invalidField, orNotFound, throwInvalid } from '../../lib/api-error.ts'
import { isUuid } from '../../lib/ids.ts'
import { readAddressKey } from '../../mime/address.ts'
import { deleteMembers, deleteMembersOf, memberBumps } from '../lists/list-members-queries.ts'
import { holdLists } from '../lists/lists-queries.ts'
import { findFieldChanges } from './contact-changes-queries.ts'
import { type ContactCause, emitContactDeleted, emitContactEvents } from './contact-events.ts'
import { type ContactRequest, readContactRequest, readLists } from './contact-input.ts'
import { CONTACT_COUNTER, type Contact, findContact, findContactIdByEmail } from './contacts-queries.ts'
import { upsertContacts, writeRelations } from './upsert-contacts.ts'
import {
  changeContactEmail,
  lockContact,
  markContactDeleted,
  updateContacts,
} from './write-contacts-queries.ts'

/** Creates a contact, or updates the one with this address. Throws `validation_error` for invalid fields. */
export async function upsertContact(
  db: Transactions,
  teamId: string,
  request: ContactRequest & { email: string },
  now: Date,
): Promise<{ contact: Contact; isNew: boolean }> {
  return runAgainOnDeadlock(db, async (tx) => {
    const { email, ...change } = await readContactRequest(tx, teamId, request)
    const [outcome] = await upsertContacts(tx, teamId, [{ ...change, email: email as string }], now)
    const { id, isNew } = outcome as { id: string; isNew: boolean }
    return { contact: (await findContact(tx, teamId, id)) as Contact, isNew }
  })
}

/**
 * Updates the given fields. Throws `not_found`, or `validation_error` for invalid fields or an address that belongs to
 * another contact.
 */
export async function updateContact(
  db: Transactions,
  teamId: string,
  idOrEmail: string,
  request: ContactRequest,
  now: Date,
  cause: ContactCause = {},
): Promise<Contact> {
  return runAgainOnDeadlock(db, async (tx) => {
    const id = await requireContactId(tx, teamId, idOrEmail)
    const { email, ...change } = await readContactRequest(tx, teamId, request)
    const before = orNotFound(await lockContact(tx, teamId, id))
    const fields = await findFieldChanges(tx, teamId, [{ ...change, id, email }])
    if (email !== undefined) await changeEmail(tx, teamId, id, email)
    const changed = [{ ...change, id }]
    await updateContacts(tx, teamId, changed, now)
    const moved = await writeRelations(tx, teamId, { created: [], changed }, now)
    const subscribed = new Set(before.unsubscribed ? [] : [id])
    await emitContactEvents(tx, teamId, { changed: [id], subscribed, fields, ...moved }, now, cause)
    return (await findContact(tx, teamId, id)) as Contact
  })
}

async function changeEmail(tx: Tx, teamId: string, id: string, email: string): Promise<void> {
  try {
    await changeContactEmail(tx, teamId, id, email)
  } catch (error) {
    throw violates(error, 'contact_email_unique')
      ? invalidField('email', 'The email field has already been taken.')
      : error
  }
}

/**
 * Removes the contact from every response and every list, but keeps its row. Throws `not_found`. Returns the
 * contact's id.
 */
export async function removeContact(
  tx: Tx,
  teamId: string,
  idOrEmail: string,
  now: Date,
  cause: ContactCause = {},
): Promise<string> {
  const id = await requireContactId(tx, teamId, idOrEmail)
  await emitContactDeleted(tx, teamId, id, now, cause)
  if (!(await markContactDeleted(tx, teamId, id, now))) throw new ApiError('not_found')
  const memberships = await deleteMembersOf(tx, teamId, id)
  await bumpCounters(tx, [{ teamId, name: CONTACT_COUNTER, by: -1 }, ...memberBumps(teamId, [], memberships)])
  return id
}

/** Adds a contact to lists. Throws `not_found`, or `validation_error` for unknown lists. Existing memberships stay. */
export async function addToLists(
  db: Transactions,
  teamId: string,
  idOrEmail: string,
  listIds: readonly string[],
  now: Date,
  cause: ContactCause = {},
): Promise<Contact> {
  return db.transaction(async (tx) => {
    const id = await requireContactId(tx, teamId, idOrEmail)
    const errors: FieldErrors = {}
    const ids = await readLists(tx, teamId, listIds, errors)
    throwInvalid(errors)
    if ((await lockContact(tx, teamId, id)) === null) throw new ApiError('not_found')
    const change = { id, lists: { ids, mode: 'add' as const } }
    const moved = await writeRelations(tx, teamId, { created: [], changed: [change] }, now)
    await emitContactEvents(tx, teamId, { changed: [id], ...moved }, now, cause)
    return (await findContact(tx, teamId, id)) as Contact
  })
}

/**
 * Removes a contact from a list, if it is a member. Throws `not_found` if the contact or the list does not exist.
 * @returns the contact's id, and whether it was in the list
 */
export async function removeFromList(
  tx: Tx,
  teamId: string,
  idOrEmail: string,
  listId: string,
  now: Date,
  cause: ContactCause = {},
): Promise<{ contactId: string; wasMember: boolean }> {
  const contactId = await requireContactId(tx, teamId, idOrEmail)
  const lists = await holdLists(tx, teamId, [listId])
  if (!lists.has(listId) || (await lockContact(tx, teamId, contactId)) === null)
    throw new ApiError('not_found')
  const memberships = await deleteMembers(tx, teamId, [{ listId, contactId }])
  if (memberships.length === 0) return { contactId, wasMember: false }
  await bumpCounters(tx, memberBumps(teamId, [], memberships))
  await emitContactEvents(tx, teamId, { changed: [contactId], left: memberships }, now, cause)
  return { contactId, wasMember: true }
}

/** Finds a contact by its id or its address in any spelling. */
export async function lookUpContact(
  db: Queryable,
  teamId: string,
  idOrEmail: string,
): Promise<Contact | null> {
  const id = await findContactId(db, teamId, idOrEmail)
  return id === null ? null : findContact(db, teamId, id)
}

async function findContactId(db: Queryable, teamId: string, idOrEmail: string): Promise<string | null> {
  if (isUuid(idOrEmail)) return idOrEmail.toLowerCase()
  const email = readAddressKey(idOrEmail)
  return email === null ? null : findContactIdByEmail(db, teamId, email)
}

async function requireContactId(db: Queryable, teamId: string, idOrEmail: string): Promise<string> {
  return orNotFound(await findContactId(db, teamId, idOrEmail))
}
