import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import type { Route } from '../http/route/route.ts'
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

const folders = new Resource('/template-folders', 'template_folder', {
  area: 'templateFolders',
  permission: 'full',
  noun: 'folder',
  schema: FolderAnswer,
  toJson: folderToJson,
})

export const templateFolderRoutes: readonly Route<ResourceDeps>[] = [
  folders.create('createTemplateFolder', 'Create a template folder', {
    description: 'Folders group templates. A template is in one folder or in none.',
    body: FolderInput,
    input: ({ name }) => name,
    async create(tx, teamId, name, now) {
      const folder = { teamId, id: newId(now.getTime()), name, createdAt: now, updatedAt: now }
      await insertTemplateFolder(tx, folder)
      return folder
    },
  }),
  folders.list('listTemplateFolders', 'List template folders', {
    description: 'Newest first.',
    response: 'A page of folders.',
    read: listTemplateFolders,
    counter: TEMPLATE_FOLDER_COUNTER,
  }),
  folders.get('getTemplateFolder', 'Get a template folder', {
    description: 'Use `GET /templates?folder_id=...` for the templates in it.',
    read: findTemplateFolder,
  }),
  ...folders.update('updateTemplateFolder', 'Rename a template folder', {
    description: 'The templates in the folder do not change.',
    body: FolderChange,
    input: ({ name = null }) => name,
    update: updateTemplateFolder,
  }),
  folders.delete('deleteTemplateFolder', 'Delete a template folder', {
    description: 'Its templates remain; their `folder_id` becomes null.',
    response: 'The folder was deleted.',
    remove: deleteTemplateFolder,
  }),
]
