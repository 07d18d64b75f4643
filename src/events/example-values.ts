const DOMAIN_ID = '0198c0de-0000-7000-8000-0000000000d1'
const EMAIL_ID = '0198c0de-0000-7000-8000-0000000000e1'
const AT = '2026-01-15 09:30:00'
const LATER = '2026-01-15 09:30:02'
const HALF_A_YEAR_MS = 182 * 24 * 3_600_000

/** A time valid in requests: in the future, and within the 365 days for which an email can be scheduled. */
export const FUTURE_TIME = `${new Date(Date.now() + HALF_A_YEAR_MS).toISOString().slice(0, 10)}T08:00:00+01:00`

const EMAIL_SUMMARY = {
  object: 'email',
  id: EMAIL_ID,
  message_id: `<${EMAIL_ID}@example.com>`,
  from: 'Acme <hello@example.com>',
  to: ['Ann <ann@customer.example>'],
  cc: [],
  bcc: [],
  reply_to: [],
  subject: 'Your receipt',
  tags: [{ name: 'kind', value: 'receipt' }],
  status: 'delivered',
  class: 'transactional',
  last_event: 'delivered',
  domain: { id: DOMAIN_ID, name: 'example.com' },
  template: null,
  scheduled_at: null,
  sent_at: LATER,
  created_at: AT,
}

const EMAIL = {
  ...EMAIL_SUMMARY,
  html: '<p>Thank you, Ann.</p>',
  text: 'Thank you, Ann.',
  headers: {},
  attachments: [{ filename: 'receipt.pdf', content_type: 'application/pdf', content_id: null, size: 52_113 }],
  content_expired: false,
  recipients: [
    {
      email: 'ann@customer.example',
      type: 'to',
      status: 'delivered',
      smtp_code: 250,
      enhanced_code: '2.0.0',
      response: 'OK queued as 4F2A1',
      category: 'accepted',
      advice: 'The server mx1.customer.example accepted the message.',
      mx_host: 'mx1.customer.example',
      attempts: 1,
      next_attempt_at: null,
      updated_at: LATER,
    },
  ],
  events: [
    {
      object: 'event',
      id: '0198c0de-0000-7000-8000-0000000000f1',
      type: 'email.queued',
      created_at: AT,
      data: {},
    },
    {
      object: 'event',
      id: '0198c0de-0000-7000-8000-0000000000f2',
      type: 'email.delivered',
      created_at: LATER,
      data: { recipient: 'ann@customer.example' },
    },
  ],
}

const ATTEMPT = {
  recipient: 'ann@customer.example',
  attempt: 1,
  started_at: AT,
  duration_ms: 212,
  outcome: 'delivered',
  category: 'accepted',
  advice: 'The server mx1.customer.example accepted the message.',
  smtp_code: 250,
  enhanced_code: '2.0.0',
  response: 'OK queued as 4F2A1',
  mx_host: 'mx1.customer.example',
  mx_address: '192.0.2.25',
  source_address: '192.0.2.10',
  tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384 verified',
  conversation: [
    { at_ms: 0, who: 'note', text: 'connecting to mx1.customer.example [192.0.2.25]:25' },
    { at_ms: 31, who: 'server', text: '220 mx1.customer.example ESMTP' },
    { at_ms: 31, who: 'client', text: 'EHLO mail.example.com' },
    { at_ms: 212, who: 'server', text: '250 2.0.0 OK queued as 4F2A1' },
  ],
}

const DOMAIN_SUMMARY = {
  object: 'domain',
  id: DOMAIN_ID,
  name: 'example.com',
  status: 'verified',
  status_reason: null,
  captured: false,
  open_tracking: false,
  click_tracking: false,
  tls: 'opportunistic',
  dkim_ed25519: false,
  capabilities: { sending: 'enabled', receiving: 'disabled' },
  verified_at: AT,
  checked_at: AT,
  created_at: AT,
  updated_at: AT,
}

const DOMAIN = {
  ...DOMAIN_SUMMARY,
  records: [
    {
      record: 'DKIM',
      type: 'TXT',
      name: 'sw1._domainkey.example.com',
      value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOC...',
      ttl: 'Auto',
      status: 'verified',
      required: true,
      found: ['v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOC...'],
      advice: null,
      checked_at: AT,
    },
  ],
}

const API_KEY = {
  object: 'api_key',
  id: '0198c0de-0000-7000-8000-0000000000a1',
  name: 'Shop backend',
  permission: 'send',
  domain_id: null,
  status: 'active',
  prefix: 'sw_4Kd9w',
  expires_at: null,
  last_used_at: LATER,
  created_at: AT,
}

const CAPTURED_SUMMARY = {
  object: 'captured',
  id: '0198c0de-0000-7000-8000-0000000000c1',
  email_id: EMAIL_ID,
  envelope_from: 'b-2k4f6h@mail.example.com',
  envelope_to: 'ann@customer.example',
  from: [{ name: 'Acme', address: 'hello@example.com' }],
  to: [{ name: 'Ann', address: 'ann@customer.example' }],
  subject: 'Your receipt',
  received_at: LATER,
}

const CAPTURED = {
  ...CAPTURED_SUMMARY,
  cc: [],
  reply_to: [],
  html: '<p>Thank you, Ann.</p>',
  text: 'Thank you, Ann.',
  headers: [{ name: 'Subject', value: 'Your receipt' }],
  attachments: [],
  raw: 'From: Acme <hello@example.com>\r\nSubject: Your receipt\r\n...',
}

const USAGE = {
  object: 'usage',
  plan: '10k',
  sending_paused: false,
  sending_paused_at: null,
  sending_paused_by: null,
  sending_paused_reason: null,
  requests_per_minute: 120,
  rate_limit: { limit: 120, used: 18, remaining: 102, resets_at: '2026-01-15 09:31:00' },
  emails_this_month: 4_711,
  month: { used: 4_802, limit: 10_000, remaining: 5_198, resets_at: '2026-02-01 00:00:00' },
  day: { used: 312, limit: null, remaining: null, resets_at: '2026-01-16 00:00:00' },
  months: [
    { month: '2026-01', recipients: 4_802, emails: 4_711 },
    { month: '2025-12', recipients: 9_120, emails: 9_007 },
  ],
}

const EVENT = {
  object: 'event',
  id: '0198c0de-0000-7000-8000-0000000000f2',
  type: 'email.delivered',
  created_at: LATER,
  data: {
    email_id: EMAIL_ID,
    recipient: 'ann@customer.example',
    response: 'OK queued as 4F2A1',
    smtp_code: 250,
  },
}

/** Examples for the API reference. They share one story: Acme sends a receipt to Ann. */
export const EXAMPLES = {
  emailSummary: EMAIL_SUMMARY,
  email: EMAIL,
  emailRef: { object: 'email', id: EMAIL_ID },
  accepted: { id: EMAIL_ID },
  attempt: ATTEMPT,
  domainSummary: DOMAIN_SUMMARY,
  domain: DOMAIN,
  apiKey: API_KEY,
  newApiKey: { ...API_KEY, last_used_at: null, token: 'sw_4Kd9wQ2mZ7xT1cV5bN8rL3pJ6hG0fDsAyEuI2oKw' },
  capturedSummary: CAPTURED_SUMMARY,
  captured: CAPTURED,
  usage: USAGE,
  eventPage: { object: 'list', data: [EVENT], has_more: false, next_cursor: 'MS40Mg' },
  eventStream: `retry: 2000\nid: MS40MQ\n\nid: MS40Mg\nevent: ${EVENT.type}\ndata: ${JSON.stringify(EVENT)}\n\n`,
} as const
