import { describe, expect, test } from 'vitest'
import { type AdviceInput, adviseAttempt, adviseRecipient, adviseVerdict, explainCategory } from './advise.ts'
import { CATEGORIES } from './verdict-categories.ts'

const recipient = (fields: Partial<AdviceInput>): AdviceInput => ({
  status: 'delivery_delayed',
  category: null,
  domain: 'customer.test',
  mxHost: null,
  attempts: 1,
  nextAt: null,
  ...fields,
})
const AT = new Date('2026-01-31T12:10:00Z')
const GMAIL = { domain: 'gmail.com', mxHost: 'gmail-smtp-in.l.google.com' }

describe('advice on a recipient', () => {
  test.each<[expected: string | null, fields: Partial<AdviceInput>]>([
    [
      'Gmail asked for a lower sending rate. The next attempt is at 2026-01-31 12:10:00 UTC.',
      { ...GMAIL, category: 'rate_limited', nextAt: AT },
    ],
    [
      'Google asked for a lower sending rate. The next attempt is at 2026-01-31 12:10:00 UTC.',
      { ...GMAIL, domain: 'customer.test', category: 'rate_limited', nextAt: AT },
    ],
    [
      'The server mx.customer.test defers email from unknown senders for a short time (greylisting).',
      { category: 'greylisted', mxHost: 'mx.customer.test' },
    ],
    [
      'The address does not exist. Sendwright will not retry. Remove the address from your lists.',
      { ...GMAIL, status: 'bounced', category: 'no_such_address' },
    ],
    [
      'The message exceeds the size limit of the recipient or of Gmail. Sendwright will not retry.',
      { ...GMAIL, status: 'bounced', category: 'too_large' },
    ],
    [
      "The server that DNS names for the recipient's domain does not accept email for it. Sendwright will not retry.",
      { ...GMAIL, status: 'bounced', category: 'relay_denied' },
    ],
    [
      'Sendwright could not connect to the mail server. Sendwright retried until the lifetime of the email was over.',
      { status: 'failed', category: 'unreachable' },
    ],
    ['Gmail accepted the message.', { ...GMAIL, status: 'delivered', category: 'accepted' }],
    [null, { status: 'queued', attempts: 0, nextAt: AT }],
    ['The email will be sent at 2026-01-31 12:10:00 UTC.', { status: 'scheduled', attempts: 0, nextAt: AT }],
    ['The email was canceled before it was sent.', { status: 'canceled' }],
    [
      'The email could not be delivered. Sendwright will not retry.',
      { status: 'failed', category: 'unheard_of' },
    ],
    [
      'The email could not be delivered. Sendwright will not retry.',
      { status: 'failed', category: 'constructor' },
    ],
  ])('%s', (expected, fields) => {
    expect(adviseRecipient(recipient(fields))).toBe(expected)
  })

  test.each(Object.keys(CATEGORIES))('whole sentences for %s, for every source and status', (category) => {
    for (const status of ['delivery_delayed', 'bounced', 'failed', 'rejected']) {
      for (const given of [{}, GMAIL, { mxHost: 'mx.customer.test' }]) {
        const text = adviseRecipient(recipient({ ...given, status, category, nextAt: AT }))
        expect(text).toMatch(/^[A-Z][^{}]*\.$/)
      }
    }
    expect(adviseAttempt({ ...recipient({ category }), outcome: 'deferred' })).toMatch(
      /^[A-Z][^{}]* This is a temporary failure\.$/,
    )
  })

  test.each(['suppressed', 'shaped', 'internal', 'restored', 'no_signing_key', 'try_later', 'operator'])(
    'a distinct sentence for our own reason %s',
    (category) => {
      expect(adviseRecipient(recipient({ category, nextAt: AT }))).toMatch(/^[A-Z].* UTC\.$/)
    },
  )
})

test('advice on an attempt says whether the failure is permanent', () => {
  const given = { category: 'mailbox_full', ...GMAIL }
  expect(adviseAttempt({ ...given, outcome: 'deferred' })).toBe(
    "The recipient's mailbox is full. This is a temporary failure.",
  )
  expect(adviseAttempt({ ...given, outcome: 'bounced' })).toBe(
    "The recipient's mailbox is full. This is a permanent failure.",
  )
  expect(adviseAttempt({ ...given, category: 'accepted', outcome: 'delivered' })).toBe(
    'Gmail accepted the message.',
  )
})

describe('advice on a verdict', () => {
  test.each([
    [
      '{Server} by name',
      'rate_limited',
      GMAIL,
      'Gmail asked for a lower sending rate. Sendwright will retry.',
    ],
    [
      'no server',
      'rate_limited',
      null,
      "The recipient's server asked for a lower sending rate. Sendwright will retry.",
    ],
    [
      'a host name with a replacement pattern',
      'rate_limited',
      { domain: 'x.test', mxHost: '$&.test' },
      'The server $&.test asked for a lower sending rate. Sendwright will retry.',
    ],
    ['an unknown category', 'unheard_of', null, 'The email could not be delivered. Sendwright will retry.'],
  ])('says what comes next, for %s', (_, category, server, expected) => {
    expect(adviseVerdict({ category, state: 'deferred' }, server)).toBe(expected)
  })

  test('says that a relay is next, and nothing after a success', () => {
    expect(adviseVerdict({ category: 'mailbox_full', state: 'deferred', next: 'relay' })).toBe(
      "The recipient's mailbox is full. Sendwright will retry through a relay.",
    )
    expect(adviseVerdict({ category: 'mailbox_full', state: 'rejected' })).toBe(
      "The recipient's mailbox is full. Sendwright will not retry.",
    )
    expect(adviseVerdict({ category: 'accepted', state: 'delivered' })).toBe(explainCategory('accepted'))
  })
})
