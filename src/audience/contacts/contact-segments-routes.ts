import Type from 'typebox'
import { listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { Uuid } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import { segmentToJson } from '../segments/segment-json.ts'
import { SegmentAnswer } from '../segments/segment-schemas.ts'
import { IdOrEmail } from './contact-schemas.ts'
import { addToSegment, listSegmentsOfContact, removeFromSegment } from './contact-segments.ts'
import { lookUpContact } from './contacts.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'contacts', permission: 'full' } as const
const ID = '0198c0de-0000-7000-8000-0000000000b7'

const Params = Type.Object({
  ...IdOrEmail.properties,
  segmentId: Type.String({ format: 'uuid', description: 'Id of the segment.' }),
})

const Membership = Type.Object(
  { object: Type.Literal('contact_segment'), id: Uuid },
  { title: 'SegmentMembership', examples: [{ object: 'contact_segment', id: ID }] },
)
const DeletedMembership = Type.Object(
  {
    object: Type.Literal('contact_segment'),
    id: Uuid,
    audienceId: Type.String({ format: 'uuid', description: 'The same id.' }),
    deleted: Type.Literal(true),
  },
  {
    title: 'DeletedSegmentMembership',
    examples: [{ object: 'contact_segment', id: ID, audienceId: ID, deleted: true }],
  },
)

const getContactSegments = route('GET', '/contacts/:id/segments', {
  ...COMMON,
  operationId: 'listContactSegments',
  summary: 'List the segments of a contact',
  description: 'The segments that the contact matches now. A page can be short while `has_more` is true.',
  params: IdOrEmail,
  query: PageQuery,
  responses: { 200: { description: 'Newest segment first.', schema: listOf(SegmentAnswer) } },
  async handle(request) {
    const { teamId } = request.caller
    const { lists, clock } = request.deps
    const page = readPage(request.query)
    const { id } = orNotFound(await lookUpContact(lists, teamId, request.params.id))
    const segments = await listSegmentsOfContact(lists, teamId, id, page, clock.now())
    const total = segments.rows.length
    return pageReply(request, `/contacts/${id}/segments`, { ...segments, page, total }, segmentToJson)
  },
})

const postContactSegment = route('POST', '/contacts/:id/segments/:segmentId', {
  ...COMMON,
  operationId: 'addContactToSegment',
  action: 'contacts.segments.create',
  summary: 'Add a contact to a segment',
  description:
    'Adds it to the list that the segment selects. A segment without conditions gets such a list. Returns 409 for a segment with other conditions.',
  params: Params,
  responses: { 200: { description: 'The contact is in the segment.', schema: Membership } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const { id } = await audited.transaction((tx) =>
      addToSegment(tx, caller.teamId, params.id, params.segmentId.toLowerCase(), clock.now()),
    )
    return { status: 200, json: { object: 'contact_segment', id } }
  },
})

const deleteContactSegment = route('DELETE', '/contacts/:id/segments/:segmentId', {
  ...COMMON,
  operationId: 'removeContactFromSegment',
  action: 'contacts.segments.delete',
  summary: 'Remove a contact from a segment',
  description: 'Removes it from the list that the segment selects. The contact remains.',
  params: Params,
  responses: { 200: { description: 'The contact is not in the segment.', schema: DeletedMembership } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const { id } = await audited.transaction((tx) =>
      removeFromSegment(tx, caller.teamId, params.id, params.segmentId.toLowerCase(), clock.now()),
    )
    return { status: 200, json: { object: 'contact_segment', id, audienceId: id, deleted: true } }
  },
})

export const contactSegmentRoutes: readonly Route<ResourceDeps>[] = [
  getContactSegments,
  postContactSegment,
  deleteContactSegment,
]
