import Type from 'typebox'
import { type ResourceDeps, resource } from '../../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { contactListToJson, ListAnswer } from './list-json.ts'
import { addList, removeList, updateList } from './lists.ts'
import { findList, LIST_COUNTER, listLists } from './lists-queries.ts'

const { route } = routesOf<ResourceDeps>()

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the list.',
})
const ListBody = Type.Object({ name: Name }, { examples: [{ name: 'Newsletter' }] })
const ListChanges = Type.Object({ name: Type.Optional(Name) }, { examples: [{ name: 'Monthly newsletter' }] })

const COMMON = { tag: 'Lists', permission: 'full', limit: 'general' } as const
const lists = resource('/lists', 'list', COMMON)
const ONE = { description: 'The list.', schema: ListAnswer }

const postList = route('POST', '/lists', {
  ...COMMON,
  operationId: 'createList',
  action: 'lists.create',
  summary: 'Create a list',
  description: 'A list groups contacts. It starts empty.',
  body: ListBody,
  responses: { 201: { ...ONE, description: 'The new list.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const list = await audited.transaction((tx) => addList(tx, caller.teamId, body.name, clock.now()))
    return { status: 201, json: contactListToJson(list) }
  },
})

const getLists = lists.list('listLists', 'List lists', {
  description: 'Newest first.',
  schema: ListAnswer,
  read: listLists,
  counter: LIST_COUNTER,
  toJson: contactListToJson,
})

const getList = lists.get('getList', 'Get a list', {
  description: 'Use `GET /lists/{id}/contacts` for the contacts in it.',
  response: ONE,
  read: findList,
  toJson: contactListToJson,
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

const deleteList = lists.delete('deleteList', 'Delete a list', {
  description:
    'Its contacts remain. Returns 409 while a scheduled or sending campaign, or an active automation, uses the list.',
  remove: removeList,
})

export const listRoutes: readonly Route<ResourceDeps>[] = [
  postList,
  getLists,
  getList,
  patchList,
  aliasOf(patchList, { method: 'PUT' }),
  deleteList,
]
