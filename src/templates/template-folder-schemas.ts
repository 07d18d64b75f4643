import Type, { type Static } from 'typebox'
import { Timestamp, Uuid } from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { TemplateFolder } from './template-folders-queries.ts'

const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Name of the folder.' })
const example = { name: 'Receipts' }
export const FolderInput = Type.Object({ name: Name }, { examples: [example] })
export const FolderChange = Type.Object({ name: Type.Optional(Name) }, { examples: [example] })

export const FolderAnswer = Type.Object(
  {
    object: Type.Literal('template_folder'),
    id: Uuid,
    name: Type.String({ description: 'Name of the folder.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'TemplateFolder',
    examples: [
      {
        object: 'template_folder',
        id: '0197a1d2-2b3c-7d4e-9f50-6a7b8c9d0e1f',
        name: 'Receipts',
        created_at: '2026-01-15 09:30:00',
        updated_at: '2026-01-15 09:30:00',
      },
    ],
  },
)

export function folderToJson(folder: TemplateFolder): Static<typeof FolderAnswer> {
  return {
    object: 'template_folder',
    id: folder.id,
    name: folder.name,
    created_at: formatTime(folder.createdAt),
    updated_at: formatTime(folder.updatedAt),
  }
}
