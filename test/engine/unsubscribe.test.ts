import { Resolver } from 'node:dns/promises'
import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

/** Sends an email and returns the message as received, with its unsubscribe link at the host that the test can reach. */
async function sendTopic(fields: Record<string, unknown> = {}) {
  const to = `reader@${service.givenDestination()}`
  const id = await ann.send({ to, unsubscribe: { topic: 'Product news' }, ...fields })
  await ann.settled(id)
  const raw = service.mx.messages.find((one) => one.raw.includes(`<${id}@`))?.raw ?? Buffer.alloc(0)
  const { headers } = await simpleParser(raw)
  const list = headers.get('list') as unknown as { unsubscribe: { url: string; mail?: string } }
  const path = new URL(list.unsubscribe.url).pathname
  const visit = (method: string, suffix = '', init: RequestInit = {}) =>
    fetch(`${service.url}${path}${suffix}`, { method, ...init })
  return { id, to, raw, list, path, visit }
}

/** The request of RFC 8058 section 3.2. */
const ONE_CLICK = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
}

const eventsOf = async (email: string) => {
  const { data } = (await ann.get(`/unsubscriptions?email=${encodeURIComponent(email)}`)).json
  const rows = await service.db.query<{ data: Record<string, unknown> }>(
    `select data
     from event
     where team_id = $1 and type = 'contact.unsubscribed' and data ->> 'email' = $2`,
    [ann.id, email],
  )
  return { entries: data, events: rows.map((row) => row.data) }
}

describe('the header', () => {
  test('has a link, an address and one-click support, all covered by the signature', async () => {
    const { raw, list, path } = await sendTopic()
    expect(path).toMatch(/^\/unsubscribe\/[\w-]+$/)
    expect(list.unsubscribe.url).toMatch(/^https:\/\/api\.test\//)
    expect(list.unsubscribe.mail).toMatch(/^unsub-[a-z2-7]{52}@mail\.sendwright\.test\?subject=unsubscribe$/)
    expect(raw.toString()).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const resolver = new Resolver()
    resolver.setServers([service.dns.server])
    const { dkim } = await authenticate(raw, {
      ip: '127.0.0.1',
      resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
    })
    expect(dkim.results.map(({ status }) => status.result)).toEqual(['pass'])
    for (const [field] of raw.toString().matchAll(/^DKIM-Signature:[\s\S]*?\r\n(?![ \t])/gm)) {
      expect(field.replace(/\s/g, '')).toMatch(/h=[^;]*list-unsubscribe:list-unsubscribe-post/i)
    }
  })

  test('works for the longest topic and address with three mail parsers', async () => {
    const to = `${'\u6f22'.repeat(21)}@${service.givenDestination()}`
    const { raw, list, visit } = await sendTopic({ to, unsubscribe: { topic: '\u6f22'.repeat(100) } })
    const lines = raw.toString('latin1').split('\r\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998)
    const unfolded = raw.toString().replace(/\r\n(?=[ \t])/g, '')
    expect(/^List-Unsubscribe: <([^>]*)>/m.exec(unfolded)?.[1]).toBe(list.unsubscribe.url)
    const { headers } = await PostalMime.parse(raw)
    expect(headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain(
      `<${list.unsubscribe.url}>`,
    )
    expect((await visit('POST', '', ONE_CLICK)).status).toBe(200)
    expect((await eventsOf(to)).entries).toMatchObject([{ topic: '\u6f22'.repeat(100) }])
  })

  test('422 with several recipients, without a list or topic, with both, or with a custom List-Unsubscribe', async () => {
    const topic = { topic: 'News' }
    const cases: [string, Record<string, unknown>][] = [
      ['unsubscribe', { to: ['a@x.test', 'b@x.test'], unsubscribe: topic }],
      ['unsubscribe', { bcc: 'b@x.test', unsubscribe: topic }],
      ['unsubscribe', { unsubscribe: {} }],
      ['unsubscribe', { unsubscribe: { ...topic, list_id: crypto.randomUUID() } }],
      ['unsubscribe.topic', { unsubscribe: { topic: 'a\r\nBcc: c@x.test' } }],
      ['unsubscribe.topic', { unsubscribe: { topic: '' } }],
      ['unsubscribe.topic', { unsubscribe: { topic: '\u{1f600}'.repeat(76) } }],
      ['unsubscribe.list_id', { unsubscribe: { list_id: crypto.randomUUID() } }],
      ['unsubscribe.list_id', { unsubscribe: { list_id: await listOf(await service.givenSender()) } }],
      [
        'headers.List-Unsubscribe',
        { unsubscribe: topic, headers: { 'List-Unsubscribe': '<https://x.test>' } },
      ],
    ]
    for (const [field, given] of cases) {
      const { status, json } = await ann.post('/emails', ann.email(given))
      expect([status, Object.keys(json.errors)], JSON.stringify(given)).toEqual([422, [field]])
    }
  })
})

async function listOf(team: Sender, email?: string): Promise<string> {
  const { id } = (await team.post('/lists', { name: 'Weekly' })).json
  if (email !== undefined) await team.post('/contacts', { email, list_ids: [id] })
  return id
}

describe('with one click', () => {
  test('once, with an event; mail of the topic stops, and other mail continues', async () => {
    const { id, to, visit } = await sendTopic()
    for (let round = 0; round < 2; round++) expect((await visit('POST', '', ONE_CLICK)).status).toBe(200)
    const { entries, events } = await eventsOf(to)
    expect(entries).toMatchObject([
      { email: to, topic: 'Product news', list_id: null, source: 'one_click', email_id: id },
    ])
    expect(events).toEqual([
      { id: null, email: to, topic: 'Product news', email_id: id, source: 'one_click' },
    ])
    const again = await ann.settled(
      await ann.send({ to: to.toUpperCase(), unsubscribe: { topic: 'Product news' } }),
    )
    expect(again.status).toBe('suppressed')
    expect(again.events.at(-1)).toMatchObject({
      type: 'email.suppressed',
      data: { category: 'unsubscribed' },
    })
    expect((await ann.settled(await ann.send({ to, unsubscribe: { topic: 'Alerts' } }))).status).toBe(
      'delivered',
    )
    expect((await ann.settled(await ann.send({ to }))).status).toBe('delivered')
  })

  test('once for a hundred concurrent requests, with either form encoding', async () => {
    const { to, visit } = await sendTopic()
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, no) => visit('POST', '', no % 2 === 0 ? ONE_CLICK : { body: form })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const { entries, events } = await eventsOf(to)
    expect([entries.length, events.length]).toEqual([1, 1])
  })

  test.each<[string, RequestInit]>([
    [
      'plain text',
      { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${ONE_CLICK.body}\r\n` },
    ],
    ['a body without a type', { body: new Blob([ONE_CLICK.body]) }],
    ['lower case', { ...ONE_CLICK, body: ONE_CLICK.body.toLowerCase() }],
    ['lower case, without a type', { body: new Blob([ONE_CLICK.body.toLowerCase()]) }],
  ])('200, and unsubscribed, for the pair in %s', async (_, init) => {
    const { to, visit } = await sendTopic()
    expect((await visit('POST', '', init)).status).toBe(200)
    expect((await eventsOf(to)).entries).toHaveLength(1)
  })

  test.each<[string, RequestInit]>([
    ['no body', {}],
    ['an empty form', { ...ONE_CLICK, body: '' }],
    ['another field', { ...ONE_CLICK, body: 'unsubscribe=yes' }],
    ['another value', { ...ONE_CLICK, body: 'List-Unsubscribe=Two-Clicks' }],
    ['the pair and more as plain text', { body: `${ONE_CLICK.body}&a=b` }],
    ['the pair in a text', { body: `Visit ${ONE_CLICK.body}` }],
    ['the pair as another type', { headers: { 'content-type': 'text/html' }, body: ONE_CLICK.body }],
    ['JSON', { headers: { 'content-type': 'application/json' }, body: '{"List-Unsubscribe":"One-Click"}' }],
    [
      'a broken form',
      { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: ONE_CLICK.body },
    ],
  ])('422 with the page, and nothing changes, for %s', async (_, init) => {
    const { to, visit } = await sendTopic()
    const reply = await visit('POST', '', init)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
    expect(await reply.text()).toContain('<button type="submit">Unsubscribe</button>')
    expect(await eventsOf(to)).toEqual({ entries: [], events: [] })
  })

  test('429 for endless undoing; unsubscribed in the end', async () => {
    const { to, visit } = await sendTopic()
    const undone: number[] = []
    for (let round = 0; round < 6; round++) {
      await visit('POST', '', ONE_CLICK)
      undone.push((await visit('POST', '/undo')).status)
    }
    expect(undone).toEqual([200, 200, 200, 200, 200, 429])
    expect((await eventsOf(to)).events).toHaveLength(6)
    expect((await eventsOf(to)).entries).toHaveLength(1)
  })

  test('413 for a body that is too large for a one-click form, before it is buffered', async () => {
    const { to, visit } = await sendTopic()
    expect((await visit('POST', '', { ...ONE_CLICK, body: 'a'.repeat(5_000) })).status).toBe(413)
    expect((await eventsOf(to)).entries).toEqual([])
  })

  test('even for accepted mail that waits for a retry', async () => {
    const { to, visit } = await sendTopic()
    service.mx.script({ expect: `RCPT TO:<${to}>`, answer: '450 4.2.0 Later' })
    const id = await ann.send({ to, unsubscribe: { topic: 'Product news' } })
    await ann.seen(id, ({ status }) => status === 'delivery_delayed')
    await visit('POST', '', ONE_CLICK)
    expect(await ann.settled(id)).toMatchObject({ status: 'suppressed' })
  })

  test('the contact leaves the list, and returns after an undo', async () => {
    const to = `member@${service.givenDestination()}`
    const listId = await listOf(ann, to)
    const { visit } = await sendTopic({ to, unsubscribe: { list_id: listId } })
    const members = async () =>
      (await ann.get(`/lists/${listId}/contacts`)).json.data.map((one: { email: string }) => one.email)
    await visit('POST', '', ONE_CLICK)
    expect(await members()).toEqual([])
    expect((await visit('POST', '/undo')).status).toBe(200)
    expect(await members()).toEqual([to])
    expect((await ann.settled(await ann.send({ to, unsubscribe: { list_id: listId } }))).status).toBe(
      'delivered',
    )
  })

  test('undone only by the team of the contact', async () => {
    const { to, visit } = await sendTopic()
    await visit('POST', '', ONE_CLICK)
    const [{ id }] = (await eventsOf(to)).entries
    const bob = await service.givenSender()
    const foreign = await bob.delete(`/unsubscriptions/${id}`)
    expect([foreign.status, foreign.text]).toEqual([
      404,
      (await bob.delete(`/unsubscriptions/${crypto.randomUUID()}`)).text,
    ])
    expect((await ann.delete(`/unsubscriptions/${id}`)).json).toMatchObject({
      object: 'unsubscription',
      id,
      deleted: true,
    })
    expect((await ann.settled(await ann.send({ to, unsubscribe: { topic: 'Product news' } }))).status).toBe(
      'delivered',
    )
  })
})

describe('the page', () => {
  test('GET and HEAD change nothing; the page shows the sender, and loads and runs nothing', async () => {
    const { to, visit } = await sendTopic({ from: `"img src='x' & onerror=alert(1)" <news@${ann.domain}>` })
    const page = await visit('GET')
    expect((await visit('HEAD')).status).toBe(200)
    const html = await page.text()
    expect(html).toMatch(/img src=&#39;x&#39; &(amp|#38); onerror=alert\(1\)/)
    expect(html).not.toMatch(/<(?:img|script|link|iframe)|https?:/)
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
    )
    expect((await eventsOf(to)).entries).toEqual([])
    const action = /action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&#63;', '?') ?? ''
    const done = await fetch(new URL(action, page.url), {
      method: 'POST',
      headers: ONE_CLICK.headers,
      body: '',
    })
    expect(await done.text()).toContain('You are unsubscribed')
    expect((await eventsOf(to)).entries).toMatchObject([{ source: 'link' }])
  })

  test('404 for a link with any changed character, and nothing changes', async () => {
    const { to, path } = await sendTopic()
    const token = path.slice('/unsubscribe/'.length)
    for (let at = 0; at < token.length; at += 7) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      const reply = await fetch(`${service.url}/unsubscribe/${changed}`, { method: 'POST', ...ONE_CLICK })
      expect(reply.status).toBe(404)
    }
    const last = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
    expect((await fetch(`${service.url}/unsubscribe/${last}`, { method: 'POST' })).status).toBe(404)
    expect((await eventsOf(to)).entries).toEqual([])
  })
})
