import Type, { type Static } from 'typebox'
import type { Queryable } from '../../db/db-types.ts'
import { PAGE_PARAMETERS } from '../../http/route/page.ts'
import { ADDRESS_CHARS_MAX } from '../../http/route/schemas.ts'
import { readAddressKey } from '../../mime/address.ts'
import { findList } from '../lists/lists-queries.ts'
import type { ContactCondition } from '../segments/contact-condition.ts'
import { contactsIn } from '../segments/segments.ts'
import { findSegment } from '../segments/segments-queries.ts'
import { beginningWith, inList, withEmail, withSubscription } from './contact-filters-queries.ts'

/** The filters of the list and the export. */
export const ContactFilters = {
  email: Type.Optional(
    Type.String({ maxLength: ADDRESS_CHARS_MAX, description: 'Contact with this address.' }),
  ),
  list_id: Type.Optional(Type.String({ format: 'uuid', description: 'Contacts in this list.' })),
  segment_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Contacts that match this segment now.' }),
  ),
  unsubscribed: Type.Optional(
    Type.Boolean({ description: '`true`: unsubscribed contacts. `false`: subscribed contacts.' }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Start of the address, first name, last name, or full name, case-insensitive.',
    }),
  ),
}
export const ContactQuery = Type.Object({ ...PAGE_PARAMETERS, ...ContactFilters })

/**
 * Returns the filters of a request as conditions, with their total if a counter has it, or null if no contact can
 * match.
 */
export async function readFilters(
  db: Queryable,
  teamId: string,
  query: Static<typeof ContactQuery>,
  now: Date,
): Promise<{ conditions: ContactCondition[]; total?: number } | null> {
  let listTotal: number | undefined
  const conditions: ContactCondition[] = []
  if (query.email !== undefined) {
    const email = readAddressKey(query.email)
    if (email === null) return null
    conditions.push(withEmail(email))
  }
  if (query.list_id !== undefined) {
    const list = await findList(db, teamId, query.list_id)
    if (list === null) return null
    conditions.push(inList(list.id))
    listTotal = list.contactCount
  }
  if (query.segment_id !== undefined) {
    const segment = await findSegment(db, teamId, query.segment_id)
    if (segment === null) return null
    conditions.push(await contactsIn(db, segment, now))
  }
  if (query.unsubscribed !== undefined) conditions.push(withSubscription(query.unsubscribed))
  if (query.q !== undefined && query.q.trim() !== '') conditions.push(beginningWith(query.q))
  return listTotal !== undefined && conditions.length === 1
    ? { conditions, total: listTotal }
    : { conditions }
}
