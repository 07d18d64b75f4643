import Type from 'typebox'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import type { Route } from '../../http/route/route.ts'
import { contactListToJson, ListAnswer } from './list-json.ts'
import { addList, removeList, updateList } from './lists.ts'
import { findList, LIST_COUNTER, listLists } from './lists-queries.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the list.',
})
const ListBody = Type.Object({ name: Name }, { examples: [{ name: 'Newsletter' }] })
const ListChanges = Type.Object({ name: Type.Optional(Name) }, { examples: [{ name: 'Monthly newsletter' }] })

const lists = new Resource('/lists', 'list', {
  area: 'lists',
  permission: 'full',
  noun: 'list',
  schema: ListAnswer,
  toJson: contactListToJson,
})

export const listRoutes: readonly Route<ResourceDeps>[] = [
  lists.create('createList', 'Create a list', {
    description: 'A list groups contacts. It starts empty.',
    body: ListBody,
    input: ({ name }) => name,
    create: addList,
  }),
  lists.list('listLists', 'List lists', {
    description: 'Newest first.',
    read: listLists,
    counter: LIST_COUNTER,
  }),
  lists.get('getList', 'Get a list', {
    description: 'Use `GET /lists/{id}/contacts` for the contacts in it.',
    read: findList,
  }),
  ...lists.update('updateList', 'Rename a list', {
    description: 'Its contacts do not change.',
    body: ListChanges,
    input: ({ name }) => name,
    update: updateList,
  }),
  lists.delete('deleteList', 'Delete a list', {
    description:
      'Its contacts remain. Returns 409 while a scheduled or sending campaign, or an active automation, uses the list.',
    remove: removeList,
  }),
]
