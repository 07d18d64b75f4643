import { describeOwnData } from './own-data.ts'

/**
 * One story in all examples: Acme sends a receipt to Ann. Webhook tests send them, and the documentation shows them.
 */
const AT = '2026-01-15 09:30:00'
const HAPPENED_AT = new Date('2026-01-15T09:30:02Z')
const EMAIL_ID = '0198c0de-0000-7000-8000-0000000000e1'

const SUBJECTS: Readonly<Record<string, object>> = {
  email: {
    email_id: EMAIL_ID,
    message_id: `<${EMAIL_ID}@example.com>`,
    from: 'Acme <hello@example.com>',
    to: ['Ann <ann@customer.example>'],
    subject: 'Your receipt',
    created_at: AT,
    tags: { kind: 'receipt' },
    template_id: null,
  },
  contact: {
    id: '0198c0de-0000-7000-8000-0000000000c1',
    email: 'ann@customer.example',
    first_name: 'Ann',
    last_name: null,
    unsubscribed: false,
    created_at: AT,
    updated_at: AT,
  },
  domain: {
    id: '0198c0de-0000-7000-8000-0000000000d1',
    name: 'example.com',
    status: 'pending',
    reason: null,
    created_at: AT,
  },
  suppression: {
    id: '0198c0de-0000-7000-8000-000000000051',
    email: 'ann@customer.example',
    reason: 'manual',
    source_email_id: null,
  },
  campaign: {
    id: '0198c0de-0000-7000-8000-0000000000f1',
    name: 'Spring offer',
  },
  webhook: {
    id: '0198c0de-0000-7000-8000-0000000000e7',
    endpoint: 'https://shop.example.com/hooks/email',
    reason: 'The endpoint returned 410 (Gone).',
  },
  team: {
    id: '0198c0de-0000-7000-8000-0000000000a1',
    name: 'Acme',
    by: 'operator',
    reason: null,
  },
}

const LIST_ID = '0198c0de-0000-7000-8000-0000000000b1'
const ANN = { recipient: 'ann@customer.example' }
const ACCEPTED = {
  ...ANN,
  response: 'OK queued as 4F2A1',
  smtp_code: 250,
  enhanced_code: '2.0.0',
  mx_host: 'mx1.customer.example',
}
const REFUSED = {
  ...ACCEPTED,
  response: 'No such user',
  smtp_code: 550,
  enhanced_code: '5.1.1',
  category: 'no_such_address',
  advice: 'The address does not exist. Sendwright will not retry.',
}
const VISIT = {
  ...ANN,
  ip_address: '192.0.2.44',
  user_agent: 'Mozilla/5.0',
  is_machine: false,
  machine_reason: null,
}

/** An event's own fields, beside those of its subject. */
const EVENTS: Readonly<Record<string, object>> = {
  'email.scheduled': { scheduled_at: '2026-01-16 08:00:00' },
  'email.sent': { ...ACCEPTED, mx_host: 'relay.example.net' },
  'email.delivered': ACCEPTED,
  'email.delivery_delayed': {
    ...ACCEPTED,
    response: 'Mailbox full',
    smtp_code: 452,
    enhanced_code: '4.2.2',
    category: 'mailbox_full',
    advice: "The recipient's mailbox is full. Sendwright will retry.",
    next_attempt_at: '2026-01-15 09:35:00',
  },
  'email.bounced': REFUSED,
  'email.failed': {
    ...ANN,
    response: "Delivery was attempted until the email's lifetime was over.",
    category: 'unreachable',
    advice:
      'Sendwright retried until the lifetime of the email was over. The last attempt: Sendwright could not connect to the mail server.',
  },
  'email.rejected': {
    ...REFUSED,
    response: 'Message refused as spam',
    smtp_code: 554,
    enhanced_code: '5.7.1',
    category: 'spam',
    advice:
      'The server mx1.customer.example classified the content as spam. Its reply may name the rule. Sendwright will not retry.',
  },
  'email.suppressed': {
    ...ANN,
    response: 'The address is on the suppression list.',
    category: 'suppressed',
  },
  'email.complained': { ...ANN, feedback: 'abuse', source: 'notice' },
  'email.opened': VISIT,
  'email.clicked': { ...VISIT, link: 'https://shop.example.com/orders/4711' },
  'contact.updated': { last_name: 'Smith', changes: { last_name: { from: null, to: 'Smith' } } },
  'contact.event': { event: 'order.paid', payload: { order: 4711 }, occurred_at: AT },
  'contact.list_joined': { list_id: LIST_ID },
  'contact.list_left': { list_id: LIST_ID },
  'contact.unsubscribed': { unsubscribed: true, email_id: EMAIL_ID, source: 'one_click' },
  'campaign.paused': { reason: 'quota' },
  'campaign.sent': { recipients: { accepted: 4980, skipped: 18, failed: 2 } },
  'team.paused': {
    by: 'reputation',
    reason: '52 of 400 recipients of the last 24 hours do not exist (13 %); at most 10 % may.',
  },
  'domain.verified': { status: 'verified' },
  'domain.failed': { status: 'failed', reason: 'The DKIM record is missing.' },
}

/** Returns an example of an event's `data`. */
export function exampleOf(type: string): Readonly<Record<string, unknown>> {
  const own = describeOwnData(type, { ...EVENTS[type] }, HAPPENED_AT)
  return { ...SUBJECTS[type.slice(0, type.indexOf('.'))], ...own }
}
