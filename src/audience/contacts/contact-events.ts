import type { Tx } from '../../db/db-types.ts'
import { type NewEvent, recordEvents } from '../../events/record-queries.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { type ContactFacts, findContactFacts } from './contact-facts-queries.ts'

/**
 * Records events for contacts that this transaction created or changed, with their current state. Adds
 * `contact.unsubscribed` for contacts that were subscribed before and no longer are.
 * @param subscribed the ids of changed contacts that were subscribed before
 */
export async function emitContactEvents(
  tx: Tx,
  teamId: string,
  {
    created = [],
    changed = [],
    subscribed = new Set(),
  }: { created?: readonly string[]; changed?: readonly string[]; subscribed?: ReadonlySet<string> },
  now: Date,
): Promise<void> {
  const facts = await findContactFacts(tx, teamId, [...created, ...changed])
  const events: NewEvent[] = []
  const add = (id: string, type: NewEvent['type'], more: object = {}) => {
    const contact = facts.get(id)
    if (contact === undefined) return
    events.push({ teamId, subjectId: id, type, data: { ...dataOf(contact), ...more } })
  }
  for (const id of created) add(id, 'contact.created')
  for (const id of changed) {
    add(id, 'contact.updated')
    const hasLeft = subscribed.has(id) && facts.get(id)?.unsubscribed === true
    if (hasLeft) add(id, 'contact.unsubscribed', { source: 'api' })
  }
  recordEvents(tx, events, now)
}

/** Records the deletion of a contact. Must run before the deletion. */
export async function emitContactDeleted(tx: Tx, teamId: string, id: string, now: Date): Promise<void> {
  const contact = (await findContactFacts(tx, teamId, [id])).get(id)
  if (contact === undefined) return
  recordEvents(tx, [{ teamId, subjectId: id, type: 'contact.deleted', data: dataOf(contact) }], now)
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
