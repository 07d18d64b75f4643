import type { Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/db-types.ts'
import { type ListEnvelope, listToJson, type PageQuery, readPage } from '../../http/route/page.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { ContactCondition } from '../segments/contact-condition.ts'
import type { ContactAnswer } from './contact-schemas.ts'
import type { Contact, ContactList, ContactProperty } from './contacts-queries.ts'
import { listContacts } from './list-contacts-queries.ts'

interface Deps {
  config: Config
  lists: Db
}

export function contactToJson(contact: Contact): Static<typeof ContactAnswer> {
  return {
    object: 'contact',
    id: contact.id,
    email: contact.email,
    // Always strings (API-18).
    first_name: contact.firstName ?? '',
    last_name: contact.lastName ?? '',
    user_id: contact.userId ?? '',
    time_zone: contact.timeZone ?? '',
    unsubscribed: contact.unsubscribed,
    properties: Object.fromEntries(contact.properties.map(propertyToJson)),
    lists: contact.lists.map(contactListToJson),
    created_at: formatTime(contact.createdAt),
    updated_at: formatTime(contact.updatedAt),
  }
}

function propertyToJson({ key, value }: ContactProperty): [string, string | number] {
  return [key.toUpperCase(), value instanceof Date ? formatTime(value) : value]
}

function contactListToJson(list: ContactList) {
  return {
    object: 'list' as const,
    id: list.id,
    name: list.name,
    created_at: formatTime(list.createdAt),
    updated_at: formatTime(list.updatedAt),
  }
}

/**
 * Returns one page of the contacts that match all conditions, as the JSON of a list.
 * @param ask.path the path of the list, for its links
 * @param ask.total the number of matches if a counter has it; otherwise matches are counted, up to 10,000
 */
export async function contactsToJson(
  { lists, config }: Deps,
  teamId: string,
  conditions: readonly ContactCondition[],
  ask: { path: string; query: PageQuery; total?: number },
): Promise<ListEnvelope> {
  const page = readPage(ask.query)
  const { rows, ...rest } = await listContacts(lists, teamId, conditions, page, ask.total)
  const { path, query } = ask
  const { publicUrl } = config
  return listToJson({ publicUrl, path, query, page, data: rows.map(contactToJson), ...rest })
}
