import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import {
  isTopic,
  readScope,
  scopeText,
  type UnsubscribeScope,
} from '../../emails/accept/unsubscribe-scope.ts'
import { listOf, listToJson, PAGE_PARAMETERS, readPage } from '../../http/page.ts'
import { deletedToJson } from '../../http/present.ts'
import { type Route, routesOf } from '../../http/route.ts'
import {
  ADDRESS_CHARS_MAX,
  Deleted,
  IdParams,
  Text,
  TextOrNull,
  Timestamp,
  Uuid,
} from '../../http/schemas.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { readAddressKey } from '../../mime/address.ts'
import { writingsOf } from '../../suppressions/suppressions.ts'
import { optInAgain, optOut } from '../contacts/opt-out.ts'
import { findList } from '../lists/lists-queries.ts'
import {
  countUnsubscriptionsOf,
  findUnsubscription,
  listUnsubscriptions,
  UNSUBSCRIPTION_COUNTER,
  type Unsubscription,
} from './unsubscriptions-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
  hashAddress: HashAddress
}

const { route } = routesOf<Deps>()

const common = { tag: 'Unsubscriptions', permission: 'full', limit: 'general' } as const

export const UnsubscriptionEntry = Type.Object(
  {
    object: Type.Literal('unsubscription'),
    id: Uuid,
    email: Text('The address.'),
    list_id: TextOrNull('The list that it wants no more of.'),
    topic: TextOrNull('Or the topic.'),
    source: Text('`one_click`, `link` (the page), `mail` or `api`.'),
    email_id: TextOrNull('The email whose link was followed.'),
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

function unsubscriptionToJson(row: Unsubscription) {
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

const UnsubscriptionQuery = Type.Object({
  ...PAGE_PARAMETERS,
  email: Type.Optional(
    Type.String({ maxLength: ADDRESS_CHARS_MAX, description: 'A whole address, in any case.' }),
  ),
})

const getUnsubscriptions = route('GET', '/unsubscriptions', {
  ...common,
  operationId: 'listUnsubscriptions',
  summary: 'List unsubscriptions',
  description:
    'Newest first. These addresses get no email that is sent with the same `unsubscribe` list or topic.',
  query: UnsubscriptionQuery,
  responses: { 200: { description: 'A page of suppressions.', schema: listOf(UnsubscriptionEntry) } },
  async handle({ caller: { teamId }, query, deps: { lists, config, hashAddress } }) {
    const email = query.email === undefined ? null : readAddressKey(query.email)
    if (query.email !== undefined && email === null) {
      throw invalidField('email', 'The email field must be a valid email address.')
    }
    const emails = email === null ? null : writingsOf(hashAddress, teamId, email)
    const page = readPage(query)
    const found = await listUnsubscriptions(lists, teamId, emails, page)
    const total =
      emails === null
        ? await readCounter(lists, teamId, UNSUBSCRIPTION_COUNTER)
        : await countUnsubscriptionsOf(lists, teamId, emails)
    const list = { publicUrl: config.publicUrl, path: '/unsubscriptions', query, page, total }
    return {
      status: 200,
      json: listToJson({ ...list, hasMore: found.hasMore, data: found.rows.map(unsubscriptionToJson) }),
    }
  },
})

const deleteUnsubscription = route('DELETE', '/unsubscriptions/:id', {
  ...common,
  operationId: 'deleteUnsubscription',
  action: 'unsubscriptions.delete',
  summary: 'Delete an unsubscription',
  description:
    'For people who ask to resubscribe. A contact that the unsubscription removed from a list is added back.',
  params: IdParams,
  responses: { 200: { description: 'The record was deleted.', schema: Deleted } },
  async handle({ caller, params: { id }, audited, deps: { clock, hashAddress } }) {
    const gone = await optInAgain(audited, hashAddress, caller.teamId, { id }, clock.now())
    if (gone === null) throw new ApiError('not_found')
    return { status: 200, json: deletedToJson('unsubscription', gone.id) }
  },
})

const UnsubscriptionInput = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: ADDRESS_CHARS_MAX,
      description: 'The address, without a display name.',
    }),
    list_id: Type.Optional(Type.String({ format: 'uuid', description: 'A list of the account.' })),
    topic: Type.Optional(Type.String({ maxLength: 200, description: 'Or a topic, 1 to 100 characters.' })),
  },
  { examples: [{ email: 'ann@customer.example', topic: 'Product news' }] },
)

/** Idempotent: 201 the first time, 200 with the existing entry after that. */
const addUnsubscription = route('POST', '/unsubscriptions', {
  ...common,
  operationId: 'createUnsubscription',
  action: 'unsubscriptions.create',
  summary: 'Unsubscribe an address',
  description: 'Records an unsubscription that reached you another way, such as your own settings page.',
  body: UnsubscriptionInput,
  responses: {
    201: { description: 'The new suppression.', schema: UnsubscriptionEntry },
    200: { description: 'The existing suppression.', schema: UnsubscriptionEntry },
  },
  async handle({ caller: { teamId }, body, audited, deps: { db, clock, hashAddress } }) {
    const email = readAddressKey(body.email)
    if (email === null) throw invalidField('email', 'The email field must be a valid email address.')
    const scope = await readWantedScope(db, teamId, body)
    const wish = { teamId, scope, email, emailId: null }
    const isNew = await optOut(audited, hashAddress, wish, 'api', clock.now())
    const writings = writingsOf(hashAddress, teamId, email)
    const entry = await findUnsubscription(db, teamId, scopeText(scope), writings)
    if (entry === null)
      throw new ApiError('conflict', 'The unsubscription was taken back at the same moment.')
    return { status: isNew ? 201 : 200, json: unsubscriptionToJson(entry) }
  },
})

async function readWantedScope(
  db: Queryable,
  teamId: string,
  { list_id: listId, topic }: { list_id?: string; topic?: string },
): Promise<UnsubscribeScope> {
  if ((listId === undefined) === (topic === undefined)) {
    throw invalidField('topic', 'The topic field is required, or else list_id; not both.')
  }
  if (topic !== undefined) {
    if (isTopic(topic)) return { kind: 'topic', topic }
    throw invalidField('topic', TOPIC_RULE)
  }
  const list = await findList(db, teamId, String(listId).toLowerCase())
  if (list === null)
    throw invalidField('list_id', 'The list_id field must be the id of a list of this account.')
  return { kind: 'list', listId: list.id }
}

const TOPIC_RULE =
  'The topic field must be 1 to 100 characters (300 octets) without line breaks or space at its ends.'

export const unsubscriptionRoutes: readonly Route<Deps>[] = [
  addUnsubscription,
  getUnsubscriptions,
  deleteUnsubscription,
]
