import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

const many = (count: number, name = 'r') => Array.from({ length: count }, (_, i) => `${name}${i}@to.test`)
/** A day that stays the same during the run, far enough ahead that nothing is looked up or sent. */
const dayFromNow = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
const DAY = dayFromNow(30)
const LATER = `${DAY}T12:00:00Z`

async function apiError(fields: Record<string, unknown>) {
  const { status, json } = await ann.post('/emails', ann.email(fields))
  return { status, name: json.name, message: json.message, errors: json.errors }
}

describe('422 with the field and its message', () => {
  const cases: [title: string, fields: Record<string, unknown>, field: string, message: string][] = [
    ['no from', { from: undefined }, 'from', 'The from field is required.'],
    ['no to', { to: undefined }, 'to', 'The to field is required.'],
    ['an empty to', { to: [] }, 'to', 'The to field is required.'],
    ['no subject', { subject: undefined }, 'subject', 'The subject field is required.'],
    [
      'neither html nor text',
      { text: undefined },
      'html',
      'The html field is required when text is not present.',
    ],
    [
      'an empty html alone',
      { text: undefined, html: '' },
      'html',
      'The html field is required when text is not present.',
    ],
    ['an empty text alone', { text: '' }, 'html', 'The html field is required when text is not present.'],
    [
      'html and text, both empty',
      { text: '', html: '' },
      'html',
      'The html field is required when text is not present.',
    ],
    ['a number as subject', { subject: 7 }, 'subject', 'The subject field must be a string.'],
    ['to of 51', { to: many(51) }, 'to', 'The to field must not have more than 50 items.'],
    [
      'recipients of 151',
      { to: many(50), cc: many(50, 'c'), bcc: many(51, 'b') },
      'to',
      'An email must not have more than 150 recipients in to, cc and bcc together.',
    ],
    ['a bad to', { to: 'nobody' }, 'to', 'The to field must be a valid email address.'],
    [
      'a bad item of cc',
      { cc: ['a@b.test', 'x@localhost'] },
      'cc.1',
      'The cc.1 field must be a valid email address.',
    ],
    ['an address literal', { to: 'a@[127.0.0.1]' }, 'to', 'The to field must be a valid email address.'],
    [
      'a parameter after the path',
      { to: 'a@b.test> SIZE=1' },
      'to',
      'The to field must be a valid email address.',
    ],
    ['a dot at the end', { to: 'a@b.test.' }, 'to', 'The to field must be a valid email address.'],
    [
      'CRLF in a display name',
      { to: 'A\r\nBcc: x@y.test <a@b.test>' },
      'to',
      'The to field must be a valid email address.',
    ],
    [
      'two from addresses',
      { from: 'a@b.test, c@d.test' },
      'from',
      'The from field must be a valid email address.',
    ],
    [
      'a subject of 999',
      { subject: '😀'.repeat(999) },
      'subject',
      'The subject field must not be greater than 998 characters.',
    ],
    [
      'a line break in the subject',
      { subject: 'a\nb' },
      'subject',
      'The subject field must not contain line breaks or control characters.',
    ],
    [
      'NUL in the subject',
      { subject: 'a\0b' },
      'subject',
      'The subject field must not contain the character U+0000.',
    ],
    [
      'a header of ours',
      { headers: { 'mime-Version': 'x' } },
      'headers.mime-Version',
      'The header mime-Version is set by the service.',
    ],
    [
      'a Content- header',
      { headers: { 'Content-Foo': 'x' } },
      'headers.Content-Foo',
      'The header Content-Foo is set by the service.',
    ],
    [
      'CRLF in a header value',
      { headers: { 'X-A': 'a\r\nBcc: b@c.test' } },
      'headers.X-A',
      'The value of the header X-A must not contain control characters.',
    ],
    [
      'a bare CR in a header value',
      { headers: { 'X-A': 'a\r b' } },
      'headers.X-A',
      'The value of the header X-A must not contain control characters.',
    ],
    [
      'a header value that cannot be folded',
      { headers: { 'List-Unsubscribe': `<https://a.test/${'x'.repeat(1000)}>` } },
      'headers.List-Unsubscribe',
      'The value of the header List-Unsubscribe must have a space, or a comma between URLs, at least every 998 bytes.',
    ],
    [
      'encoded words as an address',
      { to: '=?utf-8?q?bob=40to.test?=' },
      'to',
      'The to field must be a valid email address.',
    ],
    [
      'an empty text beside an address',
      { cc: ['bob@to.test', ''] },
      'cc.1',
      'The cc.1 field must be a valid email address.',
    ],
    ['no recipient at all', { to: [''], cc: '', bcc: [] }, 'to', 'The to field is required.'],
    [
      'a colon in a header name',
      { headers: { 'X:A': 'a' } },
      'headers.X:A',
      'A header name must consist of printable ASCII characters without space and colon.',
    ],
    [
      'a header that is not a string',
      { headers: { 'X-A': 1 } },
      'headers.X-A',
      'The headers.X-A field must be a string or an array.',
    ],
    [
      'a tag with a line break',
      { tags: [{ name: 'a\nb', value: 'c' }] },
      'tags.0.name',
      'The tags.0.name field must be 1 to 256 characters without control characters.',
    ],
    [
      'a tag with 257 letters',
      { tags: [{ name: 'a', value: 'c'.repeat(257) }] },
      'tags.0.value',
      'The tags.0.value field must be 0 to 256 characters without control characters.',
    ],
    [
      'tags of 21',
      { tags: Array.from({ length: 21 }, (_, i) => ({ name: `t${i}`, value: 'x' })) },
      'tags',
      'The tags field must not have more than 20 items.',
    ],
    [
      'a past scheduled_at',
      { scheduled_at: '2020-01-01T00:00:00Z' },
      'scheduled_at',
      'The scheduled_at field must be a date in the future.',
    ],
    [
      'a number as scheduled_at',
      { scheduled_at: 4102444800 },
      'scheduled_at',
      'The scheduled_at field must be a string.',
    ],
    ['another domain', { from: 'a@elsewhere.test' }, 'from', 'The from address domain is not verified.'],
    ['a subdomain', { from: 'a@mail.sender1.test' }, 'from', 'The from address domain is not verified.'],
  ]
  for (const [title, fields, field, message] of cases) {
    test(`422 for ${title}`, async () => {
      const { status, name, errors, message: first } = await apiError(fields)
      expect({ status, name }).toEqual({ status: 422, name: 'validation_error' })
      expect(errors[field]).toContain(message)
      expect(Object.values(errors as Record<string, string[]>)[0]?.[0]).toBe(first)
    })
  }
})

test('422 lists every invalid field', async () => {
  const { json } = await ann.post('/emails', {})
  expect(Object.keys(json.errors).sort()).toEqual(['from', 'html', 'subject', 'text', 'to'])
  expect(json.message).toBe('The from field is required.')
})

test('nothing is stored or sent after a rejection', async () => {
  expect(await service.db.query('select 1 from email where team_id = $1', [ann.id])).toEqual([])
  expect(service.mx.contents.filter(({ raw }) => raw.includes(ann.domain))).toEqual([])
})

test('202 for 50 + 50 + 50 recipients, each with a separate row', async () => {
  const id = await ann.send({ to: many(50), cc: many(50, 'c'), bcc: many(50, 'b'), scheduled_at: LATER })
  const { json } = await ann.get(`/emails/${id}`)
  expect(json.recipients).toHaveLength(150)
  expect(json.status).toBe('scheduled')
})

test('202 with the same address twice, which is one recipient', async () => {
  const to = ['Bob <bob@to.test>', 'BOB@TO.test', '"bob"@to.test']
  const id = await ann.send({ to, cc: 'bob@to.test', bcc: ['eve@to.test'], scheduled_at: LATER })
  const { json } = await ann.get(`/emails/${id}`)
  expect(json.recipients.map((row: { email: string; type: string }) => [row.email, row.type])).toEqual([
    ['bob@to.test', 'to'],
    ['eve@to.test', 'bcc'],
  ])
  expect(json.to).toEqual(to)
})

test('202 for a subject of 998 four-byte characters, returned in full', async () => {
  const subject = '😀'.repeat(998)
  const id = await ann.send({ subject, scheduled_at: LATER })
  expect((await ann.get(`/emails/${id}`)).json.subject).toBe(subject)
})

test('202 for folded values and encoded words, which are written once', async () => {
  const url = (letter: string) => `<https://a.test/${letter.repeat(700)}>`
  const id = await ann.send({
    from: `=?utf-8?q?=C3=84nn?= <ann@${ann.domain}>`,
    to: ['Bob\r\n\tSmith <bob@to.test>'],
    subject: '=?utf-8?q?Gr=C3=BC?=\r\n =?utf-8?q?=C3=9Fe?=\tan\n alle',
    headers: {
      'X-Words': '=?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n and more',
      'X-Mixed': 'ü =?utf-8?q?=C3=BC?=',
      'List-Unsubscribe': `${url('u')},${url('v')}`,
      'X-Tab': 'a\tb',
    },
    scheduled_at: LATER,
  })
  const { json } = await ann.get(`/emails/${id}`)
  expect(json).toMatchObject({ from: `Änn <ann@${ann.domain}>`, subject: 'Grüße an alle' })
  const { text } = await ann.get(`/emails/${id}/raw`)
  expect(text).toContain('\r\nFrom: =?UTF-8?Q?=C3=84nn?= <')
  expect(text).toContain('\r\nTo: Bob Smith <bob@to.test>\r\n')
  expect(text).toContain('\r\nX-Words: =?utf-8?q?Gr=C3=BC=C3=9Fe?= and more\r\n')
  expect(text).toContain('\r\nX-Mixed: =?UTF-8?B?w7wgw7w=?=\r\n')
  expect(text).toContain(`\r\nList-Unsubscribe: ${url('u')},\r\n ${url('v')}\r\n`)
  expect(text).toContain('\r\nX-Tab: a b\r\n')
})

test('202 without to, but with cc or bcc: the header names no recipient', async () => {
  for (const fields of [
    { to: [], cc: ['bob@to.test'] },
    { to: undefined, bcc: 'bob@to.test' },
    { to: [''], cc: 'bob@to.test' },
  ]) {
    const id = await ann.send({ ...fields, scheduled_at: LATER })
    const { json } = await ann.get(`/emails/${id}`)
    expect(json.recipients.map(({ email }: { email: string }) => email)).toEqual(['bob@to.test'])
    expect((await ann.get(`/emails/${id}/raw`)).text).toContain('\r\nTo: undisclosed-recipients:;\r\n')
  }
})

test('202 for empty optional fields, which count as absent', async () => {
  const id = await ann.send({
    cc: '',
    bcc: [],
    reply_to: [''],
    headers: {},
    tags: [],
    attachments: [],
    scheduled_at: LATER,
  })
  expect((await ann.get(`/emails/${id}`)).json).toMatchObject({
    cc: [],
    bcc: [],
    reply_to: [],
    headers: {},
    tags: [],
  })
})

test('202 with every field, returned as given', async () => {
  const fields = {
    from: `"Ann, of Acme" <ANN@${ann.domain.toUpperCase()}>`,
    to: ['Bob <bob@to.test>'],
    cc: 'carl@to.test',
    bcc: ['dan@to.test'],
    reply_to: 'support@to.test',
    subject: 'Grüße',
    html: '<p>Hello <b>you</b></p>',
    headers: { 'X-Entity': '42', 'List-Unsubscribe': '<https://a.test/u>' },
    tags: [{ name: 'kind', value: 'welcome' }],
    scheduled_at: `${DAY}T13:00:00+01:00`,
    attachments: [{ filename: 'a.txt', content: Buffer.from('hi').toString('base64') }],
    unknown: true,
    status: 'delivered',
    id: 'mine',
  }
  const id = await ann.send({ ...fields, text: undefined })
  const { json } = await ann.get(`/emails/${id}`)
  expect(json).toMatchObject({
    object: 'email',
    id,
    message_id: `<${id}@${ann.domain}>`,
    to: fields.to,
    cc: ['carl@to.test'],
    bcc: ['dan@to.test'],
    reply_to: ['support@to.test'],
    subject: 'Grüße',
    headers: fields.headers,
    tags: fields.tags,
    status: 'scheduled',
    last_event: 'scheduled',
    domain: { id: ann.domainId, name: ann.domain },
    template: null,
    attachments: [{ filename: 'a.txt', content_type: 'text/plain', content_id: null, size: 2 }],
    scheduled_at: `${DAY} 12:00:00`,
    sent_at: null,
  })
  expect(json.html.trim()).toBe(fields.html)
  expect(json.text.trim()).toBe('Hello you')
  expect(json.events.map((event: { type: string }) => event.type)).toEqual(['email.scheduled'])
})

test('202 without a text part when text is empty, and with one derived from html when it is absent', async () => {
  const bare = await ann.send({ html: '<p>Hi</p>', text: '', scheduled_at: LATER })
  expect((await ann.get(`/emails/${bare}`)).json.text).toBe(null)
  const derived = await ann.send({ html: '<p>Hi</p>', text: null, scheduled_at: LATER })
  expect((await ann.get(`/emails/${derived}`)).json.text.trim()).toBe('Hi')
})

test('202 for encoded line breaks, which remain text', async () => {
  const subject = 'a%0d%0aBcc: x@y.test =?utf-8?q?=0D=0ABcc:_x=40y.test?='
  const id = await ann.send({ subject, scheduled_at: LATER })
  const { text } = await ann.get(`/emails/${id}/raw`)
  expect(text.match(/^bcc:/gim)).toBe(null)
  expect((await ann.get(`/emails/${id}`)).json.subject).toBe(subject)
})

describe('scheduled_at', () => {
  const refused = [
    '2027-02-29T10:00:00Z',
    `${DAY}T10:00:60Z`,
    `${DAY}T24:00:01Z`,
    `${DAY}T24:01Z`,
    `${DAY}T25:00:00Z`,
    `${DAY}T10:0000Z`,
    `${DAY.slice(0, 7)}${DAY.slice(8)}T10:00:00Z`,
    '+010000-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    `${DAY}T10:00:00+15:00`,
    `${DAY}T10:00:00+14:60`,
    `${DAY.slice(0, 4)}-13-01T10:00:00Z`,
    `${DAY}`,
    'tomorrow',
    'in 1 month',
    'in 366 days',
    'today at 00:00',
    '4102444800',
    '',
    `${dayFromNow(366)}T23:59:59Z`,
    `${DAY}T10:00:00 Europe/Berlin`,
  ]
  for (const text of refused) {
    test(`422 for ${text === '' ? 'an empty text' : text}`, async () => {
      const { status, errors } = await apiError({ scheduled_at: text })
      expect(status).toBe(422)
      expect(Object.keys(errors)).toEqual(['scheduled_at'])
    })
  }
  const exact: [string, string][] = [
    [`${DAY}T10:00:00`, `${DAY} 10:00:00`],
    [`${DAY}T10:00:00+02`, `${DAY} 08:00:00`],
    [`${DAY}T24:00:00Z`, `${dayFromNow(31)} 00:00:00`],
    [`${DAY.replaceAll('-', '')}T101530Z`, `${DAY} 10:15:30`],
    [`${DAY.replaceAll('-', '')}T1015-0330`, `${DAY} 13:45:00`],
    [`${DAY}T10:00:00+14:00`, `${dayFromNow(29)} 20:00:00`],
    [`${DAY} 10:00:00.999999999-0330`, `${DAY} 13:30:00`],
    [`${DAY}T10:00Z`, `${DAY} 10:00:00`],
    ['tomorrow at 9am', `${dayFromNow(1)} 09:00:00`],
  ]
  for (const [text, stored] of exact) {
    test(`202 for ${text}, stored as the exact instant`, async () => {
      const id = await ann.send({ scheduled_at: text })
      expect((await ann.get(`/emails/${id}`)).json.scheduled_at).toBe(stored)
    })
  }
})
