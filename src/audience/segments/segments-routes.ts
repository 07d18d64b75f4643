import { type ResourceDeps, resource } from '../../http/route/resource.ts'
import { aliasOf, type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { readSegmentChanges } from './segment-input.ts'
import { segmentToJson } from './segment-json.ts'
import { SegmentAnswer, SegmentBody, SegmentChanges } from './segment-schemas.ts'
import { changeSegment, createSegment, removeSegment, type SegmentInput } from './segments.ts'
import { findSegment, listSegments, SEGMENT_COUNTER } from './segments-queries.ts'

const { route } = routesOf<ResourceDeps>()

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
    const input: SegmentInput = { matchType: 'all', groups: [], ...readSegmentChanges(body), name: body.name }
    const segment = await audited.transaction((tx) => createSegment(tx, caller.teamId, input, clock.now()))
    return { status: 201, json: segmentToJson(segment) }
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
    const changes = readSegmentChanges(body)
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

export const segmentRoutes: readonly Route<ResourceDeps>[] = [
  postSegment,
  getSegments,
  getSegment,
  patchSegment,
  aliasOf(patchSegment, { method: 'PUT' }),
  deleteSegment,
]
