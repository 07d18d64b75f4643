import Type, { type Static } from 'typebox'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { aliasOf, type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams, Timestamp, Uuid } from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import {
  deleteTemplateFolder,
  findTemplateFolder,
  insertTemplateFolder,
  listTemplateFolders,
  TEMPLATE_FOLDER_COUNTER,
  type TemplateFolder,
  updateTemplateFolder,
} from './template-folders-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const Name = Type.String({ minLength: 1, maxLength: 255, description: '1 to 255 characters.' })
const example = { name: 'Receipts' }
const FolderInput = Type.Object({ name: Name }, { examples: [example] })
const FolderChange = Type.Object({ name: Type.Optional(Name) }, { examples: [example] })

const EXAMPLE_ID = '0197a1d2-2b3c-7d4e-9f50-6a7b8c9d0e1f'
export const FolderAnswer = Type.Object(
  {
    object: Type.Literal('template_folder'),
    id: Uuid,
    name: Type.String({ description: 'A name for people.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'TemplateFolder',
    examples: [
      {
        object: 'template_folder',
        id: EXAMPLE_ID,
        name: 'Receipts',
        created_at: '2026-01-15 09:30:00',
        updated_at: '2026-01-15 09:30:00',
      },
    ],
  },
)

function folderToJson(folder: TemplateFolder): Static<typeof FolderAnswer> {
  return {
    object: 'template_folder',
    id: folder.id,
    name: folder.name,
    created_at: formatTime(folder.createdAt),
    updated_at: formatTime(folder.updatedAt),
  }
}

const common = { tag: 'Template folders', permission: 'full', limit: 'general' } as const
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

const getFolders = route('GET', '/template-folders', {
  ...common,
  operationId: 'listTemplateFolders',
  summary: 'List template folders',
  description: 'Newest first.',
  query: PageQuery,
  responses: {
    200: { description: 'A page of folders.', schema: listOf(FolderAnswer) },
  },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listTemplateFolders(lists, caller.teamId, page)
    const total = await readCounter(lists, caller.teamId, TEMPLATE_FOLDER_COUNTER)
    const list = { publicUrl: config.publicUrl, path: '/template-folders', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(folderToJson) }) }
  },
})

const getFolder = route('GET', '/template-folders/:id', {
  ...common,
  operationId: 'getTemplateFolder',
  summary: 'Get a template folder',
  description: 'Use `GET /templates?folder_id=...` for the templates in it.',
  params: IdParams,
  responses: { 200: one },
  async handle({ caller, params, deps: { db } }) {
    const folder = await findTemplateFolder(db, caller.teamId, params.id.toLowerCase())
    if (folder === null) throw new ApiError('not_found')
    return { status: 200, json: folderToJson(folder) }
  },
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
    if (folder === null) throw new ApiError('not_found')
    return { status: 200, json: folderToJson(folder) }
  },
})

const removeFolder = route('DELETE', '/template-folders/:id', {
  ...common,
  operationId: 'deleteTemplateFolder',
  action: 'template-folders.delete',
  summary: 'Delete a template folder',
  description: 'Its templates remain; their `folder_id` becomes null.',
  params: IdParams,
  responses: {
    200: {
      description: 'The folder was deleted.',
      schema: Deleted,
      example: deletedToJson('template_folder', EXAMPLE_ID),
    },
  },
  async handle({ caller, params, audited }) {
    const id = params.id.toLowerCase()
    if (!(await audited.transaction((tx) => deleteTemplateFolder(tx, caller.teamId, id)))) {
      throw new ApiError('not_found')
    }
    return { status: 200, json: deletedToJson('template_folder', id) }
  },
})

export const templateFolderRoutes: readonly Route<Deps>[] = [
  addFolder,
  getFolders,
  getFolder,
  changeFolder,
  aliasOf(changeFolder, { method: 'PUT' }),
  removeFolder,
]
