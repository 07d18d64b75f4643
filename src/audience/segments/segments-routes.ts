import type { Static } from 'typebox'
import { listOf, PageQuery } from '../../http/page.ts'
import { type ResourceDeps, resource } from '../../http/resource.ts'
import { aliasOf, type Route, routesOf } from '../../http/route.ts'
import { IdParams } from '../../http/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import { contactsToJson, contactToJson } from '../contacts/contact-json.ts'
import { ContactAnswer } from '../contacts/contact-schemas.ts'
import type { GroupInput } from './segment-filters.ts'
import { segmentToJson } from './segment-json.ts'
import {
  SegmentAnswer,
  SegmentBody,
  SegmentChanges,
  SegmentCountAnswer,
  SegmentCountBody,
} from './segment-schemas.ts'
import {
  changeSegment,
  contactsIn,
  createSegment,
  previewSegment,
  removeSegment,
  type SegmentInput,
} from './segments.ts'
import { findSegment, listSegments, SEGMENT_COUNTER } from './segments-queries.ts'

const { route } = routesOf<ResourceDeps>()

/** Returns the fields that the request contains. */
function readChanges(body: Static<typeof SegmentChanges>): Partial<SegmentInput> {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.match_type === undefined ? {} : { matchType: body.match_type }),
    ...(body.filters === undefined ? {} : { groups: (body.filters?.groups ?? []) as GroupInput[] }),
  }
}

const COMMON = { tag: 'Segments', permission: 'full', limit: 'general' } as const
const segments = resource('/segments', 'segment', COMMON)
const ONE = { description: 'The segment.', schema: SegmentAnswer }

const postSegment = route('POST', '/segments', {
  ...COMMON,
  operationId: 'createSegment',
  action: 'segments.create',
  summary: 'Create a segment',
  description:
    'A segment is a set of conditions on contacts. Sendwright evaluates it on every read, so it is always current.',
  body: SegmentBody,
  responses: { 201: { ...ONE, description: 'The new segment.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const input: SegmentInput = { matchType: 'all', groups: [], ...readChanges(body), name: body.name }
    const segment = await audited.transaction((tx) => createSegment(tx, caller.teamId, input, clock.now()))
    return { status: 201, json: segmentToJson(segment) }
  },
})

const countSegment = route('POST', '/segments/count', {
  ...COMMON,
  changesNothing: true,
  operationId: 'countSegmentContacts',
  summary: 'Count the contacts that match conditions',
  description: 'Evaluates conditions as a segment would, without storing them.',
  body: SegmentCountBody,
  responses: { 200: { description: 'The count, and a few of the contacts.', schema: SegmentCountAnswer } },
  async handle({ caller, body, deps: { lists } }) {
    const { matchType = 'all', groups = [] } = readChanges(body)
    const { count, isExact, contacts } = await previewSegment(lists, caller.teamId, { matchType, groups })
    const json = { object: 'segment_count', count, is_exact: isExact, contacts: contacts.map(contactToJson) }
    return { status: 200, json }
  },
})

const getSegments = segments.list('listSegments', 'List segments', {
  description: 'Newest first, with their conditions.',
  schema: SegmentAnswer,
  read: listSegments,
  counter: SEGMENT_COUNTER,
  toJson: segmentToJson,
})

const getSegment = segments.get('getSegment', 'Get a segment', {
  description: 'Use `GET /segments/{id}/contacts` for the contacts in it.',
  response: ONE,
  read: findSegment,
  toJson: segmentToJson,
})

const patchSegment = route('PATCH', '/segments/:id', {
  ...COMMON,
  operationId: 'updateSegment',
  action: 'segments.update',
  summary: 'Update a segment',
  description: 'Changes only the fields you send; `filters` is replaced as a whole.',
  params: IdParams,
  body: SegmentChanges,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const changes = readChanges(body)
    const segment = await audited.transaction((tx) =>
      changeSegment(tx, caller.teamId, params.id, changes, clock.now()),
    )
    return { status: 200, json: segmentToJson(segment) }
  },
})

const deleteSegment = segments.delete('deleteSegment', 'Delete a segment', {
  description:
    'Returns 409 while a scheduled or sending campaign, or an active automation, uses the segment. Other campaigns lose the reference; other automations keep the id and cannot become active with it.',
  response: 'The segment was deleted. Its contacts remain.',
  remove: removeSegment,
})

const getSegmentContacts = route('GET', '/segments/:id/contacts', {
  ...COMMON,
  operationId: 'listSegmentContacts',
  summary: 'List the contacts in a segment',
  description:
    'The contacts that match now. `meta.total` is an estimate if counting takes too long. A request scans a limited number of contacts, so a page can be short while `has_more` is true; `links.next` continues.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'Newest contact first.', schema: listOf(ContactAnswer) } },
  async handle({ caller, params, query, deps }) {
    const segment = orNotFound(await findSegment(deps.lists, caller.teamId, params.id))
    const condition = await contactsIn(deps.lists, segment)
    const ask = { path: `/segments/${segment.id}/contacts`, query }
    return { status: 200, json: await contactsToJson(deps, caller.teamId, [condition], ask) }
  },
})

export const segmentRoutes: readonly Route<ResourceDeps>[] = [
  postSegment,
  countSegment,
  getSegments,
  getSegment,
  patchSegment,
  aliasOf(patchSegment, { method: 'PUT' }),
  deleteSegment,
  getSegmentContacts,
]
