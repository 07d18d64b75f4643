import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import type { Route } from '../../http/route/route.ts'
import { readSegmentChanges } from './segment-input.ts'
import { segmentToJson } from './segment-json.ts'
import { SegmentAnswer, SegmentBody, SegmentChanges } from './segment-schemas.ts'
import { changeSegment, createSegment, removeSegment, type SegmentInput } from './segments.ts'
import { findSegment, listSegments, SEGMENT_COUNTER } from './segments-queries.ts'

const segments = new Resource('/segments', 'segment', {
  area: 'segments',
  permission: 'full',
  noun: 'segment',
  schema: SegmentAnswer,
  toJson: segmentToJson,
})

export const segmentRoutes: readonly Route<ResourceDeps>[] = [
  segments.create('createSegment', 'Create a segment', {
    description: 'A set of conditions on contacts, evaluated on every read, so it is always current.',
    body: SegmentBody,
    bodyExtends: 'UpdateSegmentRequest',
    input: (body): SegmentInput => ({
      matchType: 'all',
      groups: [],
      ...readSegmentChanges(body),
      name: body.name,
    }),
    create: createSegment,
  }),
  segments.list('listSegments', 'List segments', {
    description: 'Newest first, with their conditions.',
    read: listSegments,
    counter: SEGMENT_COUNTER,
  }),
  segments.get('getSegment', 'Get a segment', {
    description: 'Use `GET /segments/{id}/contacts` for the contacts in it.',
    read: findSegment,
  }),
  ...segments.update('updateSegment', 'Update a segment', {
    description: 'Changes only the fields you send; `filters` is replaced as a whole.',
    body: SegmentChanges,
    input: readSegmentChanges,
    update: changeSegment,
  }),
  segments.delete('deleteSegment', 'Delete a segment', {
    description:
      'Returns 409 while a scheduled or sending campaign, or an active automation, uses the segment. Other campaigns lose it; other automations keep the id and cannot become active.',
    response: 'The segment was deleted. Its contacts remain.',
    remove: removeSegment,
  }),
]
