import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import PostalMime, { decodeWords } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pauseTeam } from '../../src/teams/teams.ts'
import type { ZoneEntry } from '../support/dns.ts'
import { startMx, type TestMx } from '../support/mx.ts'
import type { MxMessage } from '../support/mx-script.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

/** The sites that `plain` serves, a server that is as simple as RFC 5321 allows but for the size. */
const PLAIN: ZoneEntry = { mx: [[10, 'plain.receiver.test']] }

let service: SharedSendwright
let plain: TestMx
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  const capabilities = ['PIPELINING', 'SIZE 50000000']
  plain = await startMx({ address: '127.0.0.2', port: service.mx.port, capabilities })
  service.dns.set({ 'plain.receiver.test': { a: ['127.0.0.2'] } })
  ann = await service.givenSender()
})
afterAll(() => plain?.close())

const lines = (...given: string[]) => `${given.join('\r\n')}\r\n`

/** Returns a valid request with the given fields replaced. */
function request(fields: Record<string, unknown> = {}, sender: Sender = ann): Record<string, unknown> {
  return {
    envelope_from: `bounce@${sender.domain}`,
    envelope_to: 'delivered@simulator.test',
    raw_message: lines(`From: Ann <ann@${sender.domain}>`, 'Subject: Hi', '', 'Hello.'),
    ...fields,
  }
}

/** Sends a raw message and returns the message that the MX received. */
async function arrived(
  raw_message: string,
  sender: Sender = ann,
): Promise<{ id: string; message: MxMessage; raw: string }> {
  const envelope_to = `bob@${service.givenDestination()}`
  const { status, json, text } = await sender.post(
    '/emails/mime',
    request({ raw_message, envelope_to }, sender),
  )
  expect(status, text).toBe(202)
  await sender.settled(json.id)
  const messages = service.mx.messages.filter(({ to }) => to[0] === envelope_to)
  expect(messages).toHaveLength(1)
  const message = messages[0] as MxMessage
  return { id: json.id, message, raw: message.raw.toString('latin1') }
}

async function verify(message: MxMessage) {
  const resolver = new Resolver()
  resolver.setServers([service.dns.server])
  const { dkim } = await authenticate(message.raw, {
    ip: '127.0.0.1',
    helo: 'mail.sendwright.test',
    sender: message.from,
    mta: 'mx.receiver.test',
    resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
  })
  return dkim.results
}

const LONG = 'word '.repeat(1000)

describe('signed so that an independent verifier passes it', () => {
  const bodies: [title: string, header: string[], body: string][] = [
    ['a plain message', [], 'Hello.\r\n'],
    ['a message without a body', [], ''],
    ['bare line ends', [], 'a\nb\rc\n.\n'],
    ['8-bit text in a long line', ['Content-Type: text/plain; charset=utf-8'], `Grüße ${LONG}`],
    ['folded and strange fields', ['X-A:  a \t b', '  ', 'x-b:', 'List-Id: <x.test>'], 'x\r\n\r\n \t\r\n'],
  ]
  let both: Sender
  beforeAll(async () => {
    both = await service.givenSender({ dkimEd25519: true })
  })
  for (const [title, header, body] of bodies) {
    test(title, async () => {
      const fields = header.filter((field) => field.trim() !== '')
      const { message } = await arrived(
        `${lines(`From: ann@${both.domain}`, 'Subject: x', ...fields, '')}${body}`,
        both,
      )
      const results = await verify(message)
      expect(results.map(({ status, algo }) => [status.result, status.aligned, algo])).toEqual([
        ['pass', both.domain, 'rsa-sha256'],
        ['pass', both.domain, 'ed25519-sha256'],
      ])
      const signatures =
        message.raw.toString('latin1').match(/^DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*/gm) ?? []
      expect(signatures).toHaveLength(2)
      for (const signature of signatures) {
        const names = /h=([^;]*);/.exec(signature)?.[1]?.split(/[\s:]+/) ?? []
        expect(names.filter((name) => name === 'from')).toHaveLength(2)
        expect(names).toEqual(expect.arrayContaining(['subject', 'date', 'message-id']))
      }
    })
  }
})

test('delivered unchanged, except for the signature at the top', async () => {
  const given = lines(
    `From: Ann <ann@${ann.domain}>`,
    'To: somebody@else.test',
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
    'Date: Fri, 20 Nov 2026 10:00:00 +0100',
    'Message-ID: <mine@elsewhere.test>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello.',
    '..',
    '--b',
    'Content-Type: application/pdf; name="a.pdf"',
    'Content-Transfer-Encoding: base64',
    "Content-Disposition: attachment; filename*=utf-8''M%C3%A4rz.pdf",
    '',
    'aGVsbG8=',
    '--b--',
  )
  const { id, message, raw } = await arrived(given)
  expect(raw.endsWith(given)).toBe(true)
  expect(raw.slice(0, -given.length)).toMatch(/^(DKIM-Signature: (.*\r\n )*.*\r\n)$/)
  expect(message.from).toMatch(new RegExp(`\\.${ann.domain}$`))
  expect((await ann.get(`/emails/${id}/raw`)).text).toBe(raw)
  const { json } = await ann.get(`/emails/${id}`)
  expect(json).toMatchObject({
    message_id: '<mine@elsewhere.test>',
    from: `Ann <ann@${ann.domain}>`,
    to: message.to,
    cc: [],
    bcc: [],
    subject: 'Grüße',
    text: 'Hello.\n..',
    html: null,
    status: 'delivered',
    domain: { name: ann.domain },
    attachments: [{ filename: 'März.pdf', content_type: 'application/pdf', content_id: null, size: 5 }],
  })
})

describe('to a server without 8BITMIME', () => {
  const TEXT =
    'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGrüße 😀\r\n'
  let bob: Sender
  beforeAll(async () => {
    bob = await service.givenSender({ dkimEd25519: true })
  })

  async function sent(header: string, body: string) {
    const to = `x@${service.givenDestination(PLAIN)}`
    const raw = `From: bob@${bob.domain}\r\nSubject: x\r\nMIME-Version: 1.0\r\n${header}\r\n${body}`
    const { json } = await bob.post('/emails/mime', request({ envelope_to: to, raw_message: raw }, bob))
    const email = await bob.settled(json.id)
    const { json: attempts } = await bob.get(`/emails/${json.id}/attempts`)
    const message = plain.messages.find((one) => one.to.includes(to))
    return { id: json.id, email, attempts: JSON.stringify(attempts), message }
  }

  test('delivered in seven bits and short lines, with the same text', async () => {
    const text = `Grüße 😀 ${LONG}\n.\nend`
    const { email, message } = await sent('', text.replaceAll('\n', '\r\n'))
    expect(email.status).toBe('delivered')
    const { raw } = message as MxMessage
    expect(raw.toString('latin1')).toMatch(/^[\t\r\n -~]*$/)
    for (const read of [await simpleParser(raw), await PostalMime.parse(raw)]) {
      expect((read.text ?? '').replace(/\n+$/, '')).toBe(text)
    }
  })

  test('delivered with the UTF-8 of its header in encoded words', async () => {
    const { email, message } = await sent('X-Name: Grüße\r\n', 'x')
    expect(email.status).toBe('delivered')
    const { raw } = message as MxMessage
    expect(raw.toString('latin1')).toMatch(/^[\t\r\n -~]*$/)
    const name = (await simpleParser(raw)).headers.get('x-name') as string
    expect(decodeWords(name)).toBe('Grüße')
  })

  test('bounced when an address in its header has no ASCII form, which the attempt says', async () => {
    const { email, attempts } = await sent('X-Name: Grüße\r\nCc: Jörg <jörg@x.test>\r\n', 'x')
    expect(email.recipients[0]).toMatchObject({ status: 'bounced', enhanced_code: '5.6.7' })
    expect(email.recipients[0].response).toMatch(/^the header field Cc needs SMTPUTF8/)
    expect(attempts).toContain('the header field Cc needs SMTPUTF8')
  })

  test('delivered in seven bits, signed as sent, with its forwarded message', async () => {
    const { email, message, attempts, id } = await sent(
      'Content-Type: multipart/mixed; boundary=m\r\n',
      `--m\r\nContent-Type: message/rfc822\r\n\r\nFrom: e@x.test\r\nMIME-Version: 1.0\r\n${TEXT}--m--\r\n`,
    )
    expect(email.status).toBe('delivered')
    const { raw } = message as MxMessage
    expect(raw.toString('latin1')).toMatch(/^[\t\r\n -~]*$/)
    const [forwarded] = (await simpleParser(raw)).attachments
    expect((await simpleParser(forwarded?.content as Buffer)).text?.trim()).toBe('Grüße 😀')
    const results = await verify(message as MxMessage)
    expect(results.map(({ status }) => status.result)).toEqual(['pass', 'pass'])
    expect(attempts).toContain('does not offer 8BITMIME: the message was encoded in seven bits')
    expect(attempts).not.toContain('breaks a signature')
    // The stored message is the given one, with separate signatures.
    const kept = (await bob.get(`/emails/${id}/raw`)).text
    expect(kept).toContain('Grüße 😀')
    const ofKept = await verify({ ...(message as MxMessage), raw: Buffer.from(kept) })
    expect(ofKept.map(({ status }) => status.result)).toEqual(['pass', 'pass'])
  })

  test('delivered with a signed part re-encoded, which the attempt reports', async () => {
    const { email, message, attempts } = await sent(
      'Content-Type: multipart/signed; boundary=s\r\nContent-Transfer-Encoding: 8bit\r\n',
      `--s\r\n${TEXT}--s\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--s--\r\n`,
    )
    expect(email.status).toBe('delivered')
    expect((await PostalMime.parse((message as MxMessage).raw)).text?.trim()).toBe('Grüße 😀')
    const results = await verify(message as MxMessage)
    expect(results.map(({ status }) => status.result)).toEqual(['pass', 'pass'])
    expect(attempts).toContain('which breaks a signature inside it')
  })

  test('failed without contacting the server when it cannot be encoded', async () => {
    const before = plain.messages.length
    const { email } = await sent(
      'Content-Type: multipart/mixed; boundary=m\r\n',
      '--m\r\nContent-Type: message/rfc822\r\n\r\nContent-Transfer-Encoding: x-uu\r\n\r\nGrüße\r\n--m--\r\n',
    )
    expect(email.recipients[0]).toMatchObject({ status: 'failed', enhanced_code: '5.6.3' })
    expect(email.recipients[0].response).toMatch(/8BITMIME/)
    expect(plain.messages).toHaveLength(before)
  })
})

describe('accepted like any other email', () => {
  const key = (text: string) => ({ 'idempotency-key': text })

  test('once for an idempotency key; 409 for another body', async () => {
    const first = await ann.post('/emails/mime', request(), key('m'))
    const again = await ann.post('/emails/mime', request(), key('m'))
    expect([again.status, again.json]).toEqual([202, first.json])
    const other = await ann.post('/emails/mime', request({ envelope_to: 'x@simulator.test' }), key('m'))
    expect([other.status, other.json.name]).toEqual([409, 'invalid_idempotent_request'])
  })

  test('suppressed, with no RCPT, for an address on the list in any form', async () => {
    const to = service.givenDestination()
    await ann.post('/suppressions', { email: `Gone@${to}` })
    const { json } = await ann.post('/emails/mime', request({ envelope_to: `"Some, Body" <gONE@${to}>` }))
    expect((await ann.settled(json.id)).status).toBe('suppressed')
    expect(service.mx.commands.filter(({ line }) => line.includes(to))).toEqual([])
  })

  test('bounced by the simulator', async () => {
    const { json } = await ann.post('/emails/mime', request({ envelope_to: 'bounced@simulator.test' }))
    expect((await ann.settled(json.id)).status).toBe('bounced')
  })

  test('counted; rejected when the quota is used up or sending is paused', async () => {
    const bob = await service.givenSender({ plan: 'free' })
    const send = (to: string) => bob.post('/emails/mime', request({ envelope_to: to }, bob))
    expect((await send(`x@${service.givenDestination()}`)).status).toBe(202)
    await service.db.query('update usage set day_recipients = 100 where team_id = $1', [bob.id])
    expect((await send('x@to.test')).json.message).toBe('Daily email quota exceeded.')
    expect((await send('delivered@simulator.test')).status).toBe(202)
    await pauseTeam(service.db, bob.id, new Date())
    expect((await send('delivered@simulator.test')).json.message).toBe('Sending is paused for this account.')
  })

  test('by a key that may only send, only from its domain', async () => {
    const send = await ann.givenKey({ permission: 'send', domainId: ann.domainId })
    expect((await send.post('/emails/mime', request())).status).toBe(202)
    const other = await ann.post('/domains', { name: `other.${ann.domain}` })
    const limited = await ann.givenKey({ permission: 'send', domainId: other.json.id })
    const { status, json } = await limited.post('/emails/mime', request())
    expect([status, json.name]).toEqual([403, 'restricted_api_key'])
  })
})

describe('the maximum length', () => {
  test('202 for a message of 37,500,000 characters, delivered complete and signed', async () => {
    const head = lines(`From: ann@${ann.domain}`, 'Subject: big', '')
    const raw = (head + `${'0123456789'.repeat(7)}abcdef\n`.repeat(500_000)).slice(0, 37_500_000)
    const to = `x@${service.givenDestination(PLAIN)}`
    const { status, text } = await ann.post('/emails/mime', request({ envelope_to: to, raw_message: raw }))
    expect(status, text).toBe(202)
    const message = (await plain.waitFor(plain.messages.length + 1)).at(-1) as MxMessage
    const body = message.raw.subarray(message.raw.indexOf('\r\n\r\n') + 4).toString('latin1')
    expect(body.replaceAll('\r\n', '\n') === `${raw.slice(head.length)}\n`).toBe(true)
    const results = await verify(message)
    expect(results.map(({ status: { result } }) => result)).toEqual(['pass'])
  })

  // The tables of test/contract send 37,500,001 characters, and raw-reencode.test.ts counts the bytes in UTF-8.
  test('422 for 9 characters, 202 for 10', async () => {
    const short = await ann.post('/emails/mime', request({ raw_message: 'From:a@bc' }))
    expect([short.status, short.json.errors]).toEqual([
      422,
      { raw_message: ['The raw_message field must be at least 10 characters.'] },
    ])
    const tiny = await service.givenSender({ domain: 'b.c' })
    const ten = { envelope_from: 'a@b.c', raw_message: 'From:a@b.c' }
    expect((await tiny.post('/emails/mime', request(ten, tiny))).status).toBe(202)
  })
})
