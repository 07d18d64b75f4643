import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import type { Requester } from '../support/client.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { idOf, logIn, submitRaw } from '../support/submission.ts'

/** A key that may only send sees the content of the emails that it sent itself, and of no others. */
let service: TestSendwright
let ann: Sender
let shop: Requester & { keyId: string }
let other: Requester
let bound: Requester

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: { SENDWRIGHT_SUBMISSIONS_PORT: '0', SENDWRIGHT_DELIVERY: 'capture' },
  })
  ann = await service.givenSender()
  shop = await ann.givenKey({ permission: 'send' })
  other = await ann.givenKey({ permission: 'send' })
  bound = await ann.givenKey({ permission: 'send', domainId: ann.domainId })
})
afterAll(() => service?.stop())

const MARK = 'top-secret'
const HIDDEN = `hidden-${MARK}@receiver.test`
const secret = () =>
  ann.email({
    to: 'bob@receiver.test',
    bcc: HIDDEN,
    html: `<p><a href="https://shop.example/${MARK}">Reset</a></p>`,
    text: MARK,
    headers: { 'X-Mark': MARK },
    attachments: [{ filename: `${MARK}.txt`, content: 'SGk=' }],
  })

async function givenEmail(sender: Pick<Requester, 'post'>, path = '/emails', body: unknown = secret()) {
  const { status, text, json } = await sender.post(path, body)
  expect(status, text).toBe(202)
  return (json.id ?? json.data[0].id) as string
}

const EMPTY = { html: null, text: null, bcc: [], headers: {}, attachments: [], content_expired: false }

describe('an email of another key', () => {
  test('is shown with its results but without content, to every key that may only send', async () => {
    const id = await givenEmail(shop)
    const whole = await ann.settled(id)
    // A click names a link of the content.
    await service.db.query(
      `insert into event (team_id, subject_id, id, type, data, created_at, position)
       select team_id, subject_id, $2, 'email.clicked', $3, created_at, 1000
       from event where subject_id = $1 and type = 'email.queued'`,
      [id, newId(), { recipient: null, link: `https://shop.example/${MARK}` }],
    )
    for (const key of [other, bound]) {
      const { status, json, text } = await key.get(`/emails/${id}`)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        id,
        subject: 'Hello',
        to: ['bob@receiver.test'],
        status: whole.status,
        ...EMPTY,
      })
      expect(Object.keys(json)).toEqual(Object.keys(whole))
      expect(text).not.toContain(MARK)
      expect(json.recipients).toEqual(whole.recipients.filter(({ type }: { type: string }) => type === 'to'))
      const types = json.events.map(({ type }: { type: string }) => type)
      expect(types).toEqual(['email.queued', 'email.delivered'])
      const asked = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_email', arguments: { id } },
      }
      const tool = await key.post('/mcp', asked)
      expect(tool.json.result.isError).toBeUndefined()
      expect(tool.text).toContain('bob@receiver.test')
      expect(tool.text).not.toContain(MARK)
    }
    for (const key of [ann, shop]) {
      const { json, text } = await key.get(`/emails/${id}`)
      expect(json).toMatchObject({ text: MARK, bcc: [HIDDEN], headers: { 'X-Mark': MARK } })
      expect(json.recipients).toHaveLength(2)
      expect(text).toContain(`https://shop.example/${MARK}`)
    }
  })

  test('is hidden whoever sent it: a full key, the command line, or an earlier version', async () => {
    const id = await givenEmail(ann)
    expect((await shop.get(`/emails/${id}`)).json).toMatchObject(EMPTY)
    const own = await givenEmail(shop)
    await service.db.query('update email set api_key_id = null where id = $1', [own])
    expect((await shop.get(`/emails/${own}`)).json).toMatchObject(EMPTY)
    expect((await ann.get(`/emails/${own}`)).json).toMatchObject({ text: MARK })
  })

  test('says when its content is no longer stored', async () => {
    const id = await givenEmail(shop)
    await ann.settled(id)
    await service.db.query('delete from email_content where email_id = $1', [id])
    for (const key of [shop, other, ann]) {
      expect((await key.get(`/emails/${id}`)).json).toMatchObject({ html: null, content_expired: true })
    }
  })

  test('has neither source, attempts, attachments nor link for a key that may only send', async () => {
    const id = await givenEmail(shop)
    for (const part of ['raw', 'attempts', 'attachments', 'attachments/0']) {
      expect((await other.get(`/emails/${id}/${part}`)).json.name, part).toBe('restricted_api_key')
    }
    expect((await other.post(`/emails/${id}/share`, {})).json.name).toBe('restricted_api_key')
  })
})

describe('an own email is shown as a whole when it was sent', () => {
  const mime = () => `From: ann@${ann.domain}\r\nTo: bob@receiver.test\r\nSubject: Hello\r\n\r\n${MARK}\r\n`

  test.each([
    ['as one', '/emails', () => ({ ...secret(), text: MARK })],
    ['in a batch', '/emails/batch', () => [{ ...secret(), text: MARK }]],
    [
      'as a message',
      '/emails/mime',
      () => ({ envelope_from: `ann@${ann.domain}`, envelope_to: 'bob@receiver.test', raw_message: mime() }),
    ],
  ])('%s', async (_, path, body) => {
    const id = await givenEmail(shop, path, body())
    expect((await shop.get(`/emails/${id}`)).json.text.trim()).toBe(MARK)
    expect((await other.get(`/emails/${id}`)).json).toMatchObject(EMPTY)
  })

  test('over SMTP, with hidden recipients', async () => {
    const client = await logIn(service.submissionsPort, shop.token)
    const id = idOf(await submitRaw(client, mime(), { to: ['bob@receiver.test', HIDDEN] }))
    client.close()
    expect((await shop.get(`/emails/${id}`)).json).toMatchObject({
      text: expect.stringContaining(MARK),
      bcc: [HIDDEN],
    })
    const { json, text } = await other.get(`/emails/${id}`)
    expect(json).toMatchObject(EMPTY)
    expect(text).not.toContain(MARK)
  })

  test('and a resent one belongs to the key that resent it', async () => {
    const id = await givenEmail(shop)
    const again = await givenEmail(ann, `/emails/${id}/resend`, {})
    const rows = await service.db.query('select api_key_id from email where id = any ($1)', [[id, again]])
    expect(rows).toEqual(expect.arrayContaining([{ apiKeyId: shop.keyId }, { apiKeyId: ann.keyId }]))
  })
})
