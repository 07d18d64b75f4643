import Type, { type TObject } from 'typebox'
import { exampleOf } from './examples.ts'
import {
  CAMPAIGN_DATA,
  CONTACT_DATA,
  DOMAIN_DATA,
  EMAIL_DATA,
  SUPPRESSION_DATA,
  TEAM_DATA,
  WEBHOOK_DATA,
} from './subjects.ts'

/** The kind of resource that an event is about; the word before the dot of its name. */
export type Subject = 'email' | 'contact' | 'domain' | 'suppression' | 'campaign' | 'webhook' | 'team'

/** A model of `data`, by the name that it has in the OpenAPI document. */
type DataModel = TObject & { title: string }

export interface EventKind {
  type: string
  subject: Subject
  /** When it happens, for the documentation. */
  summary: string
  /** The `data` that subscribers get. */
  data: DataModel
  /** An example of `data`. */
  example: Readonly<Record<string, unknown>>
}

const Text = (description: string) => Type.String({ description })
const OptionalText = (description: string) => Type.Optional(Type.String({ description }))

const subjectData = (title: string, fields: TObject['properties']) =>
  Type.Object(fields, { title }) as DataModel

/** Returns a model of `data` with the fields of another and more. */
function extend(base: DataModel, title: string, fields: TObject['properties']) {
  return Type.Object({ ...base.properties, ...fields }, { title, 'x-extends': base.title }) as DataModel
}

const EMAIL = subjectData('EmailEventData', EMAIL_DATA)
const CONTACT = subjectData('ContactEventData', CONTACT_DATA)
const LIST_MEMBER = extend(CONTACT, 'ContactListEventData', { list_id: Text('Id of the list.') })
const ChangedValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const DOMAIN = subjectData('DomainEventData', DOMAIN_DATA)
const SUPPRESSION = subjectData('SuppressionEventData', SUPPRESSION_DATA)
const CAMPAIGN = subjectData('CampaignEventData', CAMPAIGN_DATA)
const WEBHOOK = subjectData('WebhookEventData', WEBHOOK_DATA)
const TEAM = subjectData('TeamEventData', TEAM_DATA)

const RECIPIENT = { recipient: Text('Address of the recipient.') }
/** What the server of the recipient replied. */
const REPLY = extend(EMAIL, 'EmailReplyEventData', {
  ...RECIPIENT,
  response: OptionalText('Text of the SMTP reply, or the reason why there was none.'),
  smtp_code: Type.Optional(Type.Integer({ description: 'SMTP reply code.' })),
  enhanced_code: OptionalText('Enhanced status code (RFC 3463).'),
  mx_host: OptionalText('Server that sent the reply.'),
  source: OptionalText('`notice` if a DSN reported the result. Absent if the SMTP reply did.'),
  notice_recipient: OptionalText('Address in the DSN, if it differs from the recipient (forwarding).'),
})
/** A reply, and why the email was not delivered. */
const REASON = extend(REPLY, 'EmailReasonEventData', {
  category: OptionalText('Reason as an identifier: `no_such_address`, `mailbox_full`, `policy`, ...'),
  advice: OptionalText('Explanation and recommended action, for people.'),
})
/** The same data in other services' format (events/own-data.ts). */
const IN_OTHER_WORDS = 'The same data in the format of other services.'
const BOUNCE = {
  bounce: Type.Object(
    {
      type: Text('`Permanent` or `Transient`.'),
      subType: Text('`General`, `MailboxFull` or `MessageTooLarge`.'),
      message: Text('SMTP reply.'),
    },
    { description: IN_OTHER_WORDS },
  ),
}
const FAILED = {
  failed: Type.Object(
    { reason: Text('Last reply, or the reason why there was none.') },
    { description: IN_OTHER_WORDS },
  ),
}
const SUPPRESSED = {
  suppressed: Type.Object(
    { type: Text('Always `OnAccountSuppressionList`.'), message: Text('Human-readable reason.') },
    { description: IN_OTHER_WORDS },
  ),
}
const CLICK = {
  click: Type.Object(
    {
      link: Text('URL of the link.'),
      ipAddress: Text('IP address of the visitor.'),
      userAgent: Text('User agent of the visitor. Empty if there was none.'),
      timestamp: Text('Time of the click.'),
    },
    { description: IN_OTHER_WORDS },
  ),
}
const VISIT = extend(EMAIL, 'EmailVisitEventData', {
  recipient: Type.Union([Type.String(), Type.Null()], {
    description: 'Null if the email had several recipients, because all got the same message.',
  }),
  ip_address: Text('IP address of the visitor.'),
  user_agent: Type.Union([Type.String(), Type.Null()], { description: 'User agent of the visitor.' }),
  is_machine: Type.Boolean({ description: 'True for a proxy or scanner, false for a person.' }),
  machine_reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the visit was classified as a machine. Null for people.',
  }),
})

function kind<const T extends string>(type: T, summary: string, data: DataModel) {
  const subject = type.slice(0, type.indexOf('.')) as Subject
  return { type, subject, summary, data, example: exampleOf(type) }
}

/** All event types. To add one: a row here, and a test that produces it through a real path. */
export const EVENT_KINDS = [
  kind(
    'email.queued',
    'An email was accepted for immediate delivery, or its scheduled time has come.',
    EMAIL,
  ),
  kind(
    'email.scheduled',
    'An email was scheduled or rescheduled.',
    extend(EMAIL, 'EmailScheduledEventData', {
      scheduled_at: OptionalText('Time at which the email will be sent.'),
    }),
  ),
  kind('email.sent', 'A relay accepted the email. Later DSNs report the final result.', REPLY),
  kind('email.delivered', "The recipient's mail server accepted the email.", REPLY),
  kind(
    'email.delivery_delayed',
    'A delivery attempt was deferred. Sendwright retries.',
    extend(REASON, 'EmailDeliveryDelayedEventData', {
      next_attempt_at: OptionalText('Time of the next attempt. Absent if another server retries.'),
    }),
  ),
  kind(
    'email.bounced',
    'The email was permanently rejected.',
    extend(REASON, 'EmailBouncedEventData', BOUNCE),
  ),
  kind(
    'email.failed',
    "The email's lifetime is over, or a fault of Sendwright prevents its delivery.",
    extend(REASON, 'EmailFailedEventData', FAILED),
  ),
  kind('email.rejected', 'The email was permanently rejected because of its content.', REASON),
  kind(
    'email.suppressed',
    'The recipient is suppressed, and nothing was sent.',
    extend(REASON, 'EmailSuppressedEventData', SUPPRESSED),
  ),
  kind(
    'email.canceled',
    'A scheduled email was canceled, or its recipient was erased.',
    extend(EMAIL, 'EmailCanceledEventData', {
      recipient: OptionalText('Canceled recipient. Absent if the email was canceled for all recipients.'),
    }),
  ),
  kind(
    'email.complained',
    'The recipient reported the email as spam.',
    extend(EMAIL, 'EmailComplainedEventData', {
      ...RECIPIENT,
      feedback: OptionalText('Type of complaint (RFC 5965): `abuse`, `fraud`, ...'),
      source: OptionalText('`notice`: reported by a feedback loop.'),
    }),
  ),
  kind('email.opened', 'The open pixel of the email was fetched.', VISIT),
  kind(
    'email.clicked',
    'A link of the email was followed.',
    extend(VISIT, 'EmailClickedEventData', { link: Text('URL of the link.'), ...CLICK }),
  ),
  kind('email.received', 'Reserved for received email. Not emitted yet.', EMAIL),
  kind('contact.created', 'A contact was created.', CONTACT),
  kind(
    'contact.updated',
    'A contact was updated.',
    extend(CONTACT, 'ContactUpdatedEventData', {
      changes: Type.Optional(
        Type.Record(Type.String(), Type.Object({ from: ChangedValue, to: ChangedValue }), {
          description: 'Changed fields by name; those of properties as `properties.<key>`.',
        }),
      ),
    }),
  ),
  kind('contact.deleted', 'A contact was deleted.', CONTACT),
  kind('contact.list_joined', 'A contact was added to a list.', LIST_MEMBER),
  kind('contact.list_left', 'A contact was removed from a list.', LIST_MEMBER),
  kind(
    'contact.event',
    'The application reported an event of a contact with `POST /events/send`.',
    extend(CONTACT, 'ContactReportedEventData', {
      event: Text('Name of the event.'),
      payload: Type.Record(Type.String(), Type.Unknown(), { description: 'As it was reported.' }),
      occurred_at: Text('Time of the event.'),
    }),
  ),
  kind(
    'contact.unsubscribed',
    'A contact unsubscribed.',
    subjectData('ContactUnsubscribedEventData', {
      ...CONTACT_DATA,
      id: Type.Union([Type.String(), Type.Null()], { description: 'Null if the address is not a contact.' }),
      list_id: OptionalText('List that the contact unsubscribed from.'),
      topic: OptionalText('Topic that the contact unsubscribed from.'),
      email_id: OptionalText('Email through which the contact unsubscribed.'),
      source: OptionalText('`mail`, `link`, `one_click` or `api`.'),
    }),
  ),
  kind('domain.created', 'A domain was added.', DOMAIN),
  kind('domain.verified', 'A domain was verified and can send.', DOMAIN),
  kind('domain.failed', "A domain's records were missing for too long, and it can no longer send.", DOMAIN),
  kind('domain.deleted', 'A domain was deleted.', DOMAIN),
  kind('suppression.added', 'An address was suppressed.', SUPPRESSION),
  kind('suppression.removed', 'A suppression was removed.', SUPPRESSION),
  kind('campaign.started', 'A campaign began.', CAMPAIGN),
  kind(
    'campaign.paused',
    'A campaign was paused, by a person or by Sendwright.',
    extend(CAMPAIGN, 'CampaignPausedEventData', {
      reason: Text('`paused_reason` of the campaign: `user`, `quota`, `reputation`, `domain`, ...'),
    }),
  ),
  kind('campaign.resumed', 'A campaign was resumed, or its failed recipients are retried.', CAMPAIGN),
  kind(
    'campaign.sent',
    'The emails of a campaign have left the queue.',
    extend(CAMPAIGN, 'CampaignSentEventData', {
      recipients: Type.Object(
        { accepted: Type.Integer(), skipped: Type.Integer(), failed: Type.Integer() },
        { description: 'Number of its recipients by state.' },
      ),
    }),
  ),
  kind('campaign.canceled', 'A campaign was canceled.', CAMPAIGN),
  kind(
    'webhook.disabled',
    'A webhook was disabled because its endpoint failed for days or returned 410 (Gone).',
    WEBHOOK,
  ),
  kind('team.paused', 'Sending was paused for the team. New emails are rejected.', TEAM),
  kind('team.resumed', 'Sending was resumed for the team.', TEAM),
] as const satisfies readonly EventKind[]

export type EventType = (typeof EVENT_KINDS)[number]['type']

export const EVENT_TYPES: readonly EventType[] = EVENT_KINDS.map(({ type }) => type)

/** A reserved event: Sendwright does not emit it until it receives email. */
const RESERVED_TYPE = 'email.received'

/** Events that webhooks can subscribe to. */
export type SentEventType = Exclude<EventType, typeof RESERVED_TYPE>

export const SENT_EVENT_TYPES = EVENT_TYPES.filter((type): type is SentEventType => type !== RESERVED_TYPE)

export function isSentEventType(text: string): text is SentEventType {
  return (SENT_EVENT_TYPES as readonly string[]).includes(text)
}

export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text)
}
