import Type from 'typebox'
import { presentTime } from '../../base/present-time.ts'
import { invalidField, Refusal } from '../../base/refusal.ts'
import { optInAgain } from '../../operations/opt-out.ts'
import { readAddress } from '../../operations/suppressions.ts'
import { readScope } from '../../operations/unsubscribe-scope.ts'
import { readCounter } from '../../store/counters.ts'
import {
  countUnsubscriptionsOf,
  listUnsubscriptions,
  UNSUBSCRIPTION_COUNTER,
  type Unsubscription,
} from '../../store/unsubscriptions.ts'
import { listOf, PAGE_PARAMETERS, presentList, readPage } from '../page.ts'
import { presentDeleted } from '../present.ts'
import { type Route, route } from '../route.ts'
import { Deleted, IdParams, Text, TextOrNull, Timestamp, Uuid } from '../schemas.ts'

const common = { tag: 'Unsubscriptions', permission: 'full', limit: 'general' } as const

const UnsubscriptionEntry = Type.Object(
  {
    object: Type.Literal('unsubscription'),
    id: Uuid,
    email: Text('The address.'),
    list_id: TextOrNull('The list that it wants no more of.'),
    topic: TextOrNull('Or the topic.'),
    source: Text('`one_click`, `link` (the page) or `mail`.'),
    email_id: TextOrNull('The email whose link was followed.'),
    created_at: Timestamp,
  },
  {
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

function present(row: Unsubscription) {
  const scope = readScope(row.scope)
  return {
    object: 'unsubscription',
    id: row.id,
    email: row.email,
    list_id: scope?.kind === 'list' ? scope.listId : null,
    topic: scope?.kind === 'topic' ? scope.topic : null,
    source: row.source,
    email_id: row.emailId,
    created_at: presentTime(row.createdAt),
  }
}

const UnsubscriptionQuery = Type.Object({
  ...PAGE_PARAMETERS,
  email: Type.Optional(Type.String({ maxLength: 320, description: 'A whole address, in any case.' })),
})

const getUnsubscriptions = route('GET', '/unsubscriptions', {
  ...common,
  summary: 'List who unsubscribed from what',
  description: 'Newest first. They get no emails that are sent with the same `unsubscribe` list or topic.',
  query: UnsubscriptionQuery,
  responses: { 200: { description: 'A page of entries.', schema: listOf(UnsubscriptionEntry) } },
  async handle({ caller: { teamId }, query, services: { lists, config } }) {
    const email = query.email === undefined ? null : readAddress(query.email)
    if (query.email !== undefined && email === null) {
      throw invalidField('email', 'The email field must be a valid email address.')
    }
    const page = readPage(query)
    const found = await listUnsubscriptions(lists, teamId, email, page)
    const total =
      email === null
        ? await readCounter(lists, teamId, UNSUBSCRIPTION_COUNTER)
        : await countUnsubscriptionsOf(lists, teamId, email)
    const list = { publicUrl: config.publicUrl, path: '/unsubscriptions', query, page, total }
    return {
      status: 200,
      json: presentList({ ...list, hasMore: found.hasMore, data: found.rows.map(present) }),
    }
  },
})

const deleteUnsubscription = route('DELETE', '/unsubscriptions/:id', {
  ...common,
  summary: 'Let an address get a list or topic again',
  description: 'For people who ask for it. Whom it took off a list is in it again.',
  params: IdParams,
  responses: { 200: { description: 'It is gone.', schema: Deleted } },
  async handle({ caller, params: { id }, services: { db, clock } }) {
    const gone = await optInAgain(db, caller.teamId, { id }, clock.now())
    if (gone === null) throw new Refusal('not_found')
    return { status: 200, json: presentDeleted('unsubscription', gone.id) }
  },
})

export const unsubscriptionRoutes: readonly Route[] = [getUnsubscriptions, deleteUnsubscription]
