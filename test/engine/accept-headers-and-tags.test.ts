import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

const LATER = new Date(Date.now() + 24 * 3_600_000).toISOString()
const later = (headers: Record<string, unknown>) => ann.email({ scheduled_at: LATER, headers })

/** Sends an email with these header fields. Returns its id, its Message-ID, and the fields as they are sent, unfolded. */
async function sent(headers: Record<string, unknown>, sender: Sender = ann) {
  const id = await sender.send({ scheduled_at: LATER, headers })
  return { id, ...(await read(id, sender)) }
}

async function read(id: string, sender: Sender = ann) {
  const { text } = await sender.get(`/emails/${id}/raw`)
  const header = text.slice(0, text.indexOf('\r\n\r\n')).replace(/\r\n(?=[ \t])/g, '')
  const field = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(header)?.[1]
  return { messageId: field('Message-ID'), original: field('X-Original-Message-ID'), field }
}

describe('a Message-ID among the headers', () => {
  test('kept at a verified domain, shown, found, and not given to a second email', async () => {
    const messageId = `<order.4711@${ann.domain.toUpperCase()}>`
    const first = await sent({ 'message-id': messageId })
    expect(first).toMatchObject({ messageId, original: undefined })
    expect((await ann.get(`/emails/${first.id}`)).json).toMatchObject({ message_id: messageId, headers: {} })
    const { json } = await ann.get(`/emails?search=${encodeURIComponent(messageId)}`)
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([first.id])

    const second = await sent({ 'Message-ID': messageId })
    expect(second).toMatchObject({ messageId: `<${second.id}@${ann.domain}>`, original: messageId })
    // Another team's email does not count.
    const bob = await service.givenSender()
    const raw = await ann.post('/emails/mime', {
      envelope_from: `ann@${ann.domain}`,
      envelope_to: 'delivered@simulator.test',
      raw_message: `From: ann@${ann.domain}\r\nMessage-ID: <x@${bob.domain}>\r\nSubject: x\r\n\r\nx\r\n`,
    })
    expect((await read(raw.json.id)).messageId).toBe(`<x@${bob.domain}>`)
    expect((await sent({ 'Message-ID': `<x@${bob.domain}>` }, bob)).messageId).toBe(`<x@${bob.domain}>`)
  })

  test('kept by one of two emails of a batch, and by one of two requests at once', async () => {
    const id = (name: string) => `<${name}@${ann.domain}>`
    const batch = await ann.post('/emails/batch', [
      later({ 'Message-ID': id('batch') }),
      later({ 'Message-ID': id('batch') }),
    ])
    const requests = await Promise.all(
      [1, 2, 3].map(() => ann.post('/emails', later({ 'Message-ID': id('race') }))),
    )
    const ids = [...batch.json.data, ...requests.map(({ json }) => json)].map((one: { id: string }) => one.id)
    const found = await Promise.all(ids.map((one) => read(one)))
    expect(found.filter(({ messageId }) => messageId === id('batch'))).toHaveLength(1)
    expect(found.filter(({ original }) => original === id('batch'))).toHaveLength(1)
    expect(found.filter(({ messageId }) => messageId === id('race'))).toHaveLength(1)
    expect(found.filter(({ original }) => original === id('race'))).toHaveLength(2)
  })

  test('none is rejected of batches at once that share their ids', async () => {
    const pool = Array.from({ length: 30 }, (_, number) => `<shared-${number}@${ann.domain}>`)
    const batchFrom = (start: number) =>
      Array.from({ length: 15 }, (_, n) => later({ 'Message-ID': pool[(start + n * 7) % 30] }))
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, start) => ann.post('/emails/batch', batchFrom(start * 3))),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(202))
  })

  test('not that of an email whose Message-ID Sendwright made', async () => {
    const first = await sent({})
    const second = await sent({ 'Message-ID': first.messageId })
    expect(second).toMatchObject({ original: first.messageId })
    expect(second.messageId).not.toBe(first.messageId)
  })

  test.each([
    ['at a domain of nobody', () => '<a@elsewhere.test>'],
    ['with a comment', () => `<a@${ann.domain}> (comment)`],
    ['with two ids', () => `<a@${ann.domain}> <b@${ann.domain}>`],
    ['without brackets', () => `a@${ann.domain}`],
    ['with a quoted left side', () => `<"a b"@${ann.domain}>`],
    ['of 251 characters', () => `<${'x'.repeat(248 - ann.domain.length)}@${ann.domain}>`],
  ])('sent as X-Original-Message-ID: %s', async (_title, given) => {
    const email = await sent({ 'Message-ID': given() })
    expect(email).toMatchObject({ messageId: `<${email.id}@${ann.domain}>`, original: given() })
  })

  test('kept with 250 characters', async () => {
    const messageId = `<${'x'.repeat(247 - ann.domain.length)}@${ann.domain}>`
    expect(messageId).toHaveLength(250)
    expect((await sent({ 'Message-ID': messageId })).messageId).toBe(messageId)
  })

  test('not kept at a domain that the key may not use', async () => {
    const other = await ann.post('/domains', { name: `other.${ann.domain}` })
    const bound = await ann.givenKey({ permission: 'send', domainId: ann.domainId })
    const reply = await bound.post('/emails', later({ 'Message-ID': `<a@other.${ann.domain}>` }))
    expect(other.status).toBe(201)
    expect((await read(reply.json.id)).original).toBe(`<a@other.${ann.domain}>`)
  })

  test('not beside a given X-Original-Message-ID that the email keeps', async () => {
    const headers = { 'Message-ID': '<a@elsewhere.test>', 'X-Original-Message-ID': '<b@elsewhere.test>' }
    expect((await sent(headers)).original).toBe('<b@elsewhere.test>')
  })
})

test('a reply names the Message-ID that was sent in place of the one that was given', async () => {
  const first = await sent({ 'Message-ID': '<thread-1@elsewhere.test>' })
  const reply = await sent({
    'In-Reply-To': '<thread-1@elsewhere.test>',
    References: '<thread-0@elsewhere.test> <thread-1@elsewhere.test>',
  })
  expect(reply.field('In-Reply-To')).toBe(first.messageId)
  expect(reply.field('References')).toBe(`<thread-0@elsewhere.test> ${first.messageId}`)
  // Another team's emails are not looked at.
  const bob = await service.givenSender()
  expect((await sent({ 'In-Reply-To': '<thread-1@elsewhere.test>' }, bob)).field('In-Reply-To')).toBe(
    '<thread-1@elsewhere.test>',
  )
})

test('a reply names the email that was sent with exactly this id, not a later one that was given it too', async () => {
  const messageId = `<order-1@${ann.domain}>`
  expect((await sent({ 'Message-ID': messageId })).messageId).toBe(messageId)
  expect((await sent({ 'Message-ID': messageId })).original).toBe(messageId)
  expect((await sent({ 'In-Reply-To': messageId })).field('In-Reply-To')).toBe(messageId)
  const made = await sent({})
  await sent({ 'Message-ID': made.messageId })
  expect((await sent({ 'In-Reply-To': made.messageId })).field('In-Reply-To')).toBe(made.messageId)
})

test('References stay as given where the ids that were sent have no room', async () => {
  const given = Array.from({ length: 100 }, (_, n) => `<t${n}@elsewhere.test>`)
  const emails = given.map((id) => later({ 'Message-ID': id }))
  expect((await ann.post('/emails/batch', emails)).status).toBe(202)
  const { field } = await sent({ References: given.join(' ') })
  expect(field('References')).toBe(given.join(' '))
})

test.each([974, 985, 986])('a Message-ID of %i characters is sent, or rejected', async (length) => {
  const { status } = await ann.post('/emails', later({ 'Message-ID': `<${'x'.repeat(length - 6)}@a.b>` }))
  expect([202, 422]).toContain(status)
})

test('a header given as a list becomes one field for each text, and is shown and sent again as a list', async () => {
  const { id } = await sent({ 'X-Note': ['one', 'two\r\n folded'], 'X-Empty': [] })
  const { text } = await ann.get(`/emails/${id}/raw`)
  expect(text.match(/^X-Note: .*$/gm)).toEqual(['X-Note: one', 'X-Note: two folded'])
  expect((await ann.get(`/emails/${id}`)).json.headers).toEqual({ 'X-Note': ['one', 'two folded'] })
  const again = await ann.post(`/emails/${id}/resend`, {})
  expect((await ann.get(`/emails/${again.json.id}`)).json.headers).toEqual({
    'X-Note': ['one', 'two folded'],
  })
})

test('202 for blank optional fields in the form that a form sends', async () => {
  const blank = { cc: [''], headers: '', tags: [''], attachments: '', html: null }
  const id = await ann.send({ ...blank, scheduled_at: LATER })
  expect((await ann.get(`/emails/${id}`)).json).toMatchObject({ headers: {}, tags: [], attachments: [] })
  for (const fields of [{ scheduled_at: '' }, { template: '' }, { cc: ['bob@to.test', ''] }]) {
    expect((await ann.post('/emails', ann.email(fields))).status).toBe(422)
  }
})

test('202 with tags of any characters, a name alone, and a value left out', async () => {
  const tags = [{ name: 'Größe: L', value: 'a, b=c\u202e 😀' }, 'alone', { name: 'none' }]
  const id = await ann.send({ tags, scheduled_at: LATER })
  expect((await ann.get(`/emails/${id}`)).json.tags).toEqual([
    tags[0],
    { name: 'alone', value: '' },
    { name: 'none', value: '' },
  ])
})

test('202 for a resend with blank cc and bcc; an empty to never means everybody', async () => {
  const { id } = await sent({})
  const resend = (fields: Record<string, unknown>) => ann.post(`/emails/${id}/resend`, fields)
  expect((await resend({ to: 'delivered@simulator.test', cc: '', bcc: [''] })).status).toBe(202)
  expect((await resend({ to: '' })).status).toBe(422)
})

test('422 at once for a tag of ten megabytes', async () => {
  const { status, json } = await ann.post('/emails', ann.email({ tags: ['x'.repeat(10_000_000)] }))
  expect([status, Object.keys(json.errors)]).toEqual([422, ['tags.0']])
})

test('a batch keeps the hint of its email', async () => {
  const email = ann.email({ attachments: [{ filename: 'a', content: '%' }] })
  const { status, json } = await ann.post('/emails/batch', [email])
  expect([status, json.hint]).toEqual([422, expect.stringMatching(/^Encode the bytes/)])
})

test.each<[string, Record<string, unknown>, string, string]>([
  [
    'a tag without a name',
    { tags: ['a', ''] },
    'tags.1',
    'The tags.1 field must be 1 to 256 characters without control characters.',
  ],
  [
    'two In-Reply-To',
    { headers: { 'In-Reply-To': ['<a@b.test>', '<c@d.test>'] } },
    'headers.In-Reply-To',
    'The headers.In-Reply-To field must have one value, because a message has only one such field.',
  ],
  [
    'References in two spellings',
    { headers: { References: '<a@b.test>', REFERENCES: '<c@d.test>' } },
    'headers.REFERENCES',
    'The headers.REFERENCES field must have one value, because a message has only one such field.',
  ],
  [
    'header fields of 101',
    { headers: { 'X-A': Array(100).fill('x'), 'X-B': 'x' } },
    'headers',
    'The headers field must not have more than 100 entries.',
  ],
])('422 for %s', async (_title, fields, field, message) => {
  const { status, json } = await ann.post('/emails', ann.email(fields))
  expect([status, json.errors]).toEqual([422, { [field]: [message] }])
})
