import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import PostalMime, { decodeWords } from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import { deriveKey, openSecret } from '../../src/lib/crypto/seal.ts'
import { readReturnPath } from '../../src/mime/return-path.ts'
import { makeDue } from '../support/make-due.ts'
import type { MxMessage } from '../support/mx-script.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

/** Sends one email and returns the messages that the MX received: one per recipient. */
async function arrived(fields: Record<string, unknown>): Promise<{ id: string; messages: MxMessage[] }> {
  const id = await ann.send(fields)
  await ann.settled(id)
  const messageId = `<${id}@${ann.domain}>`
  return { id, messages: service.mx.messages.filter(({ raw }) => raw.includes(messageId)) }
}

async function arrivedOne(fields: Record<string, unknown>) {
  const { id, messages } = await arrived({ to: `bob@${service.givenDestination()}`, ...fields })
  expect(messages).toHaveLength(1)
  const message = messages[0] as MxMessage
  return { id, message, raw: message.raw.toString('latin1'), parsed: await simpleParser(message.raw) }
}

const headerOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n') + 2)
const countField = (raw: string, name: string) =>
  headerOf(raw).match(new RegExp(`^${name}:`, 'gim'))?.length ?? 0

const BODIES: [title: string, text: string][] = [
  ['lone dots', '.\n..\n...\n.x\nend'],
  ['lines that begin with From', 'From me\n>From you\nFrom: nobody'],
  ['a line of 10,000 characters', `${'x'.repeat(10_000)}\nend`],
  ['a line of 10,000 umlauts', `${'ü'.repeat(10_000)}\nend`],
  ['lines that look like boundaries', '--=_1234\n--=_1234--\n--\n'],
  ['NUL and other controls', 'a\0b\u0001\u007f\u0085c'],
  ['spaces at line ends, tabs and form feeds', 'a  \n\tb\t\n\fc\n  '],
  ['bare CR', 'a\rb\r\rc'],
  ['an end of data inside', 'a\r\n.\r\nMAIL FROM:<x@y.test>\r\nb'],
  ['four-byte characters and equals signs', '😀=3D==\n=\n😀'],
]

/** Independent parsers differ in their treatment of bare CR and trailing line breaks. */
const normal = (text: string) => text.replace(/\r\n?|\n/g, '\n').replace(/\n+$/, '')

describe('a body of', () => {
  for (const [title, text] of BODIES) {
    test(`${title} arrives as one message, in short lines, the same after decoding`, async () => {
      const { message, parsed, raw } = await arrivedOne({ text, html: `<pre>${title}</pre>` })
      const other = await new PostalMime().parse(message.raw)
      expect(normal(parsed.text ?? '')).toBe(normal(text))
      expect(normal(other.text ?? '')).toBe(normal(text))
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
      for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
    })
  }
})

test('signed with RSA, aligned with From, and passing DMARC at an independent verifier', async () => {
  const resolver = new Resolver()
  resolver.setServers([service.dns.server])
  const { message } = await arrivedOne({ html: '<p>Grüße</p>', subject: 'Grüße', cc: undefined })
  const { dkim } = await authenticate(message.raw, {
    ip: '127.0.0.1',
    helo: 'mail.sendwright.test',
    sender: message.from,
    mta: 'mx.receiver.test',
    resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
  })
  expect(dkim.results.map(({ status, algo }) => [status.result, status.aligned, algo])).toEqual([
    ['pass', ann.domain, 'rsa-sha256'],
  ])
  for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type']) {
    for (const { signingHeaders } of dkim.results) {
      expect(
        signingHeaders?.keys
          .toLowerCase()
          .split(/\s*:\s*/)
          .map((key) => key.trim()),
      ).toContain(name)
    }
  }
})

test('each singleton header field occurs exactly once, whatever the request', async () => {
  const { raw } = await arrivedOne({
    html: '<p>x</p>',
    reply_to: ['a@b.test', 'c@d.test'],
    headers: {
      'X-Subject': 'x',
      'List-Unsubscribe': '<https://a.test/u>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    attachments: [{ filename: 'a.txt', content: 'aGk=' }],
  })
  for (const name of [
    'From',
    'To',
    'Subject',
    'Date',
    'Message-ID',
    'MIME-Version',
    'Content-Type',
    'Reply-To',
  ]) {
    expect([name, countField(raw, name)]).toEqual([name, 1])
  }
  for (const name of ['Bcc', 'Return-Path', 'Sender'])
    expect([name, countField(raw, name)]).toEqual([name, 0])
  expect(headerOf(raw)).toContain('\r\nList-Unsubscribe: <https://a.test/u>\r\n')
  expect(headerOf(raw)).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
})

test('two parsers read names, subject and reply addresses as given', async () => {
  const to = service.givenDestination()
  const subject = `Grüße 😀 ${'long '.repeat(60)}end`
  const { message, parsed } = await arrivedOne({
    from: `"Änn, \\"of\\" Acme" <ann@${ann.domain}>`,
    to: [`Bøb <bob@${to}>`],
    reply_to: 'Süpport <s@b.test>',
    subject,
    headers: { 'X-Unicode': 'wért' },
  })
  const other = await new PostalMime().parse(message.raw)
  expect(parsed.subject).toBe(subject)
  expect(other.subject).toBe(subject)
  expect(parsed.from?.value).toEqual([{ name: 'Änn, "of" Acme', address: `ann@${ann.domain}` }])
  expect(other.from).toMatchObject({ name: 'Änn, "of" Acme', address: `ann@${ann.domain}` })
  expect(other.to).toMatchObject([{ name: 'Bøb', address: `bob@${to}` }])
  expect(other.replyTo).toMatchObject([{ name: 'Süpport', address: 's@b.test' }])
  expect(decodeWords(String(parsed.headers.get('x-unicode')))).toBe('wért')
})

test('built as mixed (related (alternative, inline), attached), with cid and names that both parsers read', async () => {
  const { raw, message, parsed } = await arrivedOne({
    html: '<img src="cid:logo">',
    text: 'a logo',
    attachments: [
      { filename: 'logo.png', content: 'aGVsbG8=', content_id: 'logo' },
      { filename: 'Rechnung für März.pdf', content: 'aGVsbG8=' },
    ],
  })
  const types = [...raw.matchAll(/^Content-Type: ([a-z]+\/[a-z-]+)/gim)].map((match) => match[1])
  expect(types).toEqual([
    'multipart/mixed',
    'multipart/related',
    'multipart/alternative',
    'text/plain',
    'text/html',
    'image/png',
    'application/pdf',
  ])
  expect(
    parsed.attachments.map(({ filename, contentDisposition }) => [filename, contentDisposition]),
  ).toEqual([
    ['logo.png', 'inline'],
    ['Rechnung für März.pdf', 'attachment'],
  ])
  const other = await new PostalMime().parse(message.raw)
  expect(other.attachments.map(({ filename, contentId }) => [filename, contentId])).toEqual([
    ['logo.png', '<logo>'],
    ['Rechnung für März.pdf', undefined],
  ])
})

test('sent to each recipient separately, without Bcc, with one Message-ID and one signature for all', async () => {
  const to = service.givenDestination()
  const { id, messages } = await arrived({
    to: [`a@${to}`, `b@${to}`],
    cc: `c@${to}`,
    bcc: [`hidden@${to}`, `secret@${to}`],
  })
  expect(messages.map((message) => message.to).sort()).toEqual(
    ['a', 'b', 'c', 'hidden', 'secret'].map((name) => [`${name}@${to}`]),
  )
  expect(new Set(messages.map(({ raw }) => raw.toString('latin1'))).size).toBe(1)
  expect(messages[0]?.raw.toString('latin1')).not.toMatch(/hidden|secret|^bcc:/im)
  const { text } = await ann.get(`/emails/${id}/raw`)
  expect(text).toBe(messages[0]?.raw.toString('latin1'))
})

test('sent with a separate return path for each recipient, at a subdomain of the sender', async () => {
  const to = service.givenDestination()
  const { id, messages } = await arrived({ to: [`a@${to}`, `b@${to}`] })
  const secret = deriveKey(await openSecret(service.config.dataDir, service.config.secretKey), 'return paths')
  const paths = messages.map(({ from, to: [recipient] }) => {
    const [local, host] = from.split('@') as [string, string]
    expect(host.endsWith(`.${ann.domain}`)).toBe(true)
    expect(readReturnPath(secret, `${local.slice(0, -1)}${local.endsWith('a') ? 'b' : 'a'}`)).toBe(null)
    return { recipient, path: readReturnPath(secret, local.toUpperCase()) }
  })
  expect(paths.sort((x, y) => ((x.recipient ?? '') < (y.recipient ?? '') ? -1 : 1))).toMatchObject([
    { recipient: `a@${to}`, path: { emailId: id, no: 0 } },
    { recipient: `b@${to}`, path: { emailId: id, no: 1 } },
  ])
})

test('addresses in RCPT are exactly as parsed: quotes, shell characters, and a domain as A-label', async () => {
  const name = service.givenDestination()
  service.dns.set({ 'xn--bcher-kva.test': { mx: [[10, 'mx.receiver.test']] } })
  const addresses = [`"a b"@${name}`, 'bob@bücher.test', `o'hara+{x}|y@${name}`]
  const { messages } = await arrived({ to: addresses })
  expect(messages.flatMap((message) => message.to).sort()).toEqual(
    [`"a b"@${name}`, 'bob@xn--bcher-kva.test', `o'hara+{x}|y@${name}`].sort(),
  )
})

test('signed again after it was read and then rescheduled', async () => {
  const resolver = new Resolver()
  resolver.setServers([service.dns.server])
  const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString()
  const id = await ann.send({ to: `bob@${service.givenDestination()}`, scheduled_at: inFuture(3_600_000) })
  await ann.get(`/emails/${id}/raw`)
  expect((await ann.patch(`/emails/${id}`, { scheduled_at: inFuture(7_200_000) })).status).toBe(200)
  await makeDue(service.db, ann.id, [id])
  await ann.settled(id)
  const message = service.mx.messages.find(({ raw }) => raw.includes(id)) as MxMessage
  const { dkim } = await authenticate(message.raw, {
    ip: '127.0.0.1',
    helo: 'x.test',
    sender: message.from,
    mta: 'x.test',
    resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
  })
  expect(dkim.results.map(({ status }) => status.result)).toEqual(['pass'])
  expect((await ann.get(`/emails/${id}/raw`)).text).toBe(message.raw.toString('latin1'))
})

test('sent completely when it is too large to be loaded with its batch', async () => {
  const content = Buffer.alloc(3_000_000, 'abc')
  const to = service.givenDestination()
  service.mx.script({ expect: '<message>', answer: '451 4.3.0 Later', times: 3 })
  const { messages } = await arrived({
    to: [1, 2, 3, 4, 5, 6].map((n) => `r${n}@${to}`),
    attachments: [{ filename: 'a.bin', content: content.toString('base64') }],
  })
  expect(messages).toHaveLength(6)
  // Equal messages are parsed once: each has 4 MB.
  const distinct = new Map(messages.map(({ raw }) => [raw.toString('latin1'), raw]))
  for (const raw of distinct.values()) {
    const { attachments } = await simpleParser(raw)
    expect(attachments[0]?.content.equals(content)).toBe(true)
  }
})
