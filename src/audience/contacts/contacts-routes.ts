import Type, { type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import { listOf, listToJson, PAGE_PARAMETERS, PageQuery, readPage } from '../../http/page.ts'
import { deletedToJson } from '../../http/present.ts'
import { aliasOf, type Route, routesOf } from '../../http/route.ts'
import { ADDRESS_CHARS_MAX } from '../../http/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { readAddressKey } from '../../mime/address.ts'
import { contactListToJson, ListAnswer } from '../lists/list-json.ts'
import { countListsOfContact, findList, listListsOfContact } from '../lists/lists-queries.ts'
import { contactsIn } from '../segments/segments.ts'
import { findSegment } from '../segments/segments-queries.ts'
import { beginningWith, inList, withEmail, withSubscription } from './contact-filters-queries.ts'
import { contactsToJson, contactToJson } from './contact-json.ts'
import {
  ContactAndList,
  ContactAnswer,
  ContactBody,
  ContactChanges,
  DeletedContact,
  DeletedMembership,
  IdOrEmail,
  ListIdsBody,
} from './contact-schemas.ts'
import {
  addToLists,
  lookUpContact,
  removeContact,
  removeFromList,
  updateContact,
  upsertContact,
} from './contacts.ts'
import type { ContactCondition } from './contacts-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const COMMON = { tag: 'Contacts', permission: 'full', limit: 'general' } as const
const ONE = { description: 'The contact.', schema: ContactAnswer }

function readBody(body: Static<typeof ContactChanges>) {
  return {
    firstName: orNone(body.first_name),
    lastName: orNone(body.last_name),
    userId: orNone(body.user_id),
    unsubscribed: body.unsubscribed,
    listIds: body.list_ids,
    properties: body.properties,
  }
}

/** Answers show an absent text as '': who sends an answer back means none. */
function orNone(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text
}

const postContact = route('POST', '/contacts', {
  ...COMMON,
  operationId: 'createContact',
  action: 'contacts.create',
  summary: 'Create or update a contact',
  description:
    'If the account has a contact with this address, that contact is updated: only the fields you send change. The address of a deleted contact creates a new one.',
  body: ContactBody,
  responses: {
    201: { ...ONE, description: 'The new contact.' },
    200: { ...ONE, description: 'The contact with this address, updated.' },
  },
  async handle({ caller, body, audited, deps: { clock } }) {
    const request = { ...readBody(body), email: body.email }
    const { contact, isNew } = await upsertContact(audited, caller.teamId, request, clock.now())
    return { status: isNew ? 201 : 200, json: contactToJson(contact) }
  },
})

/** What the list and the export can be narrowed down by. */
export const ContactFilters = {
  email: Type.Optional(
    Type.String({ maxLength: ADDRESS_CHARS_MAX, description: 'The contact with this address.' }),
  ),
  list_id: Type.Optional(Type.String({ format: 'uuid', description: 'Contacts in this list.' })),
  segment_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Contacts who fit this segment now.' }),
  ),
  unsubscribed: Type.Optional(
    Type.Boolean({ description: 'true: unsubscribed ones; false: subscribed ones.' }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'The beginning of the address, the first name, the last name or the full name, without regard to case.',
    }),
  ),
}
const ContactQuery = Type.Object({ ...PAGE_PARAMETERS, ...ContactFilters })

/** The filters of a request as conditions, and their total where a counter has it; null when no contact can fit. */
export async function readFilters(
  db: Queryable,
  teamId: string,
  query: Static<typeof ContactQuery>,
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
    conditions.push(await contactsIn(db, segment))
  }
  if (query.unsubscribed !== undefined) conditions.push(withSubscription(query.unsubscribed))
  if (query.q !== undefined && query.q.trim() !== '') conditions.push(beginningWith(query.q))
  return listTotal !== undefined && conditions.length === 1
    ? { conditions, total: listTotal }
    : { conditions }
}

const NOBODY = { conditions: [{ sql: () => 'false' }], total: 0 }

const getContacts = route('GET', '/contacts', {
  ...COMMON,
  operationId: 'listContacts',
  summary: 'List contacts',
  description:
    'Filters combine with "and"; an unknown id matches no contact. With a filter, `meta.total` counts up to 10,000.',
  query: ContactQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(ContactAnswer) } },
  async handle({ caller, query, deps }) {
    const { conditions, ...total } = (await readFilters(deps.lists, caller.teamId, query)) ?? NOBODY
    const ask = { path: '/contacts', query, ...total }
    return { status: 200, json: await contactsToJson(deps, caller.teamId, conditions, ask) }
  },
})

const getContact = route('GET', '/contacts/:id', {
  ...COMMON,
  operationId: 'getContact',
  summary: 'Get a contact by id or address',
  description: 'Includes its property values and lists.',
  params: IdOrEmail,
  responses: { 200: ONE },
  async handle({ caller, params, deps: { db } }) {
    const contact = await lookUpContact(db, caller.teamId, params.id)
    if (contact === null) throw new ApiError('not_found')
    return { status: 200, json: contactToJson(contact) }
  },
})

const patchContact = route('PATCH', '/contacts/:id', {
  ...COMMON,
  operationId: 'updateContact',
  action: 'contacts.update',
  summary: 'Update a contact',
  description:
    'Changes only the fields you send: `list_ids` replaces all lists, `properties` sets the values it names.',
  params: IdOrEmail,
  body: ContactChanges,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const request = { ...readBody(body), email: body.email }
    const contact = await updateContact(audited, caller.teamId, params.id, request, clock.now())
    return { status: 200, json: contactToJson(contact) }
  },
})

const deleteContact = route('DELETE', '/contacts/:id', {
  ...COMMON,
  operationId: 'deleteContact',
  action: 'contacts.delete',
  summary: 'Delete a contact',
  description:
    'Removes the contact from every list. If the same address is added later, it becomes a new contact without any earlier values.',
  params: IdOrEmail,
  responses: { 200: { description: 'The record was deleted.', schema: DeletedContact } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const id = await audited.transaction((tx) => removeContact(tx, caller.teamId, params.id, clock.now()))
    return { status: 200, json: { ...deletedToJson('contact', id), contact: id } }
  },
})

const postContactLists = route('POST', '/contacts/:id/lists', {
  ...COMMON,
  operationId: 'addContactToLists',
  action: 'contacts.lists.create',
  summary: 'Add a contact to lists',
  description: 'The contact stays in the lists it is in.',
  params: IdOrEmail,
  body: ListIdsBody,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const contact = await addToLists(audited, caller.teamId, params.id, body.list_ids, clock.now())
    return { status: 200, json: contactToJson(contact) }
  },
})

const getContactLists = route('GET', '/contacts/:id/lists', {
  ...COMMON,
  operationId: 'listContactLists',
  summary: 'List the lists of a contact',
  description: 'Newest list first.',
  params: IdOrEmail,
  query: PageQuery,
  responses: { 200: { description: 'Newest list first.', schema: listOf(ListAnswer) } },
  async handle({ caller, params, query, deps: { lists, config } }) {
    const page = readPage(query)
    const contact = await lookUpContact(lists, caller.teamId, params.id)
    if (contact === null) throw new ApiError('not_found')
    const { rows, hasMore } = await listListsOfContact(lists, caller.teamId, contact.id, page)
    const total = await countListsOfContact(lists, caller.teamId, contact.id)
    const path = `/contacts/${contact.id}/lists`
    const data = rows.map(contactListToJson)
    const list = { publicUrl: config.publicUrl, path, query, page, total, data, hasMore }
    return { status: 200, json: listToJson(list) }
  },
})

const deleteContactList = route('DELETE', '/contacts/:id/lists/:listId', {
  ...COMMON,
  operationId: 'removeContactFromList',
  action: 'contacts.lists.delete',
  summary: 'Remove a contact from a list',
  description:
    'The contact remains. Idempotent: succeeds if the contact is not in the list. Returns 404 for an unknown contact or list.',
  params: ContactAndList,
  responses: { 200: { description: 'The contact was removed from the list.', schema: DeletedMembership } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const listId = params.listId.toLowerCase()
    const { contactId } = await audited.transaction((tx) =>
      removeFromList(tx, caller.teamId, params.id, listId, clock.now()),
    )
    return { status: 200, json: { ...deletedToJson('contact_list', listId), contact: contactId } }
  },
})

export const contactRoutes: readonly Route<Deps>[] = [
  postContact,
  getContacts,
  getContact,
  patchContact,
  aliasOf(patchContact, { method: 'PUT' }),
  deleteContact,
  postContactLists,
  getContactLists,
  deleteContactList,
]
