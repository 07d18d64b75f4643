import { simpleParser } from 'mailparser'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../../../test/support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../../../test/support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const lines = (...given: string[]) => `${given.join('\r\n')}\r\n`
const parsed = async (id: string, sender = ann) => simpleParser((await sender.get(`/emails/${id}/raw`)).text)

async function resent(
  id: string,
  body = {},
  headers?: Record<string, string>,
  sender = ann,
): Promise<string> {
  const reply = await sender.post(`/emails/${id}/resend`, body, headers)
  expect(reply.status, reply.text).toBe(202)
  return reply.json.id
}

async function fetched(id: string, index: number | string) {
  const headers = { authorization: `Bearer ${ann.token}` }
  const reply = await fetch(`${service.url}/emails/${id}/attachments/${index}`, { headers })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

const WHOLE = {
  to: ['Bob <bob@there.test>', 'cy@there.test'],
  cc: 'dee@there.test',
  bcc: 'eve@there.test',
  reply_to: 'help@acme.test',
  subject: 'Grüße, {{not a variable}}',
  html: '<p>Hällo <img src="cid:logo"></p><a href="https://acme.test/a?b=1&amp;c=2">x</a>',
  headers: { 'X-Order': '17' },
  tags: [{ name: 'kind', value: 'order' }],
  attachments: [
    { filename: 'run.html', content: Buffer.from('<script>1</script>').toString('base64') },
    { filename: 'logo.png', content: PNG.toString('base64'), content_id: 'logo' },
    {
      filename: 'Ünï "x".svg',
      content: Buffer.from('<svg/>').toString('base64'),
      content_type: 'image/svg+xml',
    },
    { filename: 'run.html', content: Buffer.from('<script>2</script>').toString('base64') },
  ],
}

describe('POST /emails/{id}/resend', () => {
  test('202 with a new email of the same content, with a new id, Message-ID and date', async () => {
    const first = await ann.send({ ...WHOLE, from: `"Acme, \\"Inc\\"." <shop@${ann.domain}>` })
    const second = await resent(first)
    const [a, b] = [await ann.settled(first), await ann.settled(second)]
    const own = ['id', 'message_id', 'created_at', 'sent_at', 'recipients', 'events', 'html', 'text']
    const rest = (email: object) =>
      Object.fromEntries(Object.entries(email).filter(([key]) => !own.includes(key)))
    expect(rest(b)).toEqual(rest(a))
    expect([b.html, b.text]).toEqual([a.html, a.text])
    expect(b.message_id).not.toBe(a.message_id)
    expect(b.recipients.map(({ email, type }: Record<string, string>) => [email, type])).toEqual(
      a.recipients.map(({ email, type }: Record<string, string>) => [email, type]),
    )
    const [one, two] = [await parsed(first), await parsed(second)]
    expect(two.attachments.map(({ content, filename }) => [content.toString(), filename])).toEqual(
      one.attachments.map(({ content, filename }) => [content.toString(), filename]),
    )
    expect(two.headers.get('x-order')).toBe('17')
  })

  test('202 to another recipient alone, with copies only where given', async () => {
    const first = await ann.send(WHOLE)
    const { json } = await ann.get(`/emails/${await resent(first, { to: 'zoe@there.test' })}`)
    expect([json.to, json.cc, json.bcc]).toEqual([['zoe@there.test'], [], []])
    expect((await parsed(json.id)).html).toContain('Hällo')
  })

  test('202 with new links if the domain tracks, and with the unsubscribe fields', async () => {
    const bob = await service.givenSender()
    await bob.patch(`/domains/${bob.domainId}`, { click_tracking: true, open_tracking: true })
    const first = await bob.send({
      to: 'bob@there.test',
      html: '<a href="https://acme.test/a?b=1&amp;c=2">x</a>',
      unsubscribe: { topic: 'News' },
    })
    const second = await resent(first, {}, undefined, bob)
    const [one, two] = [await parsed(first, bob), await parsed(second, bob)]
    expect(two.html).toMatch(/\/t\/c\//)
    expect(two.html).not.toBe(one.html)
    expect((String(two.html).match(/\/t\//g) ?? []).length).toBe(
      (String(one.html).match(/\/t\//g) ?? []).length,
    )
    expect((await bob.get(`/emails/${second}`)).json.html).toBe((await bob.get(`/emails/${first}`)).json.html)
    const unsubscribe = JSON.stringify(two.headers.get('list'))
    expect(unsubscribe).toContain('unsubscribe')
    expect(unsubscribe).not.toBe(JSON.stringify(one.headers.get('list')))
  })

  test('202 for a raw message, unchanged except for its identity; a new recipient replaces those it names', async () => {
    const raw_message = lines(
      `From: Ann <ann@${ann.domain}>`,
      'To: list@elsewhere.test',
      'Cc: other@elsewhere.test',
      'Message-ID: <mine@acme.test>',
      'Date: Thu, 01 Jan 2026 10:00:00 +0000',
      'X-Own: kept',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'Hello.',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      '',
      'Inside.',
      '--b--',
    )
    const sent = { envelope_from: `ann@${ann.domain}`, envelope_to: 'bob@there.test', raw_message }
    const first = (await ann.post('/emails/mime', sent)).json.id
    const second = await resent(first)
    const [one, two] = [
      (await ann.get(`/emails/${first}/raw`)).text,
      (await ann.get(`/emails/${second}/raw`)).text,
    ]
    const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n'))
    expect(bodyOf(two)).toBe(bodyOf(one))
    expect(two).toContain('X-Own: kept\r\n')
    expect(two).not.toMatch(/mine@acme|01 Jan 2026/)
    expect((await ann.get(`/emails/${second}`)).json).toMatchObject({
      to: ['bob@there.test'],
      message_id: expect.stringContaining(second),
    })
    const third = (await ann.get(`/emails/${await resent(first, { to: 'Zoë <zoe@there.test>' })}/raw`)).text
    const read = await simpleParser(third)
    expect([read.to, read.cc]).toMatchObject([
      { value: [{ name: 'Zoë', address: 'zoe@there.test' }] },
      undefined,
    ])
  })

  test('202 for a raw message to its original recipients, even if it named none of them', async () => {
    const raw_message = lines(`From: ann@${ann.domain}`, '', 'Hello.')
    const sent = { envelope_from: `ann@${ann.domain}`, envelope_to: 'bob@there.test', raw_message }
    const { id } = (await ann.post('/emails/mime', sent)).json
    // As received over SMTP, which this server's role does not include.
    const addressees = { to: [], cc: [], bcc: ['bob@there.test', 'BOB@there.test'], reply_to: [] }
    await service.db.query('update email set addressees = $3 where team_id = $1 and id = $2', [
      ann.id,
      id,
      JSON.stringify(addressees),
    ])
    const { json } = await ann.get(`/emails/${await resent(id)}`)
    expect(json.recipients).toMatchObject([{ type: 'bcc' }])
    expect(json.recipients).toHaveLength(1)
    const copied = await ann.get(`/emails/${await resent(id, { to: 'cy@there.test', cc: 'dee@there.test' })}`)
    expect(copied.json).toMatchObject({ to: ['cy@there.test'], cc: ['dee@there.test'], bcc: [] })
  })

  test('202 once for one Idempotency-Key; 409 for another email with the same key', async () => {
    const [first, other] = [await ann.send(WHOLE), await ann.send(WHOLE)]
    const key = { 'idempotency-key': 'again-1' }
    expect(await resent(first, {}, key)).toBe(await resent(first, {}, key))
    expect((await ann.post(`/emails/${other}/resend`, {}, key)).json.name).toBe('invalid_idempotent_request')
  })

  test('202 with the current suppressions; 422, 403, 409 and 404 for emails that cannot be resent', async () => {
    const first = await ann.send({ to: 'left@there.test' })
    await ann.post('/suppressions', { email: 'left@there.test' })
    expect((await ann.get(`/emails/${await resent(first)}`)).json.status).toBe('suppressed')
    expect((await ann.post(`/emails/${first}/resend`, { to: 'nobody' })).json.errors).toEqual({
      to: ['The to field must be a valid email address.'],
    })
    const key = await ann.givenKey({ permission: 'send' })
    expect((await key.post(`/emails/${first}/resend`, {})).json.name).toBe('restricted_api_key')
    await service.db.query('delete from email_content where team_id = $1 and email_id = $2', [ann.id, first])
    const gone = await ann.post(`/emails/${first}/resend`, {})
    expect([gone.status, gone.json.name]).toEqual([409, 'conflict'])
    expect((await fetched(first, 0)).status).toBe(404)
    expect((await ann.post(`/emails/${ann.domainId}/resend`, {})).status).toBe(404)
  })
})

describe('GET /emails/{id}/attachments/{index}', () => {
  test('200 with the bytes of the named attachment, always as a download', async () => {
    const id = await ann.send(WHOLE)
    const { attachments } = (await ann.get(`/emails/${id}`)).json
    expect(attachments).toHaveLength(4)
    for (const [index, { content, filename }] of WHOLE.attachments.entries()) {
      const reply = await fetched(id, index)
      expect([reply.status, reply.bytes.toString('base64'), attachments[index].filename]).toEqual([
        200,
        content,
        filename,
      ])
      expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="/)
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
      expect(reply.headers.get('content-type')).toBe(index === 1 ? 'image/png' : 'application/octet-stream')
      expect(reply.headers.get('content-security-policy')).toContain('sandbox')
    }
    const { headers } = await fetched(id, 2)
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="_n_ _x_.svg"; filename*=UTF-8''%C3%9Cn%C3%AF%20%22x%22.svg`,
    )
  })

  test('404 for an index without an attachment, and for text that is not a number', async () => {
    const id = await ann.send(WHOLE)
    for (const index of [4, '-1', 'x', '01', '9999']) expect((await fetched(id, index)).status).toBe(404)
  })

  test('200 for the attachments of a raw message', async () => {
    const raw_message = lines(
      `From: ann@${ann.domain}`,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'Hello.',
      '--b',
      'Content-Type: text/plain; charset=utf-8; name=a.txt',
      '',
      'Grüße',
      '--b',
      'Content-Type: image/gif',
      'Content-ID: <x>',
      'Content-Transfer-Encoding: base64',
      '',
      'R0lG',
      '--b--',
    )
    const sent = { envelope_from: `ann@${ann.domain}`, envelope_to: 'bob@there.test', raw_message }
    const { id } = (await ann.post('/emails/mime', sent)).json
    expect((await fetched(id, 0)).bytes.toString().trim()).toBe('Grüße')
    expect((await fetched(id, 1)).bytes.toString()).toBe('GIF')
  })
})
