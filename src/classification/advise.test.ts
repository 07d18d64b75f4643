import { describe, expect, test } from 'vitest'
import { type AdviceInput, adviseAttempt, adviseRecipient } from './advise.ts'
import { CATEGORIES } from './verdict-categories.ts'

const told = (fields: Partial<AdviceInput>): AdviceInput => ({
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
      'Gmail asks to send less. The next try is at 2026-01-31 12:10:00 UTC.',
      { ...GMAIL, category: 'rate_limited', nextAt: AT },
    ],
    [
      'Google asks to send less. The next try is at 2026-01-31 12:10:00 UTC.',
      { ...GMAIL, domain: 'customer.test', category: 'rate_limited', nextAt: AT },
    ],
    [
      'The server mx.customer.test asks unknown senders to come back later (greylisting).',
      { category: 'greylisted', mxHost: 'mx.customer.test' },
    ],
    [
      'This address does not exist at its server. It will not be tried again: take the address off your lists.',
      { ...GMAIL, status: 'bounced', category: 'no_such_address' },
    ],
    [
      'The server named by DNS says that it is not responsible for this domain. It will not be tried again.',
      { ...GMAIL, status: 'bounced', category: 'relay_denied' },
    ],
    [
      'No connection to the mail server could be made. It was tried for as long as emails are kept trying, and given up.',
      { status: 'failed', category: 'unreachable' },
    ],
    ['Gmail took the message.', { ...GMAIL, status: 'delivered', category: 'accepted' }],
    [null, { status: 'queued', attempts: 0, nextAt: AT }],
    ['It will be sent at 2026-01-31 12:10:00 UTC.', { status: 'scheduled', attempts: 0, nextAt: AT }],
    ['It was canceled before it was sent.', { status: 'canceled' }],
    ['It could not be delivered. It will not be tried again.', { status: 'failed', category: 'unheard_of' }],
    ['It could not be delivered. It will not be tried again.', { status: 'failed', category: 'constructor' }],
  ])('%s', (expected, fields) => {
    expect(adviseRecipient(told(fields))).toBe(expected)
  })

  test.each(Object.keys(CATEGORIES))(
    'whole sentences for %s, whoever spoke and whatever came of it',
    (category) => {
      for (const status of ['delivery_delayed', 'bounced', 'failed', 'rejected']) {
        for (const given of [{}, GMAIL, { mxHost: 'mx.customer.test' }]) {
          const text = adviseRecipient(told({ ...given, status, category, nextAt: AT }))
          expect(text).toMatch(/^[A-Z].*\.$/)
        }
      }
      expect(adviseAttempt({ ...told({ category }), outcome: 'deferred' })).toMatch(/^[A-Z].*last\.$/)
    },
  )

  test.each(['suppressed', 'shaped', 'internal', 'restored', 'no_signing_key', 'try_later', 'operator'])(
    'a sentence of its own for our own reason %s',
    (category) => {
      expect(adviseRecipient(told({ category, nextAt: AT }))).toMatch(/^[A-Z].* UTC\.$/)
    },
  )
})

test('advice on a try says whether it was the last', () => {
  const given = { category: 'mailbox_full', ...GMAIL }
  expect(adviseAttempt({ ...given, outcome: 'deferred' })).toBe(
    "The recipient's mailbox is full. This try was not the last.",
  )
  expect(adviseAttempt({ ...given, outcome: 'bounced' })).toBe(
    "The recipient's mailbox is full. That was final.",
  )
  expect(adviseAttempt({ ...given, category: 'accepted', outcome: 'delivered' })).toBe(
    'Gmail took the message.',
  )
})
