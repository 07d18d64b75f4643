import type { Static } from 'typebox'
import { formatTime } from '../../lib/time/format-time.ts'
import type { SegmentAnswer } from './segment-schemas.ts'
import type { Segment } from './segments-queries.ts'

export function segmentToJson(segment: Segment): Static<typeof SegmentAnswer> {
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
