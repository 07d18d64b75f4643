import Type, { type Static } from 'typebox'
import { PAGE_PARAMETERS } from '../http/route/page.ts'
import {
  IdOrNull,
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../http/route/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import {
  CAMPAIGN_COUNTERS,
  type CampaignCounter,
  noCampaignCounts,
} from '../metrics/campaigns/campaign-counts-queries.ts'
import { COUNTER_MEANINGS } from '../metrics/reading/metrics-schemas.ts'
import { onlyIncluded } from './audience/audience.ts'
import { AudienceGiven, AudienceShown, audienceToJson } from './audience/audience-schemas.ts'
import type { CampaignMetrics } from './campaign-metrics.ts'
import type { CountedCampaign } from './counted-campaign.ts'
import type { ListedCampaign } from './listed-campaigns.ts'
import type { CampaignProgress } from './rows/progress-queries.ts'
import { type SendWindow, waitsUntil } from './rows/send-window.ts'
import { estimateEnd, rateOf } from './sending/estimate-end.ts'

const EXAMPLE = {
  object: 'campaign',
  id: '0198c0de-0000-7000-8000-0000000000f1',
  name: 'Spring offer',
  status: 'scheduled',
  sender_id: '0197a1c2-7b44-7c3e-9a51-3f0c4d5e6f70',
  template_id: null,
  subject: 'Spring is here',
  preview_text: 'Everything at half the price',
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
  rate_per_hour: 5000,
  send_window: null,
  rate: null,
  estimated_end_at: null,
  waits_until: null,
  recipients: { waiting: 0, accepted: 0, skipped: 0, failed: 0 },
  totals: noCampaignCounts(),
  created_at: '2026-03-01 09:30:00',
  updated_at: '2026-03-01 09:30:00',
}

const Status = Type.Enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled'])

const clock = (description: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description, examples: ['09:00'] })
const RateOrNull = Type.Union([Type.Integer({ minimum: 1, maximum: 100_000_000 }), Type.Null()], {
  description: 'The most emails in an hour. Null for no limit.',
})
const SendWindowOrNull = Type.Union(
  [
    Type.Object(
      {
        from: clock('Opens at, as `HH:MM`.'),
        to: clock('Closes at.'),
        time_zone: Type.String({
          maxLength: 64,
          description: 'IANA time zone.',
        }),
        days: Type.Optional(
          Type.Union(
            [Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 }), Type.Null()],
            { description: 'Days on which it opens, from 1, Monday. Null for all.' },
          ),
        ),
        by_contact: Type.Optional(
          Type.Union([Type.Boolean(), Type.Null()], {
            description:
              'Contacts with a time zone have their own hours. Cannot be turned on after the start.',
          }),
        ),
      },
      { title: 'SendWindow' },
    ),
    Type.Null(),
  ],
  { description: 'Hours in which it is sent. Null for all. `to` before `from` is on the next day.' },
)

/** A model of its own, because the metrics have it too. */
const Recipients = Type.Object(
  {
    waiting: Type.Integer({ description: 'Not sent yet.' }),
    accepted: Type.Integer({ description: 'With an email.' }),
    skipped: Type.Integer({ description: 'Opted out.' }),
    failed: Type.Integer({ description: 'Lacking a value.' }),
  },
  { title: 'CampaignRecipients', description: 'Contacts.' },
)

const MEANINGS = { ...COUNTER_MEANINGS, unsubscribed: 'Recipients who unsubscribed.' }
const CampaignCountsAnswer = Type.Object(
  Object.fromEntries(
    CAMPAIGN_COUNTERS.map((counter) => [counter, Type.Integer({ description: MEANINGS[counter] })]),
  ) as Record<CampaignCounter, Type.TInteger>,
  { title: 'CampaignCounts' },
)

const SUMMARY = {
  object: Type.Literal('campaign'),
  id: Uuid,
  name: Type.String({ description: 'Its name.' }),
  status: Status,
  sender_id: IdOrNull('Sender.'),
  template_id: IdOrNull('Template. Null if deleted.'),
  subject: TextOrNull('Subject, if there is no template.'),
  preview_text: TextOrNull('Shown behind the subject.'),
  reply_to: TextOrNull('Null: that of the template or the sender.'),
  segment_id: IdOrNull('The one included segment. Null if deleted.'),
  list_id: IdOrNull('The one included list. Null if deleted.'),
  audience: AudienceShown,
  scheduled_at: TimestampOrNull,
  paused_reason: TextOrNull('Why it is paused.'),
  started_at: TimestampOrNull,
  ended_at: TimestampOrNull,
  rate_per_hour: RateOrNull,
  send_window: SendWindowOrNull,
  recipients: Recipients,
  totals: CampaignCountsAnswer,
  created_at: Timestamp,
  updated_at: Timestamp,
}
const {
  html: _html,
  text: _text,
  rate: _rate,
  estimated_end_at: _end,
  waits_until: _waits,
  ...EXAMPLE_SUMMARY
} = EXAMPLE
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
    rate: IntegerOrNull('Emails an hour, lately.'),
    estimated_end_at: TimestampOrNull,
    waits_until: TimestampOrNull,
  },
  { title: 'Campaign', 'x-extends': 'CampaignSummary', examples: [EXAMPLE] },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Its name.',
})
const optionalId = (description: string) => Type.Optional(IdOrNull(description))
const optionalTime = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()], { description }))
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
      description: 'Shown behind the subject: hidden at the start of the HTML. No line breaks.',
    }),
  ),
  reply_to: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
      description: 'Address. Default: that of the template or the sender.',
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
  scheduled_at: optionalTime(
    'ISO 8601, UTC unless it has an offset; at most 365 days ahead. Required for `scheduled`.',
  ),
  rate_per_hour: Type.Optional(RateOrNull),
  send_window: Type.Optional(SendWindowOrNull),
}

export const CampaignBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: EXAMPLE.name, subject: EXAMPLE.subject, html: EXAMPLE.html, status: 'draft' }] },
)
export const CampaignChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Spring offer, second try', status: 'draft' }] },
)
export const SendCampaignBody = Type.Object(
  { scheduled_at: optionalTime('As for a campaign. Default: now.') },
  { examples: [{ scheduled_at: '2026-03-20T08:00:00Z' }] },
)
export const CampaignRetry = Type.Object(
  {
    object: Type.Literal('campaign_retry'),
    campaign_id: Uuid,
    count: Type.Integer({ description: 'Recipients that wait again.' }),
  },
  {
    title: 'CampaignRetry',
    examples: [{ object: 'campaign_retry', campaign_id: EXAMPLE.id, count: 12 }],
  },
)
export const CampaignQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(
    Type.Enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled'], {
      description: 'By status.',
    }),
  ),
})

/** @param now as of when the rate and the end are estimated */
export function campaignToJson(campaign: CountedCampaign, now: Date): Static<typeof CampaignAnswer> {
  const { html, text, status, progress, totals, sendWindow } = campaign
  const underWay = status === 'sending' ? progress : null
  return {
    ...listedToJson({ ...campaign, recipients: recipientsToJson(progress), totals }),
    html,
    text,
    rate: underWay === null ? null : rateOf(underWay, now),
    estimated_end_at: underWay === null ? null : formatTime(estimateEnd(underWay, campaign, now)),
    waits_until:
      underWay === null
        ? null
        : formatTime(waitsUntil(sendWindow, now) ?? opensAtOf(underWay, sendWindow, now)),
  }
}

/** Returns when the hours of the next contacts begin, if that is not over. */
function opensAtOf({ opensAt }: CampaignProgress, window: SendWindow | null, now: Date): Date | null {
  return window?.byContact === true && opensAt !== null && opensAt > now ? opensAt : null
}

function recipientsToJson(progress: CountedCampaign['progress']): Static<typeof Recipients> {
  const { waiting = 0, accepted = 0, skipped = 0, failed = 0 } = progress ?? {}
  return { waiting, accepted, skipped, failed }
}

export const CampaignMetricsAnswer = Type.Object(
  {
    object: Type.Literal('campaign_metrics'),
    id: Uuid,
    recipients: Recipients,
    totals: CampaignCountsAnswer,
    providers: Type.Array(Type.Object({ provider: Text('Its name.'), counts: CampaignCountsAnswer }), {
      description: 'By mailbox provider.',
    }),
    hours: Type.Array(Type.Object({ at: Timestamp, counts: CampaignCountsAnswer }), {
      description: 'By hour of the event: the first 744 with any.',
    }),
  },
  {
    title: 'CampaignMetrics',
    examples: [
      {
        object: 'campaign_metrics',
        id: EXAMPLE.id,
        recipients: EXAMPLE.recipients,
        totals: noCampaignCounts(),
        providers: [{ provider: 'google', counts: noCampaignCounts() }],
        hours: [{ at: '2026-03-20 08:00:00', counts: noCampaignCounts() }],
      },
    ],
  },
)

export function campaignMetricsToJson(metrics: CampaignMetrics): Static<typeof CampaignMetricsAnswer> {
  const { id, progress, totals, providers, hours } = metrics
  return {
    object: 'campaign_metrics',
    id,
    recipients: recipientsToJson(progress),
    totals,
    providers: providers.map(({ provider, counts }) => ({ provider, counts })),
    hours: hours.map(({ since, counts }) => ({ at: formatTime(since), counts })),
  }
}

function sendWindowToJson(window: SendWindow): Static<typeof SendWindowOrNull> {
  const { from, to, timeZone, days, byContact = false } = window
  return { from, to, time_zone: timeZone, days: days === null ? null : [...days], by_contact: byContact }
}

export function listedToJson(campaign: ListedCampaign): Static<typeof CampaignSummaryAnswer> {
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
    rate_per_hour: campaign.ratePerHour,
    send_window: campaign.sendWindow === null ? null : sendWindowToJson(campaign.sendWindow),
    recipients: campaign.recipients,
    totals: campaign.totals,
    created_at: formatTime(campaign.createdAt),
    updated_at: formatTime(campaign.updatedAt),
  }
}
