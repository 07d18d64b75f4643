import Type, { type TObject } from 'typebox'
import { exampleOf } from './examples.ts'
import {
  CONTACT_DATA,
  DOMAIN_DATA,
  EMAIL_DATA,
  SUPPRESSION_DATA,
  TEAM_DATA,
  WEBHOOK_DATA,
} from './subjects.ts'

/** What kind of thing an event is about; the word before the dot of its name. */
export type Subject = 'email' | 'contact' | 'domain' | 'suppression' | 'webhook' | 'team'

export interface EventKind {
  type: string
  subject: Subject
  /** When it happens, for the documentation. */
  summary: string
  /** The `data` that subscribers get. */
  data: TObject
  /** A `data` as it might be. */
  example: Readonly<Record<string, unknown>>
}

const Text = (description: string) => Type.String({ description })
const OptionalText = (description: string) => Type.Optional(Type.String({ description }))

const RECIPIENT = { recipient: Text('The address of the recipient that it is about.') }
const REPLY = {
  response: OptionalText('The text of the reply, or what kept it from coming.'),
  smtp_code: Type.Optional(Type.Integer({ description: 'The code of the reply.' })),
  enhanced_code: OptionalText('The enhanced status code of the reply (RFC 3463).'),
  mx_host: OptionalText('The server that gave it.'),
  source: OptionalText('`notice` when it was told by a message that came back; absent: by the reply itself.'),
  notice_recipient: OptionalText('The address that the notice names, where it is another one (forwarding).'),
}
const REASON = {
  category: OptionalText('Why, in one word: `no_such_address`, `mailbox_full`, `policy`, ...'),
  advice: OptionalText('What it means and what helps, in words for people.'),
}
/** The same again in the words of other services (events/own-data.ts). */
const IN_OTHER_WORDS = 'The same in the words of other services.'
const BOUNCE = {
  bounce: Type.Object(
    {
      type: Text('`Permanent` or `Transient`.'),
      subType: Text('`General`, `MailboxFull` or `MessageTooLarge`.'),
      message: Text('The reply.'),
    },
    { description: IN_OTHER_WORDS },
  ),
}
const FAILED = {
  failed: Type.Object(
    { reason: Text('The last reply, or why there was none.') },
    { description: IN_OTHER_WORDS },
  ),
}
const SUPPRESSED = {
  suppressed: Type.Object(
    { type: Text('Always `OnAccountSuppressionList`.'), message: Text('Why, in words.') },
    { description: IN_OTHER_WORDS },
  ),
}
const CLICK = {
  click: Type.Object(
    {
      link: Text('Where it leads.'),
      ipAddress: Text('Where the request came from.'),
      userAgent: Text('What it called itself; empty: it did not say.'),
      timestamp: Text('When it was followed.'),
    },
    { description: IN_OTHER_WORDS },
  ),
}
const VISIT = {
  recipient: Type.Union([Type.String(), Type.Null()], {
    description: 'Null when the email had several, who all got the same message.',
  }),
  ip_address: Text('Where the request came from.'),
  user_agent: Type.Union([Type.String(), Type.Null()], { description: 'What it called itself.' }),
  is_machine: Type.Boolean({ description: 'True: a proxy or scanner, not a person.' }),
  machine_reason: Type.Union([Type.String(), Type.Null()], {
    description: 'How that was told; null for people.',
  }),
}

function kind<const T extends string>(type: T, summary: string, data: TObject['properties']) {
  const subject = type.slice(0, type.indexOf('.')) as Subject
  const properties = { ...SUBJECT_DATA[subject], ...data }
  return { type, subject, summary, data: Type.Object(properties), example: exampleOf(type) }
}

const SUBJECT_DATA = {
  email: EMAIL_DATA,
  contact: CONTACT_DATA,
  domain: DOMAIN_DATA,
  suppression: SUPPRESSION_DATA,
  webhook: WEBHOOK_DATA,
  team: TEAM_DATA,
} as const

/** Every event there is. To add one: a row here, and a test that produces it through a real path. */
export const EVENT_KINDS = [
  kind('email.queued', 'An email was accepted to be sent now, or its scheduled time has come.', {}),
  kind('email.scheduled', 'An email was accepted to be sent later, or was given another time.', {
    scheduled_at: Type.Optional(Type.String({ description: 'When it will be sent.' })),
  }),
  kind('email.sent', 'A relay took the email; what becomes of it there is told by notices.', {
    ...RECIPIENT,
    ...REPLY,
  }),
  kind('email.delivered', "The recipient's mail server took the email.", { ...RECIPIENT, ...REPLY }),
  kind('email.delivery_delayed', 'The email could not be delivered yet; it is tried again.', {
    ...RECIPIENT,
    ...REPLY,
    ...REASON,
    next_attempt_at: OptionalText('When it is tried again; absent: another server tries.'),
  }),
  kind('email.bounced', 'The email was refused for good.', { ...RECIPIENT, ...REPLY, ...REASON, ...BOUNCE }),
  kind('email.failed', "The email's lifetime is over, or it cannot be sent for a fault of this service.", {
    ...RECIPIENT,
    ...REPLY,
    ...REASON,
    ...FAILED,
  }),
  kind('email.rejected', 'The email was refused for its content.', { ...RECIPIENT, ...REPLY, ...REASON }),
  kind('email.suppressed', 'The recipient is on the suppression list; nothing was sent to it.', {
    ...RECIPIENT,
    ...REPLY,
    ...REASON,
    ...SUPPRESSED,
  }),
  kind('email.canceled', 'A scheduled email was canceled, or its recipient was erased.', {
    recipient: OptionalText('Whom it was canceled for; absent: for all.'),
  }),
  kind('email.complained', 'The recipient reported the email as spam.', {
    ...RECIPIENT,
    feedback: OptionalText('The kind of complaint (RFC 5965): `abuse`, `fraud`, ...'),
    source: OptionalText('`notice`: told by a feedback loop.'),
  }),
  kind('email.opened', 'The open pixel of the email was fetched.', VISIT),
  kind('email.clicked', 'A link of the email was followed.', {
    ...VISIT,
    link: Text('Where it leads.'),
    ...CLICK,
  }),
  kind('email.received', 'Reserved for received email; never told yet.', {}),
  kind('contact.created', 'A contact was added.', {}),
  kind('contact.updated', 'A contact was changed.', {}),
  kind('contact.deleted', 'A contact was deleted.', {}),
  kind('contact.unsubscribed', 'A contact wants no more campaigns.', {
    id: Type.Union([Type.String(), Type.Null()], { description: 'Null: the address is no contact.' }),
    list_id: OptionalText('The list that it left.'),
    topic: OptionalText('The topic that it wants no more of.'),
    email_id: OptionalText('The email that it unsubscribed from.'),
    source: OptionalText('`mail`, `link`, `one_click` or `api`.'),
  }),
  kind('domain.created', 'A domain was added.', {}),
  kind('domain.verified', "A domain's records were found; it may send.", {}),
  kind('domain.failed', "A domain's records are missing for too long; it may not send.", {}),
  kind('domain.deleted', 'A domain was deleted.', {}),
  kind('suppression.added', 'An address gets no more email.', {}),
  kind('suppression.removed', 'An address gets email again.', {}),
  kind(
    'webhook.disabled',
    'A webhook was switched off, because its endpoint failed for days or said it is gone.',
    {},
  ),
  kind('team.paused', "The account's sending was paused: new emails are refused.", {}),
  kind('team.resumed', "The account's sending goes on.", {}),
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
