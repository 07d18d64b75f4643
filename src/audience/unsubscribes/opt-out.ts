import type { Transactions, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import type { UnsubscribeLink } from '../../emails/accept/unsubscribe-links.ts'
import { readScope, scopeText } from '../../emails/request/unsubscribe-scope.ts'
import { hasRecipient } from '../../emails/rows/reported-deliveries-queries.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { newId } from '../../lib/ids.ts'
import { addToLists, lookUpContact, removeFromList } from '../contacts/contacts.ts'
import {
  deleteUnsubscription,
  findUnsubscription,
  insertUnsubscription,
  markLeftList,
  type Unsubscription,
} from './unsubscriptions-queries.ts'

/**
 * Unsubscribes an address from a list or topic, removes its contact from the list, and records an event. Links in old
 * mail outlive the erasure of a person: their unsubscription is stored under a hash, and no other data returns.
 * Returns whether the unsubscription is new.
 */
export async function optOut(
  db: Transactions,
  hashAddress: HashAddress,
  request: Omit<UnsubscribeLink, 'emailId'> & { emailId: string | null },
  source: Unsubscription['source'],
  now: Date,
): Promise<boolean> {
  const { teamId, scope } = request
  const hash = hashAddress(teamId, request.email)
  return runAgainOnDeadlock(db, async (tx) => {
    if ((await findUnsubscription(tx, teamId, scopeText(scope), [hash])) !== null) return false
    const contact = await lookUpContact(tx, teamId, request.email)
    const isKnown =
      contact !== null ||
      request.emailId === null ||
      (await hasRecipient(tx, teamId, request.emailId, request.email))
    const { emailId, email } = isKnown ? request : { emailId: null, email: hash }
    const row: Unsubscription = {
      teamId,
      emailId,
      source,
      email,
      leftList: false,
      id: newId(now.getTime()),
      scope: scopeText(scope),
      createdAt: now,
    }
    if (!(await insertUnsubscription(tx, row))) return false
    if (
      scope.kind === 'list' &&
      contact !== null &&
      (await leaveList(tx, teamId, contact.id, scope.listId, now))
    ) {
      await markLeftList(tx, row)
    }
    const about = scope.kind === 'list' ? { list_id: scope.listId } : { topic: scope.topic }
    const data = {
      id: contact?.id ?? null,
      email,
      ...about,
      ...(emailId === null ? {} : { email_id: emailId }),
      source,
    }
    recordEvents(tx, [{ teamId, subjectId: contact?.id ?? row.id, type: 'contact.unsubscribed', data }], now)
    return true
  })
}

async function leaveList(
  tx: Tx,
  teamId: string,
  contactId: string,
  listId: string,
  now: Date,
): Promise<boolean> {
  try {
    const { wasMember } = await removeFromList(tx, teamId, contactId, listId, now)
    return wasMember
  } catch (error) {
    // The list was deleted, so the contact receives nothing from it anyway.
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}

/** Reverses an unsubscription, and returns the address to the list if the unsubscription removed it from there. */
export async function optInAgain(
  db: Transactions,
  hashAddress: HashAddress,
  teamId: string,
  target: { id: string } | { scope: string; email: string },
  now: Date,
): Promise<Unsubscription | null> {
  return runAgainOnDeadlock(db, async (tx) => {
    const unsubscription = await deleteUnsubscription(
      tx,
      teamId,
      'id' in target
        ? target
        : { scope: target.scope, emails: [target.email, hashAddress(teamId, target.email)] },
    )
    const scope = unsubscription === null ? null : readScope(unsubscription.scope)
    if (unsubscription === null || scope?.kind !== 'list' || !unsubscription.leftList) return unsubscription
    const { email } = unsubscription
    await addToLists({ transaction: (work) => work(tx) }, teamId, email, [scope.listId], now).catch(
      (error) => {
        // The contact or the list was deleted in the meantime.
        if (!(error instanceof ApiError)) throw error
      },
    )
    return unsubscription
  })
}
