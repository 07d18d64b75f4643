import type { Tx } from '../../db/db-types.ts'
import { type NewEvent, recordEvents } from '../../events/record-queries.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { ListMembership } from '../lists/list-members-queries.ts'
import type { FieldChanges } from './contact-changes-queries.ts'
import { type ContactFacts, findContactFacts } from './contact-facts-queries.ts'

/** What changed contacts, beside a request about them; part of the data of their events. */
export interface ContactCause {
  /** The step of an automation. `depth`: how many automations caused one another before it. */
  automation?: { id: string; run_id: string; depth: number }
  /** An import, and whether its rows begin automations. */
  import?: { id: string; runs_automations: boolean }
}

/** What a transaction did to contacts. */
interface ContactChanges {
  created?: readonly ContactFacts[]
  changed?: readonly string[]
  /** The ids of changed contacts that were subscribed before. */
  subscribed?: ReadonlySet<string>
  fields?: ReadonlyMap<string, FieldChanges>
  joined?: readonly ListMembership[]
  left?: readonly ListMembership[]
  /** Events that the application reports, with their own data. */
  reported?: readonly { contactId: string; data: object }[]
}

/**
 * Records events for contacts that this transaction created or changed, with their current state. Adds
 * `contact.unsubscribed` for contacts that were subscribed before and no longer are, and an event for each list that they
 * joined or left.
 */
export async function emitContactEvents(
  tx: Tx,
  teamId: string,
  {
    created = [],
    changed = [],
    subscribed = new Set(),
    fields,
    joined = [],
    left = [],
    reported = [],
  }: ContactChanges,
  now: Date,
  cause: ContactCause = {},
): Promise<void> {
  const others = reported.map(({ contactId }) => contactId)
  const facts = await findContactFacts(tx, teamId, [...changed, ...others])
  for (const contact of created) facts.set(contact.id, contact)
  const events: NewEvent[] = []
  const add = (id: string, type: NewEvent['type'], more: object = {}) => {
    const contact = facts.get(id)
    if (contact === undefined) return
    events.push({ teamId, subjectId: id, type, data: { ...dataOf(contact), ...more, ...cause } })
  }
  for (const { id } of created) add(id, 'contact.created')
  for (const { contactId, listId } of joined) add(contactId, 'contact.list_joined', { list_id: listId })
  for (const { contactId, listId } of left) add(contactId, 'contact.list_left', { list_id: listId })
  for (const id of changed) {
    const changes = fields?.get(id)
    add(id, 'contact.updated', changes === undefined ? {} : { changes })
    const hasLeft = subscribed.has(id) && facts.get(id)?.unsubscribed === true
    if (hasLeft) add(id, 'contact.unsubscribed', { source: 'api' })
  }
  for (const { contactId, data } of reported) add(contactId, 'contact.event', data)
  recordEvents(tx, events, now)
}

/** Records the deletion of a contact. Must run before the deletion. */
export async function emitContactDeleted(
  tx: Tx,
  teamId: string,
  id: string,
  now: Date,
  cause: ContactCause = {},
): Promise<void> {
  const contact = (await findContactFacts(tx, teamId, [id])).get(id)
  if (contact === undefined) return
  const data = { ...dataOf(contact), ...cause }
  recordEvents(tx, [{ teamId, subjectId: id, type: 'contact.deleted', data }], now)
}

function dataOf(contact: ContactFacts) {
  return {
    id: contact.id,
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    unsubscribed: contact.unsubscribed,
    created_at: formatTime(contact.createdAt),
    updated_at: formatTime(contact.updatedAt),
  }
}
