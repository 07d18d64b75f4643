import { emitContactEvents } from '../../audience/contacts/contact-events.ts'
import { lookUpContact } from '../../audience/contacts/contacts.ts'
import { upsertContacts } from '../../audience/contacts/upsert-contacts.ts'
import type { Db, Transactions, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import type { Idempotency } from '../../emails/idempotency/idempotency-key.ts'
import { findIdempotencyKeys, takeIdempotencyKeys } from '../../emails/idempotency/idempotency-queries.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { readAddressKey } from '../../mime/address.ts'
import { checkPayload } from './event-definitions.ts'
import { findEventDefinition } from './event-definitions-queries.ts'

/** An event of a contact, as an application reports it. */
export interface ReportedEvent {
  name: string
  /** The contact by id or address. An address that is no contact becomes one. */
  contact: { id: string } | { email: string }
  payload: Record<string, unknown>
  occurredAt: Date
}

/**
 * Records an event in the feed. A repeated idempotency key records nothing. Throws ApiError: `validation_error` for an unknown
 * contact, an invalid address or payload; `invalid_idempotent_request` for another request under the same key.
 */
export async function reportEvent(
  db: Transactions & Pick<Db, 'query'>,
  teamId: string,
  event: ReportedEvent,
  idempotency: Idempotency | null,
  now: Date,
): Promise<void> {
  const definition = await findEventDefinition(db, teamId, event.name)
  if (definition !== null) checkPayload(event.payload, definition.schema)
  await runAgainOnDeadlock(db, async (tx) => {
    if (idempotency !== null && !(await takeKey(tx, teamId, idempotency, now))) return
    const contactId = await contactOf(tx, teamId, event.contact, now)
    const data = { event: event.name, payload: event.payload, occurred_at: formatTime(event.occurredAt) }
    await emitContactEvents(tx, teamId, { reported: [{ contactId, data }] }, now)
  })
}

/** Returns false if an earlier request has the key. */
async function takeKey(
  tx: Tx,
  teamId: string,
  { key, requestHash }: Idempotency,
  now: Date,
): Promise<boolean> {
  const entry = { teamId, key, requestHash, answer: { emailIds: [], refused: [] } }
  if ((await takeIdempotencyKeys(tx, [entry], now)).size > 0) return true
  const [earlier] = await findIdempotencyKeys(tx, [{ teamId, key }], now)
  if (earlier != null && !earlier.requestHash.equals(requestHash))
    throw new ApiError('invalid_idempotent_request')
  return false
}

/** Returns the id of the contact, which is created if an address is new. */
export async function contactOf(
  tx: Tx,
  teamId: string,
  contact: ReportedEvent['contact'],
  now: Date,
): Promise<string> {
  if ('id' in contact) {
    const found = await lookUpContact(tx, teamId, contact.id)
    if (found === null)
      throw invalidField('contact_id', 'The contact_id field must be the id of a contact of this account.')
    return found.id
  }
  const email = readAddressKey(contact.email)
  if (email === null) throw invalidField('email', 'The email field must be a valid email address.')
  const found = await lookUpContact(tx, teamId, email)
  if (found !== null) return found.id
  const [outcome] = await upsertContacts(tx, teamId, [{ email }], now)
  return outcome?.id ?? ''
}
