import { createServer } from 'node:http'
import type { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ListeningServer, listenHere } from '../support/listen-here.ts'
import { closeResend, good, openResend } from '../support/resend.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

/**
 * Programs for Resend's SDK, redirected here only by the environment (API-22). The SDK is the unmodified npm package,
 * constructed with only a key.
 */
let sendwright: SharedSendwright
let sender: Sender
let resend: Resend
let files: ListeningServer
let newClient: (key: string) => Resend

const LOGO = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255])
const INVOICE = '%PDF-1.4 invoice'
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

beforeAll(async () => {
  sendwright = await shareSendwright('capture')
  sender = await sendwright.givenSender()
  newClient = await openResend(sendwright.url)
  resend = newClient(sender.token)
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/pdf' }).end(INVOICE)
  })
  files = await listenHere(server)
})
afterAll(async () => {
  closeResend()
  await files?.close()
})

const inAnHour = () => new Date(Date.now() + 3_600_000)
const from = () => `Acme <onboarding@${sender.domain}>`
const scheduled = () => ({
  from: from(),
  to: 'ann@receiver.test',
  subject: 'Later',
  text: 'x',
  scheduledAt: inAnHour().toISOString(),
})

/** Returns the only captured message of an email, parsed. */
async function capturedOf(id: string) {
  await sender.settled(id)
  const list = await sender.get('/captured?per_page=100')
  const found = list.json.data.filter((row: { email_id: string }) => row.email_id === id)
  return Promise.all(found.map(async (row: { id: string }) => (await sender.get(`/captured/${row.id}`)).json))
}

describe('emails.send', () => {
  test('sent with html, text, copies, reply addresses, headers, tags and attachments of every kind', async () => {
    const { id } = await good(
      resend.emails.send({
        from: from(),
        to: ['ann@receiver.test'],
        cc: 'Bob <bob@receiver.test>',
        bcc: ['eve@receiver.test'],
        replyTo: 'support@receiver.test',
        subject: 'Grüße ✉',
        html: '<p>Hello <img src="cid:logo"></p>',
        text: 'Hello',
        headers: { 'X-Entity-Ref-ID': '123' },
        tags: [{ name: 'category', value: 'confirm_email' }],
        attachments: [
          { filename: 'logo.png', content: LOGO, contentId: 'logo', contentType: 'image/png' },
          { filename: 'base64.txt', content: Buffer.from('from base64').toString('base64') },
          { path: `${files.url}/files/invoice.pdf` },
          { filename: 'named.pdf', path: `${files.url}/files/1` },
        ],
      }),
    )
    const messages = await capturedOf(id)
    expect(messages.map(({ envelope_to }) => envelope_to).sort()).toEqual([
      'ann@receiver.test',
      'bob@receiver.test',
      'eve@receiver.test',
    ])
    for (const message of messages) {
      expect(message).toMatchObject({
        subject: 'Grüße ✉',
        from: [{ name: 'Acme', address: `onboarding@${sender.domain}` }],
        cc: [{ name: 'Bob', address: 'bob@receiver.test' }],
        reply_to: [{ address: 'support@receiver.test' }],
        html: expect.stringContaining('<img src="cid:logo">'),
        text: expect.stringContaining('Hello'),
      })
      expect(message.raw).toMatch(/^X-Entity-Ref-ID: 123\r$/m)
      expect(message.raw).not.toContain('eve@receiver.test')
      const contents = message.attachments.map((file: { filename: string; content: string }) => [
        file.filename,
        Buffer.from(file.content, 'base64').toString('latin1'),
      ])
      expect(Object.fromEntries(contents)).toEqual({
        'logo.png': LOGO.toString('latin1'),
        'base64.txt': 'from base64',
        'invoice.pdf': INVOICE,
        'named.pdf': INVOICE,
      })
    }
    const email = await good(resend.emails.get(id))
    expect(email).toMatchObject({
      object: 'email',
      id,
      from: from(),
      to: ['ann@receiver.test'],
      cc: ['Bob <bob@receiver.test>'],
      bcc: ['eve@receiver.test'],
      reply_to: ['support@receiver.test'],
      subject: 'Grüße ✉',
      tags: [{ name: 'category', value: 'confirm_email' }],
      last_event: 'delivered',
      scheduled_at: null,
      created_at: expect.stringMatching(TIME),
    })
    expect(email.html).toContain('cid:logo')
    expect(email.message_id).toMatch(/^<.+@.+>$/)
  })

  test('sent with an attachment that is a typed array, an array buffer, or a Buffer in JSON', async () => {
    const bytes = Uint8Array.from(LOGO)
    const { id } = await good(
      resend.emails.send({
        from: from(),
        to: 'ann@receiver.test',
        subject: 'Bytes',
        text: 'x',
        attachments: [
          { filename: 'a.bin', content: bytes as Buffer },
          { filename: 'b.bin', content: bytes.buffer as unknown as Buffer },
          { filename: 'c.bin', content: Buffer.from(LOGO).toJSON() as unknown as Buffer },
        ],
      }),
    )
    const [message] = await capturedOf(id)
    expect(message.attachments.map((file: { content: string }) => file.content)).toEqual(
      Array(3).fill(LOGO.toString('base64')),
    )
  })

  test("sent once for one idempotencyKey; this service's error for another body", async () => {
    const email = { from: from(), to: 'ann@receiver.test', subject: 'Once', text: 'x' }
    const options = { idempotencyKey: 'welcome/1' }
    const first = await good(resend.emails.send(email, options))
    expect((await good(resend.emails.send(email, options))).id).toBe(first.id)
    const { error } = await resend.emails.send({ ...email, subject: 'Twice' }, options)
    expect(error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 })
  })

  test("rejected with this service's name and message", async () => {
    const unverified = await resend.emails.send({ ...scheduled(), from: 'a@unverified.test' })
    expect(unverified.error).toMatchObject({
      name: 'validation_error',
      message: 'The from address domain is not verified.',
      statusCode: 422,
    })
    const { error } = await newClient('re_123456789').emails.send(scheduled())
    expect(error).toMatchObject({ name: 'invalid_api_key', message: 'Invalid API key.', statusCode: 401 })
  })
})

test('scheduled, moved by emails.update, and canceled by emails.cancel', async () => {
  const { id } = await good(resend.emails.send(scheduled()))
  expect(await good(resend.emails.get(id))).toMatchObject({
    last_event: 'scheduled',
    scheduled_at: expect.stringMatching(TIME),
  })
  const moved = new Date(Math.ceil(Date.now() / 1000) * 1000 + 7_200_000)
  expect(await good(resend.emails.update({ id, scheduledAt: moved.toISOString() }))).toEqual({
    object: 'email',
    id,
  })
  expect((await good(resend.emails.get(id))).scheduled_at).toBe(
    moved.toISOString().slice(0, 19).replace('T', ' '),
  )
  expect(await good(resend.emails.cancel(id))).toEqual({ object: 'email', id })
  expect((await good(resend.emails.get(id))).last_event).toBe('canceled')
  expect((await resend.emails.cancel(id)).error).toMatchObject({ statusCode: 409, name: 'conflict' })
})

test('listed by emails.list from page to page, newest first', async () => {
  const other = await sendwright.givenSender()
  const client = newClient(other.token)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.unshift(await other.send({ subject: `Number ${count}` }))
  const first = await good(client.emails.list({ limit: 2 }))
  expect(first).toMatchObject({ object: 'list', has_more: true })
  const second = await good(client.emails.list({ limit: 2, after: first.data[1]?.id as string }))
  const third = await good(client.emails.list({ limit: 2, after: second.data[1]?.id as string }))
  expect(third.has_more).toBe(false)
  expect([...first.data, ...second.data, ...third.data].map(({ id }) => id)).toEqual(ids)
  const back = await good(client.emails.list({ limit: 2, before: second.data[0]?.id as string }))
  expect(back.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect((await good(client.emails.list())).data).toHaveLength(5)
})

test('domains: created, read, listed, changed, verified and removed', async () => {
  const name = 'sdk.example'
  const created = await good(resend.domains.create({ name, region: 'eu-west-1', openTracking: true }))
  expect(created).toMatchObject({ object: 'domain', name, records: expect.any(Array) })
  const { id } = created
  expect(created.records.every((row) => row.name && row.type && row.value && row.record)).toBe(true)
  expect(await good(resend.domains.verify(id))).toMatchObject({ object: 'domain', id })
  expect(await good(resend.domains.get(id))).toMatchObject({ id, status: 'verified' })
  expect(await good(resend.domains.update({ id, clickTracking: true, tls: 'enforced' }))).toMatchObject({
    id,
  })
  expect(await good(resend.domains.get(id))).toMatchObject({ click_tracking: true, tls: 'enforced' })
  const listed = await good(resend.domains.list())
  expect(listed.data.map((domain) => domain.name)).toContain(name)
  expect(await good(resend.domains.remove(id))).toEqual({ object: 'domain', id, deleted: true })
  expect((await resend.domains.get(id)).error).toMatchObject({ name: 'not_found', message: 'Not found.' })
})

test('apiKeys: created with its token, which sends; listed; renamed; removed and then rejected', async () => {
  const made = await good(
    resend.apiKeys.create({
      name: 'sdk',
      permission: 'sending_access',
      domain_id: sender.domainId,
    }),
  )
  const client = newClient(made.token)
  await good(client.emails.send(scheduled()))
  expect((await client.domains.list()).error).toMatchObject({ name: 'restricted_api_key', statusCode: 403 })
  expect((await good(resend.apiKeys.list())).data.map(({ id }) => id)).toContain(made.id)
  expect((await resend.apiKeys.update(made.id, { name: 'renamed' })).error).toBeNull()
  expect((await resend.apiKeys.remove(made.id)).error).toBeNull()
  await expect.poll(async () => (await client.emails.send(scheduled())).error?.name).toBe('invalid_api_key')
})

test('suppressions: added, read, listed and removed', async () => {
  const email = 'Gone@Receiver.test'
  await good(resend.suppressions.add({ email }))
  expect(await good(resend.suppressions.get('gone@receiver.test'))).toMatchObject({
    email: 'gone@receiver.test',
  })
  expect((await good(resend.suppressions.list())).data).toHaveLength(1)
  expect(await good(resend.suppressions.remove(email))).toMatchObject({ deleted: true })
  expect((await resend.suppressions.get(email)).error).toMatchObject({ name: 'not_found' })
})
