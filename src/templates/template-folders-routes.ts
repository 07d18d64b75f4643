import { type ResourceDeps, resource } from '../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { orNotFound } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { FolderAnswer, FolderChange, FolderInput, folderToJson } from './template-folder-schemas.ts'
import {
  deleteTemplateFolder,
  findTemplateFolder,
  insertTemplateFolder,
  listTemplateFolders,
  TEMPLATE_FOLDER_COUNTER,
  updateTemplateFolder,
} from './template-folders-queries.ts'

const { route } = routesOf<ResourceDeps>()

const common = { tag: 'Template folders', permission: 'full', limit: 'general' } as const
const folders = resource('/template-folders', 'template_folder', common)
const one = { description: 'The folder.', schema: FolderAnswer }

const addFolder = route('POST', '/template-folders', {
  ...common,
  operationId: 'createTemplateFolder',
  action: 'template-folders.create',
  summary: 'Create a template folder',
  description: 'Folders group templates. A template is in one folder or in none.',
  body: FolderInput,
  responses: { 201: { ...one, description: 'The new folder.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const now = clock.now()
    const folder = {
      teamId: caller.teamId,
      id: newId(now.getTime()),
      name: body.name,
      createdAt: now,
      updatedAt: now,
    }
    await audited.transaction((tx) => insertTemplateFolder(tx, folder))
    return { status: 201, json: folderToJson(folder) }
  },
})

const getFolders = folders.list('listTemplateFolders', 'List template folders', {
  description: 'Newest first.',
  schema: FolderAnswer,
  response: 'A page of folders.',
  read: listTemplateFolders,
  counter: TEMPLATE_FOLDER_COUNTER,
  toJson: folderToJson,
})

const getFolder = folders.get('getTemplateFolder', 'Get a template folder', {
  description: 'Use `GET /templates?folder_id=...` for the templates in it.',
  response: one,
  read: findTemplateFolder,
  toJson: folderToJson,
})

const changeFolder = route('PATCH', '/template-folders/:id', {
  ...common,
  operationId: 'updateTemplateFolder',
  action: 'template-folders.update',
  summary: 'Rename a template folder',
  description: 'The templates in the folder do not change.',
  params: IdParams,
  body: FolderChange,
  responses: { 200: one },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const id = params.id.toLowerCase()
    const folder = await audited.transaction((tx) =>
      updateTemplateFolder(tx, caller.teamId, id, body.name ?? null, clock.now()),
    )
    return { status: 200, json: folderToJson(orNotFound(folder)) }
  },
})

const removeFolder = folders.delete('deleteTemplateFolder', 'Delete a template folder', {
  description: 'Its templates remain; their `folder_id` becomes null.',
  response: 'The folder was deleted.',
  remove: deleteTemplateFolder,
})

export const templateFolderRoutes: readonly Route<ResourceDeps>[] = [
  addFolder,
  getFolders,
  getFolder,
  changeFolder,
  aliasOf(changeFolder, { method: 'PUT' }),
  removeFolder,
]
