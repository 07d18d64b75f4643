import type { Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db } from '../../db/db-types.ts'
import { listOf, listToJson, PageQuery, readPage } from '../../http/page.ts'
import { deletedToJson } from '../../http/present.ts'
import { aliasOf, type Route, routesOf } from '../../http/route.ts'
import { Deleted, IdParams } from '../../http/schemas.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { contactsToJson, contactToJson } from '../contacts/contact-json.ts'
import { ContactAnswer } from '../contacts/contact-schemas.ts'
import type { GroupInput } from './segment-filters.ts'
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
import { findSegment, listSegments, SEGMENT_COUNTER, type Segment } from './segments-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

function segmentToJson(segment: Segment): Static<typeof SegmentAnswer> {
  return {
    object: 'segment',
    id: segment.id,
    name: segment.name,
    match_type: segment.matchType,
    filters: {
      groups: segment.groups.map((group) => ({
        match_type: group.matchType,
        conditions: group.conditions.map(({ field, type, operator, value, propertyId }) => ({
          field,
          type,
          operator,
          value,
          property_id: propertyId,
        })),
      })),
    },
    created_at: formatTime(segment.createdAt),
    updated_at: formatTime(segment.updatedAt),
  }
}

/** Only what the request names. */
function readChanges(body: Static<typeof SegmentChanges>): Partial<SegmentInput> {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.match_type === undefined ? {} : { matchType: body.match_type }),
    ...(body.filters === undefined ? {} : { groups: (body.filters?.groups ?? []) as GroupInput[] }),
  }
}

const COMMON = { tag: 'Segments', permission: 'full', limit: 'general' } as const
const ONE = { description: 'The segment.', schema: SegmentAnswer }

const postSegment = route('POST', '/segments', {
  ...COMMON,
  operationId: 'createSegment',
  action: 'segments.create',
  summary: 'Create a segment',
  description:
    'A set of conditions on contacts, evaluated on every read: a contact that starts to match belongs to the segment at once.',
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

const getSegments = route('GET', '/segments', {
  ...COMMON,
  operationId: 'listSegments',
  summary: 'List segments',
  description: 'Newest first, with their conditions.',
  query: PageQuery,
  responses: { 200: { description: 'Newest first.', schema: listOf(SegmentAnswer) } },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { rows, hasMore } = await listSegments(lists, caller.teamId, page)
    const total = await readCounter(lists, caller.teamId, SEGMENT_COUNTER)
    const list = { publicUrl: config.publicUrl, path: '/segments', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(segmentToJson) }) }
  },
})

const getSegment = route('GET', '/segments/:id', {
  ...COMMON,
  operationId: 'getSegment',
  summary: 'Get a segment',
  description: 'Use `GET /segments/{id}/contacts` for the contacts in it.',
  params: IdParams,
  responses: { 200: ONE },
  async handle({ caller, params, deps: { db } }) {
    const segment = await findSegment(db, caller.teamId, params.id)
    if (segment === null) throw new ApiError('not_found')
    return { status: 200, json: segmentToJson(segment) }
  },
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

const deleteSegment = route('DELETE', '/segments/:id', {
  ...COMMON,
  operationId: 'deleteSegment',
  action: 'segments.delete',
  summary: 'Delete a segment',
  description:
    'Returns 409 while a scheduled or sending campaign, or an active automation, uses the segment. Other campaigns lose their audience; other automations keep the id and cannot become active with it.',
  params: IdParams,
  responses: { 200: { description: 'The segment was deleted. Its contacts remain.', schema: Deleted } },
  async handle({ caller, params, audited }) {
    const id = params.id.toLowerCase()
    await audited.transaction((tx) => removeSegment(tx, caller.teamId, id))
    return { status: 200, json: deletedToJson('segment', id) }
  },
})

const getSegmentContacts = route('GET', '/segments/:id/contacts', {
  ...COMMON,
  operationId: 'listSegmentContacts',
  summary: 'List the contacts in a segment',
  description:
    'The contacts that match now. `meta.total` counts up to 10,000 and is estimated from the newest contacts where counting takes too long. Where the conditions leave too many contacts to examine in one request, a page may hold fewer records while `has_more` is true; `links.next` continues from there.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'Newest contact first.', schema: listOf(ContactAnswer) } },
  async handle({ caller, params, query, deps }) {
    const segment = await findSegment(deps.lists, caller.teamId, params.id)
    if (segment === null) throw new ApiError('not_found')
    const condition = await contactsIn(deps.lists, segment)
    const ask = { path: `/segments/${segment.id}/contacts`, query }
    return { status: 200, json: await contactsToJson(deps, caller.teamId, [condition], ask) }
  },
})

export const segmentRoutes: readonly Route<Deps>[] = [
  postSegment,
  countSegment,
  getSegments,
  getSegment,
  patchSegment,
  aliasOf(patchSegment, { method: 'PUT' }),
  deleteSegment,
  getSegmentContacts,
]
