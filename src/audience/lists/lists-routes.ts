import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db } from '../../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../../http/page.ts'
import { deletedToJson } from '../../http/present.ts'
import { aliasOf, type Route, routesOf } from '../../http/route.ts'
import { Deleted, IdParams } from '../../http/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { inList } from '../contacts/contact-filters-queries.ts'
import { contactsToJson } from '../contacts/contact-json.ts'
import { ContactAnswer } from '../contacts/contact-schemas.ts'
import { contactListToJson, ListAnswer } from './list-json.ts'
import { addList, removeList, updateList } from './lists.ts'
import { findList, LIST_COUNTER, listLists } from './lists-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Does not have to be unique.' })
const ListBody = Type.Object({ name: Name }, { examples: [{ name: 'Newsletter' }] })
const ListChanges = Type.Object({ name: Type.Optional(Name) }, { examples: [{ name: 'Monthly newsletter' }] })

const COMMON = { tag: 'Lists', permission: 'full', limit: 'general' } as const
const ONE = { description: 'The list.', schema: ListAnswer }

const postList = route('POST', '/lists', {
  ...COMMON,
  operationId: 'createList',
  action: 'lists.create',
  summary: 'Create a list',
  description: 'A list groups contacts that you address together. It starts empty.',
  body: ListBody,
  responses: { 201: { ...ONE, description: 'The new list.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const list = await audited.transaction((tx) => addList(tx, caller.teamId, body.name, clock.now()))
    return { status: 201, json: contactListToJson(list) }
  },
})

const getLists = route('GET', '/lists', {
  ...COMMON,
  operationId: 'listLists',
  summary: 'List lists',
  description: 'Newest first.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(ListAnswer) } },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listLists(lists, caller.teamId, page)
    const total = await readCounter(lists, caller.teamId, LIST_COUNTER)
    const list = { publicUrl: config.publicUrl, path: '/lists', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(contactListToJson) }) }
  },
})

const getList = route('GET', '/lists/:id', {
  ...COMMON,
  operationId: 'getList',
  summary: 'Get a list',
  description: 'Use `GET /lists/{id}/contacts` for the contacts in it.',
  params: IdParams,
  responses: { 200: ONE },
  async handle({ caller, params, deps: { db } }) {
    const list = await findList(db, caller.teamId, params.id)
    if (list === null) throw new ApiError('not_found')
    return { status: 200, json: contactListToJson(list) }
  },
})

const patchList = route('PATCH', '/lists/:id', {
  ...COMMON,
  operationId: 'updateList',
  action: 'lists.update',
  summary: 'Rename a list',
  description: 'Its contacts do not change.',
  params: IdParams,
  body: ListChanges,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const list = await audited.transaction((tx) =>
      updateList(tx, caller.teamId, params.id, body.name, clock.now()),
    )
    return { status: 200, json: contactListToJson(list) }
  },
})

const deleteList = route('DELETE', '/lists/:id', {
  ...COMMON,
  operationId: 'deleteList',
  action: 'lists.delete',
  summary: 'Delete a list',
  description:
    'Its contacts remain. Returns 409 while a scheduled or sending campaign uses the list (`This list is used by active campaigns and cannot be deleted.`), or an active automation (`This list is used by active automations and cannot be deleted.`).',
  params: IdParams,
  responses: { 200: { description: 'The record was deleted.', schema: Deleted } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const id = params.id.toLowerCase()
    await audited.transaction((tx) => removeList(tx, caller.teamId, id, clock.now()))
    return { status: 200, json: deletedToJson('list', id) }
  },
})

const getListContacts = route('GET', '/lists/:id/contacts', {
  ...COMMON,
  operationId: 'listContactsInList',
  summary: 'List the contacts in a list',
  description: 'Newest contact first.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'Newest contact first.', schema: listOf(ContactAnswer) } },
  async handle({ caller, params, query, deps }) {
    const list = await findList(deps.lists, caller.teamId, params.id)
    if (list === null) throw new ApiError('not_found')
    const ask = { path: `/lists/${list.id}/contacts`, query, total: list.contactCount }
    return { status: 200, json: await contactsToJson(deps, caller.teamId, [inList(list.id)], ask) }
  },
})

export const listRoutes: readonly Route<Deps>[] = [
  postList,
  getLists,
  getList,
  patchList,
  aliasOf(patchList, { method: 'PUT' }),
  deleteList,
  getListContacts,
]
