import Type, { type Static } from 'typebox'
import { Uuid } from '../../http/schemas.ts'
import { AUDIENCE_ITEMS_MAX, type Audience, type AudienceItem } from './audience.ts'
import type { AudienceChanges } from './validate-audience.ts'

const Item = Type.Object(
  { list_id: Type.Optional(Uuid), segment_id: Type.Optional(Uuid) },
  { description: 'Either a list or a segment.' },
)
const Items = Type.Array(Item, { maxItems: AUDIENCE_ITEMS_MAX })

export const AudienceShown = Type.Object(
  { include: Items, exclude: Items },
  { description: 'The contacts of any list or segment in `include`, and of none in `exclude`.' },
)
const GivenAudience = Type.Object({ include: Type.Optional(Items), exclude: Type.Optional(Items) })
export const AudienceGiven = Type.Union([GivenAudience, Type.Null()], {
  description: 'Instead of `segment_id` or `list_id`. A side that you omit does not change.',
})

export function audienceToJson({ include, exclude }: Audience): Static<typeof AudienceShown> {
  return { include: include.map(itemToJson), exclude: exclude.map(itemToJson) }
}

function itemToJson({ kind, id }: AudienceItem): Static<typeof Item> {
  return kind === 'list' ? { list_id: id } : { segment_id: id }
}

/** Returns the audience of a request body; undefined if the body has none. */
export function readAudience(given: Static<typeof AudienceGiven> | undefined): AudienceChanges['audience'] {
  if (given == null) return given
  const { include, exclude } = given
  return {
    ...(include !== undefined && { include: include.map(readItem) }),
    ...(exclude !== undefined && { exclude: exclude.map(readItem) }),
  }
}

function readItem({ list_id: listId, segment_id: segmentId }: Static<typeof Item>) {
  return { listId: listId?.toLowerCase() ?? null, segmentId: segmentId?.toLowerCase() ?? null }
}
