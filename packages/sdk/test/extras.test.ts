import nodemailer, { type SendMailOptions } from 'nodemailer'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { sendwrightTransport } from '../src/nodemailer.ts'
import { Sendwright } from '../src/react.ts'
import { openInbox } from '../src/testing.ts'
import { useServer } from './support/server.ts'

const setup = useServer()

describe('react', () => {
  const welcome = (name: string) => createElement('p', null, 'Welcome, ', createElement('b', null, name), '!')

  test('a component becomes the HTML and the text of an email', async () => {
    const { sender } = await setup.givenClient()
    const client = new Sendwright({ apiKey: sender.token, baseUrl: setup.proxy.url })
    const inbox = await openInbox(client)
    const email = { from: `a@${sender.domain}`, to: 'ann@receiver.test', subject: 'Welcome' }
    await client.emails.send({ ...email, react: welcome('Ann & Co') }).orThrow()
    const message = await inbox.waitFor({ to: 'ann@receiver.test' })
    expect(message.html).toContain('<b>Ann &amp; Co</b>')
    expect(message.text).toContain('Welcome, Ann & Co!')
  })

  test('without the extra, the error names the import', async () => {
    const { client, sender } = await setup.givenClient()
    const email = { from: `a@${sender.domain}`, to: 'ann@receiver.test', subject: 'Welcome' }
    const { error } = await client.emails.send({ ...email, react: welcome('Ann') })
    expect(error).toMatchObject({
      name: 'invalid_request',
      message: expect.stringContaining('@sendwright/sdk/react'),
    })
  })
})

describe('testing', () => {
  test('waitFor returns each matching message once, and none from before the inbox was opened', async () => {
    const { client, sender } = await setup.givenClient()
    const send = (fields: object) => sender.send({ to: 'Ann@receiver.test', ...fields })
    await sender.settled(await send({ subject: 'Before' }))
    const inbox = await openInbox(client)
    await send({ subject: 'First' })
    const first = await inbox.waitFor({ to: 'ann@receiver.test' })
    expect(first).toMatchObject({ subject: 'First', text: expect.stringContaining('It works.') })
    await send({ subject: 'Other' })
    await send({ subject: 'Code 123456' })
    const second = await inbox.waitFor({ subject: /^Code \d+$/, from: `ann@${sender.domain}` })
    expect(second.subject).toBe('Code 123456')
    expect((await inbox.messages()).map(({ subject }) => subject).sort()).toEqual([
      'Code 123456',
      'First',
      'Other',
    ])
  })

  test('a timeout names the messages that arrived', async () => {
    const { client, sender } = await setup.givenClient()
    const inbox = await openInbox(client)
    await sender.settled(await sender.send({ to: 'ann@receiver.test', subject: 'Hello' }))
    const bob = { to: 'bob@receiver.test' }
    const forms = [
      () => inbox.waitFor(bob, { timeoutMs: 200 }),
      () => inbox.waitFor({ ...bob, timeoutMs: 200 }),
    ]
    for (const waitFor of forms) {
      await expect(waitFor()).rejects.toMatchObject({
        name: 'timeout',
        message: expect.stringMatching(
          /^No message with to bob@receiver\.test arrived within 200 ms.*ann@receiver\.test "Hello"/,
        ),
      })
    }
  })
})

describe('nodemailer', () => {
  test('a mail with several recipients is one email, with its headers and files', async () => {
    const { client, sender } = await setup.givenClient()
    const transport = nodemailer.createTransport(sendwrightTransport(client))
    const inbox = await openInbox(client)
    const info = await transport.sendMail({
      from: { name: 'Ann, "A"', address: `ann@${sender.domain}` },
      to: ['bob@receiver.test', { name: 'Zoë', address: 'zoe@receiver.test' }],
      bcc: 'eve@receiver.test',
      replyTo: 'help@receiver.test',
      subject: 'Report',
      html: '<p>Report</p>',
      priority: 'high',
      headers: { 'X-Kind': 'report' },
      attachments: [{ filename: 'ü.txt', content: 'grüße' }],
      sendwright: { tags: [{ name: 'kind', value: 'report' }] },
    } as SendMailOptions)
    expect(info).toMatchObject({
      messageId: info.ids[0],
      accepted: ['bob@receiver.test', 'zoe@receiver.test', 'eve@receiver.test'],
      rejected: [],
    })
    const email = await client.emails.get(info.messageId).orThrow()
    expect(email).toMatchObject({
      tags: [{ name: 'kind', value: 'report' }],
      reply_to: ['help@receiver.test'],
    })
    const message = await inbox.waitFor({ to: 'eve@receiver.test' })
    expect(message.from).toEqual([{ name: 'Ann, "A"', address: `ann@${sender.domain}` }])
    expect(message.to.map(({ name }) => name)).toEqual(['', 'Zoë'])
    expect(message.headers).toContainEqual({ name: 'X-Kind', value: 'report' })
    expect(message.headers).toContainEqual({ name: 'X-Priority', value: '1 (Highest)' })
    const [file] = message.attachments
    expect([file?.filename, Buffer.from(file?.content ?? '', 'base64').toString()]).toEqual([
      'ü.txt',
      'grüße',
    ])
  })

  test('a calendar invitation is sent as Nodemailer built it, to each recipient', async () => {
    const { client, sender } = await setup.givenClient()
    const transport = nodemailer.createTransport(sendwrightTransport(client))
    const inbox = await openInbox(client)
    const info = await transport.sendMail({
      from: `ann@${sender.domain}`,
      to: ['bob@receiver.test', 'zoe@receiver.test'],
      subject: 'Meeting',
      text: 'Grüße',
      icalEvent: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' },
    })
    expect(info.ids).toHaveLength(2)
    expect((await inbox.waitFor({ to: 'zoe@receiver.test' })).raw).toContain('text/calendar')
  })

  test('a mail as built by Nodemailer is not sent with fields that it cannot have', async () => {
    const { client, sender } = await setup.givenClient()
    const transport = nodemailer.createTransport(sendwrightTransport(client))
    const addresses = { from: `ann@${sender.domain}`, to: 'bob@receiver.test' }
    const meeting = {
      ...addresses,
      subject: 'Meeting',
      text: 'Any',
      icalEvent: { content: 'BEGIN:VCALENDAR' },
    }
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const first = setup.proxy.passed.length
    const refused = [
      { fields: { scheduled_at: later }, names: 'sendwright.scheduled_at' },
      { fields: { tags: [{ name: 'kind', value: 'any' }] }, names: 'sendwright.tags' },
      {
        fields: { unsubscribe: { topic: 'News' }, topic_id: 'any' },
        names: 'sendwright.unsubscribe, sendwright.topic_id',
      },
    ]
    for (const { fields, names } of refused) {
      const mail = { ...meeting, sendwright: { class: 'bulk', ...fields } } as SendMailOptions
      await expect(transport.sendMail(mail)).rejects.toMatchObject({
        name: 'invalid_request',
        message: expect.stringContaining(
          `A mail with icalEvent is sent as built by Nodemailer, without ${names}.`,
        ),
      })
    }
    expect(setup.proxy.passed.length).toBe(first)
    const own = { class: 'bulk', idempotencyKey: 'meeting', tags: [], scheduled_at: null }
    expect((await transport.sendMail({ ...meeting, sendwright: own } as SendMailOptions)).ids).toHaveLength(1)
  })

  test('a blank key of mails as built by Nodemailer does not make them one', async () => {
    const { client, sender } = await setup.givenClient()
    const transport = nodemailer.createTransport(sendwrightTransport(client))
    const mail = { from: `ann@${sender.domain}`, to: 'bob@receiver.test', text: 'Any' }
    const icalEvent = { content: 'BEGIN:VCALENDAR' }
    for (const subject of ['One', 'Two']) {
      const meeting = { ...mail, subject, icalEvent, sendwright: { idempotencyKey: ' ' } }
      expect((await transport.sendMail(meeting as SendMailOptions)).accepted).toHaveLength(1)
    }
  })

  test('a mail with text in another encoding is an error, because its letters would be lost', async () => {
    const { client, sender } = await setup.givenClient()
    const transport = nodemailer.createTransport(sendwrightTransport(client))
    const head = `From: ann@${sender.domain}\r\nTo: bob@receiver.test\r\nSubject: Any\r\n`
    const type = 'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n'
    const envelope = { from: `ann@${sender.domain}`, to: 'bob@receiver.test' }
    const text = Buffer.from('Grüße', 'latin1')
    const raw = Buffer.concat([Buffer.from(`${head}${type}\r\n`), text])
    const attachments = [{ filename: 'a.bin', content: text, contentTransferEncoding: '8bit' as const }]
    for (const mail of [{ raw }, { ...envelope, text: 'x', attachments }]) {
      await expect(transport.sendMail({ envelope, ...mail })).rejects.toMatchObject({
        name: 'invalid_request',
        message: 'The mail as built is not UTF-8. Encode its parts as quoted-printable or base64.',
      })
    }
  })

  test('an error of the API is the error of sendMail', async () => {
    const { client } = await setup.givenClient()
    const transport = nodemailer.createTransport(sendwrightTransport(client))
    const mail = { from: 'a@unverified.test', to: 'b@receiver.test', subject: 'Any', text: 'Any' }
    await expect(transport.sendMail(mail)).rejects.toMatchObject({
      name: 'validation_error',
      message: 'The from address domain is not verified.',
    })
  })
})
