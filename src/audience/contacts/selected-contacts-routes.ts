import type { Db } from '../../db/db-types.ts'
import { FILTERED_TOTAL_MAX } from '../../db/page.ts'
import { listOf, PageQuery } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import { findList } from '../lists/lists-queries.ts'
import { readSegmentChanges } from '../segments/segment-input.ts'
import { SegmentCountBody } from '../segments/segment-schemas.ts'
import { contactsIn, contactsMatching, type SegmentInput } from '../segments/segments.ts'
import { findSegment } from '../segments/segments-queries.ts'
import { inList } from './contact-filters-queries.ts'
import { contactsToJson, contactToJson } from './contact-json.ts'
import { ContactAnswer, SegmentCountAnswer } from './contact-schemas.ts'
import type { Contact } from './contacts-queries.ts'
import { estimateContacts, listContacts } from './list-contacts-queries.ts'

interface SegmentPreview {
  count: number
  /** False if `count` is an estimate. */
  isExact: boolean
  /** The newest matches. */
  contacts: Contact[]
}

const PREVIEW_CONTACTS = 5

const { route } = routesOf<ResourceDeps>()

const LISTS = { area: 'lists', permission: 'full' } as const
const SEGMENTS = { area: 'segments', permission: 'full' } as const

const getListContacts = route('GET', '/lists/:id/contacts', {
  ...LISTS,
  operationId: 'listContactsInList',
  summary: 'List the contacts in a list',
  description: 'Newest contact first.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'Newest contact first.', schema: listOf(ContactAnswer) } },
  async handle({ caller, params, query, deps }) {
    const list = orNotFound(await findList(deps.lists, caller.teamId, params.id))
    const ask = { path: `/lists/${list.id}/contacts`, query, total: list.contactCount }
    return { status: 200, json: await contactsToJson(deps, caller.teamId, [inList(list.id)], ask) }
  },
})

const countSegment = route('POST', '/segments/count', {
  ...SEGMENTS,
  changesNothing: true,
  operationId: 'countSegmentContacts',
  summary: 'Count the contacts that match conditions',
  description: 'Evaluates conditions as a segment would, without storing them.',
  body: SegmentCountBody,
  responses: { 200: { description: 'The count, and a few of the contacts.', schema: SegmentCountAnswer } },
  async handle({ caller, body, deps: { lists, clock } }) {
    const { matchType = 'all', groups = [] } = readSegmentChanges(body)
    const { count, isExact, contacts } = await previewSegment(
      lists,
      caller.teamId,
      { matchType, groups },
      clock.now(),
    )
    const json = { object: 'segment_count', count, is_exact: isExact, contacts: contacts.map(contactToJson) }
    return { status: 200, json }
  },
})

const getSegmentContacts = route('GET', '/segments/:id/contacts', {
  ...SEGMENTS,
  operationId: 'listSegmentContacts',
  summary: 'List the contacts in a segment',
  description:
    'The contacts that match now. `meta.total` is an estimate if counting takes too long. A request scans a limited number of contacts, so a page can be short while `has_more` is true; `links.next` continues.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'Newest contact first.', schema: listOf(ContactAnswer) } },
  async handle({ caller, params, query, deps }) {
    const segment = orNotFound(await findSegment(deps.lists, caller.teamId, params.id))
    const condition = await contactsIn(deps.lists, segment, deps.clock.now())
    const ask = { path: `/segments/${segment.id}/contacts`, query }
    return { status: 200, json: await contactsToJson(deps, caller.teamId, [condition], ask) }
  },
})

/** Returns the members that an unsaved segment would have. Throws the same errors as createSegment. */
async function previewSegment(
  db: Db,
  teamId: string,
  segment: Pick<SegmentInput, 'matchType' | 'groups'>,
  now: Date,
): Promise<SegmentPreview> {
  const condition = await contactsMatching(db, teamId, segment, now)
  const range = { size: PREVIEW_CONTACTS, offset: 0, after: null, before: null }
  const { rows, total, isExact } = await listContacts(db, teamId, [condition], range)
  const isFull = total === FILTERED_TOTAL_MAX
  // Lists stop counting here. For a segment, an estimate distinguishes ten thousand from a million.
  const count = isFull ? Math.max(total, await estimateContacts(db, teamId, [condition])) : total
  return { count, isExact, contacts: rows }
}

/** The contacts in a list. */
export const listContactsRoutes: readonly Route<ResourceDeps>[] = [getListContacts]

/** The contacts in a segment, saved or not. */
export const segmentContactsRoutes: readonly Route<ResourceDeps>[] = [countSegment, getSegmentContacts]
