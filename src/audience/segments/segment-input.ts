import type { Static } from 'typebox'
import type { GroupInput } from './segment-filters.ts'
import type { SegmentChanges } from './segment-schemas.ts'
import type { SegmentInput } from './segments.ts'

/** Returns the fields that the request contains. */
export function readSegmentChanges(body: Static<typeof SegmentChanges>): Partial<SegmentInput> {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.match_type === undefined ? {} : { matchType: body.match_type }),
    ...(body.filters === undefined ? {} : { groups: (body.filters?.groups ?? []) as GroupInput[] }),
  }
}
