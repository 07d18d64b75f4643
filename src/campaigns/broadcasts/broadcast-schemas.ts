import Type, { type Static } from 'typebox'
import { PAGE_PARAMETERS } from '../../http/route/page.ts'
import { IdOrNull, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { onlyIncluded } from '../audience/audience.ts'
import type { Campaign, CampaignStatus, CampaignSummary } from '../rows/campaigns-queries.ts'
import { type BroadcastRecipient, RECIPIENT_TYPES } from './broadcast-recipients-queries.ts'
import type { ClickedLink } from './clicked-links-queries.ts'

const id = '0198c0de-0000-7000-8000-0000000000f1'
const CREATED = { object: 'broadcast', id }

/** The id alone, as Resend's API answers changes. */
export const BroadcastIdAnswer = Type.Object(
  { object: Type.Literal('broadcast'), id: Uuid },
  { title: 'BroadcastId', examples: [CREATED] },
)
export const broadcastIdToJson = ({ id }: { id: string }) => ({ object: 'broadcast' as const, id })

const SUMMARY = {
  object: Type.Literal('broadcast'),
  id: Uuid,
  name: Text('Its name.'),
  segment_id: IdOrNull('Null unless it goes to exactly one segment.'),
  audience_id: IdOrNull('The same.'),
  status: Type.Enum(['draft', 'queued', 'sent']),
  created_at: Timestamp,
  scheduled_at: TimestampOrNull,
  sent_at: TimestampOrNull,
}
export const BroadcastSummaryAnswer = Type.Object(SUMMARY, { title: 'BroadcastSummary' })
export const BroadcastAnswer = Type.Object(
  {
    ...SUMMARY,
    from: TextOrNull('As `Name <address>`.'),
    subject: TextOrNull('Null with a template.'),
    reply_to: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'One address.' }),
    preview_text: TextOrNull('Shown beside the subject.'),
    topic_id: Type.Null(),
    html: TextOrNull('Null with a template.'),
    text: TextOrNull('Null with a template.'),
  },
  { title: 'Broadcast', 'x-extends': 'BroadcastSummary' },
)

const optionalText = (description: string, maxLength?: number) =>
  Type.Optional(
    Type.Union([Type.String(maxLength === undefined ? {} : { maxLength }), Type.Null()], { description }),
  )
const optionalId = (description: string) => Type.Optional(IdOrNull(description))
const CONTENT = {
  name: optionalText('Default: the subject.', 255),
  segment_id: optionalId('The segment to send to.'),
  audience_id: optionalId('Alias of `segment_id`.'),
  from: optionalText('`Name <address>`, at a domain of the team. Required.', 500),
  subject: optionalText('No line breaks. Required.', 998),
  html: optionalText('Required without `text`.'),
  text: optionalText('Required without `html`.'),
  reply_to: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 1 }), Type.Null()], {
      description: 'One address.',
    }),
  ),
  preview_text: optionalText('Shown beside the subject.', 255),
  topic_id: Type.Optional(Type.Null({ description: 'Topics are not supported.' })),
}
export const BroadcastChanges = Type.Object(CONTENT, { examples: [{ name: 'Spring offer' }] })
export const BroadcastBody = Type.Object(
  {
    ...CONTENT,
    send: Type.Optional(Type.Boolean({ description: 'Sends it, at `scheduled_at` or now.' })),
    scheduled_at: optionalText('ISO 8601, or as in `in 1 hour`. Only with `send`.', 64),
  },
  {
    examples: [
      {
        name: 'Spring offer',
        segment_id: id,
        from: 'Acme <news@mail.example.com>',
        subject: 'Spring',
        text: 'Hello',
      },
    ],
  },
)
export type BroadcastInput = Static<typeof BroadcastBody>

export const BroadcastSendBody = Type.Object(
  { scheduled_at: optionalText('ISO 8601, or as in `in 1 hour`.', 64) },
  { examples: [{ scheduled_at: 'in 1 hour' }] },
)

const STATUSES: Record<CampaignStatus, 'draft' | 'queued' | 'sent'> = {
  draft: 'draft',
  scheduled: 'queued',
  sending: 'queued',
  paused: 'queued',
  sent: 'sent',
  canceled: 'sent',
}

export function broadcastSummaryToJson(campaign: CampaignSummary): Static<typeof BroadcastSummaryAnswer> {
  const { status, version } = campaign
  const segmentId = onlyIncluded(campaign.audience, 'segment')
  return {
    object: 'broadcast',
    id: campaign.id,
    name: campaign.name,
    segment_id: segmentId,
    audience_id: segmentId,
    // Resend turns a broadcast that is canceled before it begins into a draft.
    status: status === 'canceled' && version === 0 ? 'draft' : STATUSES[status],
    created_at: formatTime(campaign.createdAt),
    scheduled_at: formatTime(campaign.scheduledAt),
    sent_at: formatTime(campaign.endedAt),
  }
}

/** @param from as `Name <address>`; null without a sender */
export function broadcastToJson(campaign: Campaign, from: string | null): Static<typeof BroadcastAnswer> {
  const { subject, html, text, replyTo, previewText } = campaign
  return {
    ...broadcastSummaryToJson(campaign),
    from,
    subject,
    html,
    text,
    reply_to: replyTo === null ? null : [replyTo],
    preview_text: previewText,
    topic_id: null,
  }
}

export const BroadcastRecipientsQuery = Type.Object({
  ...PAGE_PARAMETERS,
  type: Type.Optional(Type.Enum([...RECIPIENT_TYPES], { description: 'Outcome. Default: sent.' })),
  email: Type.Optional(Type.String({ maxLength: 320, description: 'The address.' })),
  bounce_type: Type.Optional(
    Type.Enum(['permanent', 'transient', 'undetermined'], { description: 'Only with `bounced`.' }),
  ),
})

export const BroadcastRecipientAnswer = Type.Object(
  {
    id: Uuid,
    contact_id: IdOrNull('Null if deleted.'),
    email: Text('Its address.'),
    count: Type.Optional(Type.Integer({ description: 'Of opens or clicks.' })),
    clicked_links: Type.Optional(
      Type.Array(Type.Object({ url: Text('Its URL.'), clicks: Type.Integer({ description: 'By people.' }) })),
    ),
    bounce_type: Type.Optional(Type.Enum(['permanent', 'transient', 'undetermined'])),
  },
  { title: 'BroadcastRecipient' },
)

export function broadcastRecipientToJson(row: BroadcastRecipient): Static<typeof BroadcastRecipientAnswer> {
  return {
    id: row.contactId,
    contact_id: row.isDeleted ? null : row.contactId,
    email: row.email,
    ...(row.links !== null && { count: row.visitCount }),
    ...(row.links !== null && row.type === 'clicked' && { clicked_links: [...row.links] }),
    ...(row.bounceType !== null && { bounce_type: row.bounceType }),
  }
}

export const BroadcastLinkAnswer = Type.Object(
  {
    id: Uuid,
    url: Text('Its URL.'),
    clicks: Type.Integer({ description: 'By people.' }),
    unique_clicks: Type.Integer({ description: 'Recipients.' }),
  },
  { title: 'BroadcastLink' },
)

export function broadcastLinkToJson(link: ClickedLink): Static<typeof BroadcastLinkAnswer> {
  return { id: link.id, url: link.url, clicks: link.clicks, unique_clicks: link.uniqueClicks }
}
