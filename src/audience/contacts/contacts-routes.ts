import type { Static } from 'typebox'
import { listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import { deletedToJson } from '../../http/route/present.ts'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../../http/route/route.ts'
import { orNotFound } from '../../lib/api-error.ts'
import { contactListToJson, ListAnswer } from '../lists/list-json.ts'
import { countListsOfContact, listListsOfContact } from '../lists/lists-queries.ts'
import { ContactQuery, readFilters } from './contact-filters.ts'
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

const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'contacts', permission: 'full' } as const
const contacts = new Resource('/contacts', 'contact', {
  ...COMMON,
  noun: 'contact',
  params: IdOrEmail,
  schema: ContactAnswer,
  toJson: contactToJson,
})
const ONE = { description: 'The contact.', schema: ContactAnswer }

function readBody(body: Static<typeof ContactChanges>) {
  return {
    firstName: toNull(body.first_name),
    lastName: toNull(body.last_name),
    userId: toNull(body.user_id),
    timeZone: toNull(body.time_zone),
    unsubscribed: body.unsubscribed,
    listIds: body.list_ids,
    properties: body.properties,
  }
}

/** Responses show an absent text as '', so '' in a request means absent. */
function toNull(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text
}

const postContact = route('POST', '/contacts', {
  ...COMMON,
  operationId: 'createContact',
  action: 'contacts.create',
  summary: 'Create or update a contact',
  description:
    'Creates a contact, or updates the one with this address: only the fields you send change. The address of a deleted contact creates a new contact.',
  body: ContactBody,
  bodyExtends: 'UpdateContactRequest',
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

const NO_MATCH = { conditions: [{ sql: () => 'false' }], total: 0 }

const getContacts = route('GET', '/contacts', {
  ...COMMON,
  operationId: 'listContacts',
  summary: 'List contacts',
  description: 'Newest first. A contact must match all filters; an unknown id matches none.',
  query: ContactQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(ContactAnswer) } },
  async handle({ caller, query, deps }) {
    const { conditions, ...total } =
      (await readFilters(deps.lists, caller.teamId, query, deps.clock.now())) ?? NO_MATCH
    const ask = { path: '/contacts', query, ...total }
    return { status: 200, json: await contactsToJson(deps, caller.teamId, conditions, ask) }
  },
})

const getContact = contacts.get('getContact', 'Get a contact by id or address', {
  description: 'Includes its property values and lists.',
  read: lookUpContact,
})

const patchContact = route('PATCH', '/contacts/:id', {
  ...COMMON,
  operationId: 'updateContact',
  action: 'contacts.update',
  summary: 'Update a contact',
  description:
    'Changes only the fields you send. `list_ids` replaces all lists; `properties` sets the values it contains.',
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
    'Removes the contact from every list. The same address later creates a new contact, without the earlier values.',
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
  async handle(request) {
    const { teamId } = request.caller
    const { lists } = request.deps
    const page = readPage(request.query)
    const { id } = orNotFound(await lookUpContact(lists, teamId, request.params.id))
    const memberships = await listListsOfContact(lists, teamId, id, page)
    const total = await countListsOfContact(lists, teamId, id)
    return pageReply(request, `/contacts/${id}/lists`, { ...memberships, page, total }, contactListToJson)
  },
})

const deleteContactList = route('DELETE', '/contacts/:id/lists/:listId', {
  ...COMMON,
  operationId: 'removeContactFromList',
  action: 'contacts.lists.delete',
  summary: 'Remove a contact from a list',
  description:
    'The contact remains. Succeeds even if the contact is not in the list. An unknown contact or list returns 404.',
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

export const contactRoutes: readonly Route<ResourceDeps>[] = [
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
