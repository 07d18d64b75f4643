import type { Queryable } from '../../db/db-types.ts'
import { isTopic, scopeText, type UnsubscribeScope } from '../../emails/request/unsubscribe-scope.ts'
import { deletedToJson } from '../../http/route/present.ts'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Deleted, IdParams } from '../../http/route/schemas.ts'
import { ApiError, invalidField, orNotFound } from '../../lib/api-error.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { readAddressKey } from '../../mime/address.ts'
import { writingsOf } from '../../suppressions/suppressions.ts'
import { findList } from '../lists/lists-queries.ts'
import { optInAgain, optOut } from './opt-out.ts'
import {
  UnsubscriptionEntry,
  UnsubscriptionInput,
  UnsubscriptionQuery,
  unsubscriptionToJson,
} from './unsubscription-schemas.ts'
import {
  countUnsubscriptionsOf,
  findUnsubscription,
  listUnsubscriptions,
  UNSUBSCRIPTION_COUNTER,
  type Unsubscription,
} from './unsubscriptions-queries.ts'

interface Deps extends ResourceDeps {
  hashAddress: HashAddress
}

const { route } = routesOf<Deps>()

const common = { area: 'unsubscriptions', permission: 'full' } as const
const unsubscriptions = new Resource<Unsubscription, Deps>('/unsubscriptions', 'unsubscription', {
  ...common,
  noun: 'unsubscription',
  schema: UnsubscriptionEntry,
  toJson: unsubscriptionToJson,
})

const getUnsubscriptions = unsubscriptions.list('listUnsubscriptions', 'List unsubscriptions', {
  description: 'Newest first. These addresses get no email with the same `unsubscribe` list or topic.',
  query: UnsubscriptionQuery,
  response: 'A page of unsubscriptions.',
  counter: UNSUBSCRIPTION_COUNTER,
  async read(db, teamId, page, { query, deps: { hashAddress } }) {
    if (query.email === undefined) return listUnsubscriptions(db, teamId, null, page)
    const emails = writingsOf(hashAddress, teamId, readEmail(query.email))
    const unsubscriptions = await listUnsubscriptions(db, teamId, emails, page)
    return { ...unsubscriptions, total: await countUnsubscriptionsOf(db, teamId, emails) }
  },
})

function readEmail(text: string): string {
  const email = readAddressKey(text)
  if (email === null) throw invalidField('email', 'The email field must be a valid email address.')
  return email
}

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
    const unsubscription = await optInAgain(audited, hashAddress, caller.teamId, { id }, clock.now())
    return { status: 200, json: deletedToJson('unsubscription', orNotFound(unsubscription).id) }
  },
})

/** Idempotent: 201 the first time, 200 with the existing entry after that. */
const addUnsubscription = route('POST', '/unsubscriptions', {
  ...common,
  operationId: 'createUnsubscription',
  action: 'unsubscriptions.create',
  summary: 'Unsubscribe an address',
  description: 'Records an unsubscription that reached you another way, such as your own settings page.',
  body: UnsubscriptionInput,
  responses: {
    201: { description: 'The new unsubscription.', schema: UnsubscriptionEntry },
    200: { description: 'The existing unsubscription.', schema: UnsubscriptionEntry },
  },
  async handle({ caller: { teamId }, body, audited, deps: { db, clock, hashAddress } }) {
    const email = readEmail(body.email)
    const scope = await readScopeInput(db, teamId, body)
    const request = { teamId, scope, email, emailId: null }
    const isNew = await optOut(audited, hashAddress, request, 'api', clock.now())
    const writings = writingsOf(hashAddress, teamId, email)
    const entry = await findUnsubscription(db, teamId, scopeText(scope), writings)
    if (entry === null) throw new ApiError('conflict', 'The unsubscription was undone at the same time.')
    return { status: isNew ? 201 : 200, json: unsubscriptionToJson(entry) }
  },
})

async function readScopeInput(
  db: Queryable,
  teamId: string,
  { list_id: listId, topic }: { list_id?: string; topic?: string },
): Promise<UnsubscribeScope> {
  if ((listId === undefined) === (topic === undefined)) {
    throw invalidField('topic', 'Provide either the topic field or the list_id field, not both.')
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
