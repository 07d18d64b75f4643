import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../mime/address.ts'
import {
  isForService,
  namedRecipients,
  readMessageIdempotency,
  readServiceFields,
} from './submission-fields.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

function keyed(
  changes: { date?: string; boundary?: string; text?: string; to?: string[]; more?: string } = {},
) {
  const { date = 'Thu, 1 Jan 2026 00:00:00 +0000', boundary = 'b-1', text = 'Hello', more = '' } = changes
  const message = [
    `Date: ${date}`,
    `Message-ID: <${date.length}.${boundary}@x>`,
    'Subject: Hi',
    'idempotency-KEY: once',
    `${more}Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    '',
    text,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  return readMessageIdempotency(Buffer.from(message), changes.to ?? ['a@b.test', 'c@d.test'])
}

describe('the same request', () => {
  test.each([
    ['sent again', {}],
    ['built again', { date: 'Fri, 2 Jan 2026 01:00:00 +0000', boundary: 'another-one' }],
    ['relayed by another server', { more: 'Received: from a by b\r\nDKIM-Signature: v=1; d=x; b=y\r\n' }],
    ['to the same recipients in another order', { to: ['c@d.test', 'a@b.test'] }],
  ])('%s', (_, changes) => {
    expect(keyed(changes)?.requestHash).toEqual(keyed()?.requestHash)
  })
})

describe('another request', () => {
  test.each([
    ['with another text', { text: 'Hullo' }],
    ['to others', { to: ['a@b.test'] }],
    ['with another field', { more: 'X-Order: 1\r\n' }],
  ])('%s', (_, changes) => {
    expect(keyed(changes)?.requestHash).not.toEqual(keyed()?.requestHash)
  })

  test('with another text that equals a boundary elsewhere', () => {
    const hashes = ['a', 'b0', '--a b'].map((text) => keyed({ boundary: 'a', text })?.requestHash)
    expect(new Set(hashes.map((hash) => hash?.toString('hex'))).size).toBe(3)
  })
})

test('parsed at once, with boundaries that contain each other and fill the whole text', () => {
  const names = [...'ab0123456789'].map((name) => `\r\n boundary=${name}`).join('')
  const text = 'a'.repeat(20_000_000)
  const delimiters = '--a\r\n--b--\r\n'.repeat(20_000)
  const message = `Idempotency-Key: x\r\nX-Names:${names}\r\n\r\n${text}\r\n${delimiters}`
  expect(readMessageIdempotency(Buffer.from(message), [])?.key).toBe('x')
})

test('null without the field, and for a field in the body', () => {
  expect(readMessageIdempotency(Buffer.from('Subject: x\r\n\r\nIdempotency-Key: x\r\n'), [])).toBeNull()
  expect(readMessageIdempotency(Buffer.from('Subject: x\r\n\r\nHello\r\n'), [])).toBeNull()
})

test('returned: the tags, the schedule and the class of the fields for the service', () => {
  const taken = [
    { name: 'x-sendwright-tag', value: 'a=1' },
    { name: 'x-sendwright-tags', value: 'b=2 ,c = 3' },
    { name: 'x-sendwright-scheduled-at', value: '2026-01-02T00:00:00+01:00' },
    { name: 'x-sendwright-class', value: ' Bulk' },
    { name: 'x-sendwright-require-tls', value: 'yes' },
    { name: 'idempotency-key', value: 'once' },
  ]
  expect(readServiceFields(taken, NOW)).toEqual({
    tags: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
      { name: 'c', value: '3' },
    ],
    scheduledAt: new Date('2026-01-01T23:00:00Z'),
    isBulk: true,
  })
  expect(readServiceFields([], NOW)).toEqual({ tags: [], scheduledAt: null, isBulk: false })
})

test('rejected: an unknown class, and two of them', () => {
  const given = (...values: string[]) => values.map((value) => ({ name: 'x-sendwright-class', value }))
  expect(readServiceFields(given('transactional'), NOW)).toMatchObject({ isBulk: false })
  expect(() => readServiceFields(given('urgent'), NOW)).toThrow(
    'The class field must be one of transactional, bulk.',
  )
  expect(() => readServiceFields(given('bulk', 'bulk'), NOW)).toThrow('The class field occurs twice.')
})

test('rejected: an unknown field, by name, with a list of the known ones', () => {
  const taken = (name: string) => [
    { name: 'x-sendwright-tag', value: 'a=1' },
    { name, value: 'x' },
  ]
  expect(() => readServiceFields(taken('x-sendwright-tgas'), NOW)).toThrow(
    'There is no field x-sendwright-tgas. The fields for the service are X-Sendwright-Tag, X-Sendwright-Tags, X-Sendwright-Scheduled-At, X-Sendwright-Class and X-Sendwright-Require-TLS.',
  )
  expect(() => readServiceFields(taken(`x-sendwright-${'a'.repeat(900)}`), NOW)).toThrow(
    / x-sendwright-a{47}\. /,
  )
})

test.each(['=b', 'a=b,', 'a=%', 'a=%FF', `${'a'.repeat(257)}=b`, `a=${'b'.repeat(257)}`, 'a%0A=b'])(
  'rejected: the tags %j',
  (value) => {
    expect(() => readServiceFields([{ name: 'x-sendwright-tags', value }], NOW)).toThrow(
      'A tag must be name=value',
    )
  },
)

test('to and cc as the header names them; bcc for all others', () => {
  const mailboxes = ['Bob@X.test', 'carol@x.test', 'dave@x.test', 'both@x.test'].map(parseAddress)
  const header = { to: '"b, c" <bob@x.test>, both@x.test', cc: 'Carol <CAROL@x.test>, both@x.test' }
  const kinds = namedRecipients(mailboxes as never, header).map(({ kind }) => kind)
  expect(kinds).toEqual(['to', 'cc', 'bcc', 'to'])
})

test('for the service: its own fields and the key, no others', () => {
  const names = ['idempotency-key', 'x-sendwright-tag', 'x-sendwright-', 'x-other', 'subject', 'x-sendwright']
  expect(names.filter(isForService)).toEqual(['idempotency-key', 'x-sendwright-tag', 'x-sendwright-'])
})
