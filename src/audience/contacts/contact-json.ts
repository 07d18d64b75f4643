import type { Static } from 'typebox'
import type { Services } from '../../app/services.ts'
import { type ListEnvelope, type PageQuery, presentList, readPage } from '../../http/page.ts'
import { presentTime } from '../../lib/time/format-time.ts'
import type { ContactAnswer } from './contact-schemas.ts'
import type { Contact, ContactCondition, ContactList, ContactProperty } from './contacts-queries.ts'
import { listContacts } from './list-contacts-queries.ts'

export function presentContact(contact: Contact): Static<typeof ContactAnswer> {
  return {
    object: 'contact',
    id: contact.id,
    email: contact.email,
    // Always strings (API-18).
    first_name: contact.firstName ?? '',
    last_name: contact.lastName ?? '',
    user_id: contact.userId ?? '',
    unsubscribed: contact.unsubscribed,
    properties: Object.fromEntries(contact.properties.map(presentProperty)),
    lists: contact.lists.map(presentContactList),
    created_at: presentTime(contact.createdAt),
    updated_at: presentTime(contact.updatedAt),
  }
}

function presentProperty({ key, value }: ContactProperty): [string, string | number] {
  return [key.toUpperCase(), value instanceof Date ? presentTime(value) : value]
}

function presentContactList(list: ContactList) {
  return {
    object: 'list' as const,
    id: list.id,
    name: list.name,
    created_at: presentTime(list.createdAt),
    updated_at: presentTime(list.updatedAt),
  }
}

/**
 * One page of the contacts that fit all conditions, as the answer of a list.
 * @param ask.path of the list, for its links
 * @param ask.total where a counter has it; else the fitting ones are counted, up to 10,000
 */
export async function presentContacts(
  { lists, config }: Pick<Services, 'lists' | 'config'>,
  teamId: string,
  conditions: readonly ContactCondition[],
  ask: { path: string; query: PageQuery; total?: number },
): Promise<ListEnvelope> {
  const page = readPage(ask.query)
  const { rows, ...found } = await listContacts(lists, teamId, conditions, page, ask.total)
  const { path, query } = ask
  const { publicUrl } = config
  return presentList({ publicUrl, path, query, page, data: rows.map(presentContact), ...found })
}
