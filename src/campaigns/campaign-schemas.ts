import Type, { type Static } from 'typebox'
import { PAGE_PARAMETERS } from '../http/page.ts'
import { IdOrNull, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { onlyIncluded } from './audience/audience.ts'
import { AudienceGiven, AudienceShown, audienceToJson } from './audience/audience-schemas.ts'
import type { CampaignSummary } from './campaigns-queries.ts'
import type { CountedCampaign } from './counted-campaign.ts'

const EXAMPLE = {
  object: 'campaign',
  id: '0198c0de-0000-7000-8000-0000000000f1',
  name: 'Spring offer',
  status: 'scheduled',
  sender_id: '0197a1c2-7b44-7c3e-9a51-3f0c4d5e6f70',
  template_id: null,
  subject: 'Spring is here',
  preview_text: 'Half the price, until Sunday.',
  reply_to: null,
  html: '<p>Everything at half the price.</p>',
  text: null,
  segment_id: '0198c0de-0000-7000-8000-0000000000e1',
  list_id: null,
  audience: { include: [{ segment_id: '0198c0de-0000-7000-8000-0000000000e1' }], exclude: [] },
  scheduled_at: '2026-03-20 08:00:00',
  paused_reason: null,
  started_at: null,
  ended_at: null,
  recipients: { waiting: 0, accepted: 0, skipped: 0, failed: 0 },
  created_at: '2026-03-01 09:30:00',
  updated_at: '2026-03-01 09:30:00',
}

const Status = Type.Enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled'])

const SUMMARY = {
  object: Type.Literal('campaign'),
  id: Uuid,
  name: Type.String({ description: 'Its name.' }),
  status: Status,
  sender_id: IdOrNull('Sender.'),
  template_id: IdOrNull('Template. Null if deleted.'),
  subject: TextOrNull('Subject, if there is no template.'),
  preview_text: TextOrNull('Preview text.'),
  reply_to: TextOrNull('Reply address.'),
  segment_id: IdOrNull('The one included segment. Null if deleted.'),
  list_id: IdOrNull('The one included list. Null if deleted.'),
  audience: AudienceShown,
  scheduled_at: TimestampOrNull,
  paused_reason: TextOrNull('Why it is paused.'),
  started_at: TimestampOrNull,
  ended_at: TimestampOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
}
const { html: _html, text: _text, recipients: _recipients, ...EXAMPLE_SUMMARY } = EXAMPLE
/** A campaign in lists, without content: a hundred contents of a megabyte each would be too large for a page. */
export const CampaignSummaryAnswer = Type.Object(SUMMARY, {
  title: 'CampaignSummary',
  examples: [EXAMPLE_SUMMARY],
})
export const CampaignAnswer = Type.Object(
  {
    ...SUMMARY,
    html: TextOrNull('HTML, if there is no template.'),
    text: TextOrNull('Text, if there is no template.'),
    recipients: Type.Object(
      {
        waiting: Type.Integer({ description: 'Not sent yet.' }),
        accepted: Type.Integer({ description: 'With an email.' }),
        skipped: Type.Integer({ description: 'Opted out.' }),
        failed: Type.Integer({ description: 'Lacking a value.' }),
      },
      { description: 'Contacts.' },
    ),
  },
  { title: 'Campaign', examples: [EXAMPLE] },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Its name.',
})
const optionalId = (description: string) => Type.Optional(IdOrNull(description))
const REST = {
  sender_id: optionalId('Sender. Required to send.'),
  template_id: optionalId('Published template. Not with `subject`, `html`, or `text`.'),
  subject: Type.Optional(
    Type.Union([Type.String({ maxLength: 998 }), Type.Null()], {
      description: 'No line breaks. Required without a template.',
    }),
  ),
  preview_text: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
      description: 'Shown after the subject in an inbox. No line breaks.',
    }),
  ),
  reply_to: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
      description: 'One address. Default: that of the template or sender.',
    }),
  ),
  html: Type.Optional(TextOrNull('Required without a template and `text`.')),
  text: Type.Optional(TextOrNull('Required without a template and `html`.')),
  segment_id: optionalId('Segment. Not with `list_id`; one of the two, or `audience`, is required.'),
  list_id: optionalId('Id of the list. Not with `segment_id`.'),
  audience: Type.Optional(AudienceGiven),
  status: Type.Optional(
    Type.Enum(['draft', 'scheduled', 'sending', 'paused', 'canceled'], {
      description: '`sending` begins or resumes it.',
    }),
  ),
  scheduled_at: Type.Optional(
    Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: 'ISO 8601, UTC unless it has an offset; at most 365 days ahead. Required for `scheduled`.',
    }),
  ),
}

export const CampaignBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: EXAMPLE.name, subject: EXAMPLE.subject, html: EXAMPLE.html, status: 'draft' }] },
)
export const CampaignChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Spring offer, second try', status: 'draft' }] },
)
export const CampaignQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(
    Type.Enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled'], {
      description: 'By status.',
    }),
  ),
})

export function campaignToJson(campaign: CountedCampaign): Static<typeof CampaignAnswer> {
  const { html, text, recipients } = campaign
  return { ...summaryToJson(campaign), html, text, recipients }
}

export function summaryToJson(campaign: CampaignSummary): Static<typeof CampaignSummaryAnswer> {
  return {
    object: 'campaign',
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    sender_id: campaign.senderId,
    template_id: campaign.templateId,
    subject: campaign.subject,
    preview_text: campaign.previewText,
    reply_to: campaign.replyTo,
    segment_id: onlyIncluded(campaign.audience, 'segment'),
    list_id: onlyIncluded(campaign.audience, 'list'),
    audience: audienceToJson(campaign.audience),
    scheduled_at: formatTime(campaign.scheduledAt),
    paused_reason: campaign.pausedReason,
    started_at: formatTime(campaign.startedAt),
    ended_at: formatTime(campaign.endedAt),
    created_at: formatTime(campaign.createdAt),
    updated_at: formatTime(campaign.updatedAt),
  }
}
