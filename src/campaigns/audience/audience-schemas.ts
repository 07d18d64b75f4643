import Type, { type Static } from 'typebox'
import { IdOrNull, Text, Uuid } from '../../http/route/schemas.ts'
import { AUDIENCE_ITEMS_MAX, type Audience, type AudienceItem } from './audience.ts'
import type { AudiencePreview } from './audience-preview.ts'
import type { AudienceChanges } from './validate-audience.ts'

const Item = Type.Object({
  list_id: Type.Optional(Type.String({ format: 'uuid', description: 'A list.' })),
  segment_id: Type.Optional(Type.String({ format: 'uuid', description: 'Or a segment.' })),
})
const Items = (description: string) => Type.Array(Item, { maxItems: AUDIENCE_ITEMS_MAX, description })
const include = Items('Contacts of any of these.')
const exclude = Items('Not those of any of these.')

export const AudienceShown = Type.Object({ include, exclude }, { title: 'Audience' })
export const AudienceGiven = Type.Union(
  [
    Type.Object(
      { include: Type.Optional(include), exclude: Type.Optional(exclude) },
      { title: 'AudienceInput' },
    ),
    Type.Null(),
  ],
  { description: 'Instead of `segment_id` or `list_id`. A side that you omit does not change.' },
)

export function audienceToJson({ include, exclude }: Audience): Static<typeof AudienceShown> {
  return { include: include.map(itemToJson), exclude: exclude.map(itemToJson) }
}

function itemToJson({ kind, id }: AudienceItem): Static<typeof Item> {
  return kind === 'list' ? { list_id: id } : { segment_id: id }
}

/** Returns the audience of a request body; undefined if the body has none. */
export function readAudience(
  audience: Static<typeof AudienceGiven> | undefined,
): AudienceChanges['audience'] {
  if (audience == null) return audience
  const { include, exclude } = audience
  return {
    ...(include !== undefined && { include: include.map(readItem) }),
    ...(exclude !== undefined && { exclude: exclude.map(readItem) }),
  }
}

function readItem({ list_id: listId, segment_id: segmentId }: Static<typeof Item>) {
  return { listId: listId?.toLowerCase() ?? null, segmentId: segmentId?.toLowerCase() ?? null }
}

export const AudienceBody = Type.Object(
  {
    audience: Type.Optional(AudienceGiven),
    segment_id: Type.Optional(IdOrNull('The segment, if it is all.')),
    list_id: Type.Optional(IdOrNull('The list, if it is all.')),
  },
  { examples: [{ list_id: '0198c0de-0000-7000-8000-0000000000b1' }] },
)

export const AudiencePreviewAnswer = Type.Object(
  {
    object: Type.Literal('campaign_audience'),
    count: Type.Integer({ description: 'Contacts that would get it.' }),
    unsubscribed: Type.Integer({ description: 'Left out: unsubscribed.' }),
    suppressed: Type.Integer({ description: 'Left out: suppressed.' }),
    is_estimated: Type.Boolean({ description: 'Whether counting took too long.' }),
    contacts: Type.Array(
      Type.Object({
        id: Uuid,
        email: Text('Address.'),
        first_name: Text('Or empty.'),
        last_name: Text('Or empty.'),
      }),
      { description: 'Up to ten of them.' },
    ),
  },
  {
    title: 'CampaignAudience',
    examples: [
      {
        object: 'campaign_audience',
        count: 1,
        unsubscribed: 0,
        suppressed: 0,
        is_estimated: false,
        contacts: [
          {
            id: '0198c0de-0000-7000-8000-0000000000a7',
            email: 'ann@example.com',
            first_name: 'Ann',
            last_name: '',
          },
        ],
      },
    ],
  },
)

/** Returns the audience that a request names, in whichever form. */
export function readAudienceBody(body: Static<typeof AudienceBody>): AudienceChanges {
  const { audience, list_id: listId = null, segment_id: segmentId = null } = body
  const changes = readAudience(audience)
  return {
    ...(changes !== undefined && { audience: changes }),
    listId: listId?.toLowerCase() ?? null,
    segmentId: segmentId?.toLowerCase() ?? null,
  }
}

export function audiencePreviewToJson(preview: AudiencePreview): Static<typeof AudiencePreviewAnswer> {
  const { count, unsubscribed, suppressed, isEstimated, contacts } = preview
  return {
    object: 'campaign_audience',
    count,
    unsubscribed,
    suppressed,
    is_estimated: isEstimated,
    contacts: contacts.map(({ id, email, firstName, lastName }) => ({
      id,
      email,
      first_name: firstName ?? '',
      last_name: lastName ?? '',
    })),
  }
}
