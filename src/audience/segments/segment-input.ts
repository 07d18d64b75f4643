import type { Static } from 'typebox'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import type { GroupInput } from './segment-filters.ts'
import type { SegmentChanges } from './segment-schemas.ts'
import type { SegmentInput } from './segments.ts'

/** Returns the fields that the request contains. */
export function readSegmentChanges(body: Static<typeof SegmentChanges>): Partial<SegmentInput> {
  const { name, match_type: matchType, filters } = body
  const groups = filters === undefined ? undefined : ((filters?.groups ?? []) as GroupInput[])
  return omitUndefined({ name, matchType, groups })
}
