import Type from 'typebox'
import { readScope } from '../../emails/request/unsubscribe-scope.ts'
import { PAGE_PARAMETERS } from '../../http/route/page.ts'
import { ADDRESS_CHARS_MAX, Text, TextOrNull, Timestamp, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { Unsubscription } from './unsubscriptions-queries.ts'

export const UnsubscriptionEntry = Type.Object(
  {
    object: Type.Literal('unsubscription'),
    id: Uuid,
    email: Text('Address.'),
    list_id: TextOrNull('Id of the list, if any.'),
    topic: TextOrNull('Topic, if any.'),
    source: Text('`one_click`, `link` (the page), `mail` or `api`.'),
    email_id: TextOrNull('Email through which the person unsubscribed.'),
    created_at: Timestamp,
  },
  {
    title: 'Unsubscription',
    examples: [
      {
        object: 'unsubscription',
        id: '0198c0de-0000-7000-8000-0000000000c1',
        email: 'ann@customer.example',
        list_id: null,
        topic: 'Product news',
        source: 'one_click',
        email_id: '0198c0de-0000-7000-8000-0000000000e1',
        created_at: '2026-01-15 09:30:00',
      },
    ],
  },
)

export function unsubscriptionToJson(row: Unsubscription) {
  const scope = readScope(row.scope)
  return {
    object: 'unsubscription',
    id: row.id,
    email: row.email,
    list_id: scope?.kind === 'list' ? scope.listId : null,
    topic: scope?.kind === 'topic' ? scope.topic : null,
    source: row.source,
    email_id: row.emailId,
    created_at: formatTime(row.createdAt),
  }
}

export const UnsubscriptionQuery = Type.Object({
  ...PAGE_PARAMETERS,
  email: Type.Optional(
    Type.String({ maxLength: ADDRESS_CHARS_MAX, description: 'Unsubscriptions of this address.' }),
  ),
})

export const UnsubscriptionInput = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: ADDRESS_CHARS_MAX,
      description: 'Address, without a display name.',
    }),
    list_id: Type.Optional(Type.String({ format: 'uuid', description: 'Id of the list.' })),
    topic: Type.Optional(
      Type.String({ maxLength: 200, description: 'A topic of 1 to 100 characters, instead of `list_id`.' }),
    ),
  },
  { examples: [{ email: 'ann@customer.example', topic: 'Product news' }] },
)
