import Type, { type Static } from 'typebox'
import { Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { List } from './lists-queries.ts'

export const LIST_EXAMPLE = {
  object: 'list',
  id: '0198c0de-0000-7000-8000-0000000000b1',
  name: 'Newsletter',
  contact_count: 1,
  created_at: '2026-01-15 09:30:00',
  updated_at: '2026-01-15 09:30:00',
}

export const ListAnswer = Type.Object(
  {
    object: Type.Literal('list'),
    id: Uuid,
    name: Type.String({ description: 'Name of the list.' }),
    contact_count: Type.Integer({ description: 'Number of contacts in the list.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'List', 'x-extends': 'ListRef', examples: [LIST_EXAMPLE] },
)

export function contactListToJson(list: List): Static<typeof ListAnswer> {
  return {
    object: 'list',
    id: list.id,
    name: list.name,
    contact_count: list.contactCount,
    created_at: formatTime(list.createdAt),
    updated_at: formatTime(list.updatedAt),
  }
}
