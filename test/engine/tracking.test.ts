import { get } from 'node:http'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_TRUSTED_PROXIES: '127.0.0.1,::1' } })
  ann = await service.givenSender()
  await ann.patch(`/domains/${ann.domainId}`, { open_tracking: true, click_tracking: true })
})
afterAll(() => service.stop())

const PERSON =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'
const HTML = `<!doctype html><html><body><p class="a&amp;b">Hi</p>
<a href="https://shop.test/?a=1&amp;b=2#top">one</a> <A HREF='http://other.test/x'>two</A>
<a href="mailto:a@x.test">m</a><a href="tel:+1">t</a><a href="javascript:alert(1)">j</a><a href="data:text/html,x">d</a>
<a href="#top">f</a><a data-no-track href="https://private.test/token">n</a><!-- <a href="https://c.test"> --></body></html>`

async function sendTracked(fields: Record<string, unknown> = {}) {
  const id = await ann.send({
    to: `reader@${service.givenDestination()}`,
    html: HTML,
    text: undefined,
    ...fields,
  })
  await ann.settled(id)
  const raw = service.mx.messages.find((message) => message.raw.includes(id))?.raw ?? Buffer.alloc(0)
  const parsed = await simpleParser(raw)
  const html = String(parsed.html)
  const at = (url: string) => service.url + new URL(url).pathname
  const clicks = [...html.matchAll(/href=["'](https:\/\/api\.test\/t\/c\/[^"']+)["']/gi)].map(([, url]) =>
    at(url ?? ''),
  )
  const pixel = at(/<img src="([^"]+)"/.exec(html)?.[1] ?? 'https://none.test/')
  return { id, html, text: parsed.text ?? '', clicks, pixel }
}

const visit = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { method, redirect: 'manual', headers: { 'user-agent': PERSON, ...headers } })

// biome-ignore lint/suspicious/noExplicitAny: tests read events freely
async function visitsOf(id: string, count: number): Promise<any[]> {
  const email = await ann.seen(id, ({ events }) => visitsIn(events).length >= count)
  return visitsIn(email.events)
}
const visitsIn = (events: { type: string; data: object }[]) =>
  events.filter(({ type }) => /opened|clicked/.test(type)).map(({ type, data }) => ({ type, ...data }))

/** Moves the delivery into the past, because people need a moment to read. */
const delivered = (id: string) =>
  service.db.query('update delivery set updated_at = $3 where team_id = $1 and email_id = $2', [
    ann.id,
    id,
    new Date(Date.now() - 60_000),
  ])

test('nothing changes when the domain has no tracking', async () => {
  const bob = await service.givenSender()
  const id = await bob.send({ to: `x@${service.givenDestination()}`, html: HTML })
  await bob.settled(id)
  const raw = service.mx.messages.find((message) => message.raw.includes(id))?.raw ?? Buffer.alloc(0)
  expect(String((await simpleParser(raw)).html).trim()).toBe(HTML)
})

test('web links go through the service; everything else, including the text part, is unchanged', async () => {
  const { html, text, clicks } = await sendTracked()
  expect(clicks).toHaveLength(2)
  const restored = html
    .replace(/href="https:\/\/api\.test[^"]+"/, 'href="https://shop.test/?a=1&amp;b=2#top"')
    .replace(/HREF='https:\/\/api\.test[^']+'/, "HREF='http://other.test/x'")
    .replace(/<img src="https:\/\/api\.test\/t\/o\/[^>]+>(?=<\/body>)/, '')
  expect(restored.trim()).toBe(HTML)
  expect(text).toContain('https://shop.test/?a=1&b=2#top')
  expect(text).not.toContain('api.test')
})

describe('a click', () => {
  test('redirects to the original URL, with an event that has the recipient and the visitor', async () => {
    const { id, clicks } = await sendTracked()
    await delivered(id)
    const reply = await visit(clicks[0] ?? '', { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, 'https://shop.test/?a=1&b=2#top'])
    const [seen] = await visitsOf(id, 1)
    expect(seen).toMatchObject({
      type: 'email.clicked',
      link: 'https://shop.test/?a=1&b=2#top',
      ip_address: '203.0.113.9',
      user_agent: PERSON,
      is_machine: false,
      machine_reason: null,
    })
    const email = (await ann.get(`/emails/${id}`)).json
    expect(email).toMatchObject({ status: 'delivered', last_event: 'clicked' })
    expect(seen.recipient).toBe(email.to[0])
  })

  test('redirects even to a URL of the maximum length', async () => {
    const link = `https://shop.test/?q=${'a'.repeat(1400)}`
    const { clicks } = await sendTracked({ html: `<a href="${link}">x</a>` })
    const reply = await visit(clicks[0] ?? '')
    expect([reply.status, reply.headers.get('location')]).toEqual([302, link])
  })

  test('404 at the tracking host of another domain', async () => {
    const { clicks } = await sendTracked()
    const statusBy = (host: string) =>
      new Promise((resolve, reject) => {
        const asked = get(clicks[0] ?? '', { headers: { host, 'user-agent': PERSON } }, (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        })
        asked.on('error', reject)
      })
    expect(await statusBy('links.victim.test')).toBe(404)
    expect(await statusBy('LINKS.victim.test.:8443')).toBe(404)
    expect(await statusBy('api.test')).toBe(302)
  })

  test('404 and no redirect for a changed link, the token of the pixel, and an invalid token', async () => {
    const { id, clicks, pixel } = await sendTracked()
    const click = clicks[0] ?? ''
    const changed = click.slice(0, -1) + (click.endsWith('A') ? 'B' : 'A')
    for (const url of [
      changed,
      pixel.replace('/t/o/', '/t/c/'),
      `${service.url}/t/c/https%3A%2F%2Fevil.test`,
    ]) {
      const reply = await visit(url)
      expect([reply.status, reply.headers.get('location')]).toEqual([404, null])
    }
    const reply = await visit(`${pixel}A`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'image/gif'])
    expect(visitsIn((await ann.get(`/emails/${id}`)).json.events)).toEqual([])
  })
})

describe('a machine visit is recorded with the reason, and never the last event', () => {
  const MACHINES: [
    reason: string,
    kind: 'pixel' | 'click',
    headers: Record<string, string>,
    method?: string,
  ][] = [
    ['apple_mail_privacy', 'pixel', { 'user-agent': 'Mozilla/5.0' }],
    ['apple_mail_privacy', 'pixel', { 'x-forwarded-for': '17.58.1.1' }],
    [
      'google_image_proxy',
      'pixel',
      {
        'user-agent':
          'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      },
    ],
    [
      'yahoo_mail_proxy',
      'pixel',
      { 'user-agent': 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html' },
    ],
    ['security_scanner', 'click', { 'user-agent': 'Mozilla/5.0 (compatible; BarracudaCentral)' }],
    ['program', 'click', { 'user-agent': 'python-requests/2.31' }],
    ['no_user_agent', 'click', { 'user-agent': '' }],
    ['prefetch', 'click', { 'sec-purpose': 'prefetch;prerender' }],
    ['head_request', 'click', {}, 'HEAD'],
  ]
  test('by user agent, address and method', async () => {
    const { id, clicks, pixel } = await sendTracked()
    await delivered(id)
    for (const [index, [reason, kind, headers, method]] of MACHINES.entries()) {
      const reply = await visit(kind === 'pixel' ? pixel : (clicks[0] ?? ''), headers, method)
      expect(reply.status).toBe(kind === 'pixel' ? 200 : 302)
      expect((await visitsOf(id, index + 1)).at(-1)).toMatchObject({
        is_machine: true,
        machine_reason: reason,
      })
    }
    expect((await ann.get(`/emails/${id}`)).json.last_event).toBe('delivered')
    await visit(pixel)
    await visitsOf(id, MACHINES.length + 1)
    expect((await ann.get(`/emails/${id}`)).json.last_event).toBe('opened')
  })

  test("by a visit before the recipient's server has accepted the email", async () => {
    const id = await ann.send({
      to: `scanned@${service.givenDestination()}`,
      html: HTML,
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const parsed = await simpleParser((await ann.get(`/emails/${id}/raw`)).text)
    for (const link of [/src="([^"]+)"/, /href="(https:[^"]+)"/]) {
      await visit(service.url + new URL(link.exec(String(parsed.html))?.[1] ?? '').pathname)
    }
    expect((await visitsOf(id, 2)).map(({ machine_reason: reason }) => reason)).toEqual([
      'not_delivered',
      'not_delivered',
    ])
    expect((await ann.get(`/emails/${id}`)).json.last_event).toBe('scheduled')
  })

  test('by a click within two seconds of delivery', async () => {
    const { id, clicks } = await sendTracked()
    await service.db.query('update delivery set updated_at = $3 where team_id = $1 and email_id = $2', [
      ann.id,
      id,
      new Date(),
    ])
    for (const click of clicks) await visit(click)
    const seen = await visitsOf(id, 2)
    expect(seen.map(({ machine_reason }) => machine_reason)).toEqual(['too_soon', 'too_soon'])
  })
})

test('recipient is null when several recipients got the same message', async () => {
  const domain = service.givenDestination()
  const { id, pixel } = await sendTracked({ to: [`a@${domain}`, `b@${domain}`] })
  await visit(pixel)
  expect(await visitsOf(id, 1)).toMatchObject([{ type: 'email.opened', recipient: null }])
})

test("links use the domain's tracking host when its record is in DNS", async () => {
  const bob = await service.givenSender()
  await bob.patch(`/domains/${bob.domainId}`, { click_tracking: true })
  service.dns.set({ [`links.${bob.domain}`]: { cname: 'api.test' } })
  await bob.post(`/domains/${bob.domainId}/verify`)
  const id = await bob.send({
    to: `x@${service.givenDestination()}`,
    html: '<a href="https://shop.test">x</a>',
  })
  await bob.settled(id)
  const raw = service.mx.messages.find((message) => message.raw.includes(id))?.raw ?? Buffer.alloc(0)
  expect(String((await simpleParser(raw)).html)).toContain(`href="https://links.${bob.domain}/t/c/`)
})

test('the API returns the original html, so that viewing it causes no visit', async () => {
  const { id, html } = await sendTracked()
  expect(html).toContain('https://api.test/t/o/')
  expect((await ann.get(`/emails/${id}`)).json.html.trim()).toBe(HTML)
})

test('data of visitors is truncated and escaped; floods are limited, with room left for people', async () => {
  const { id, pixel, clicks } = await sendTracked()
  await visit(pixel, { 'user-agent': `Mozilla/5.0 \u00e9${'x'.repeat(2000)}` })
  expect(Buffer.byteLength((await visitsOf(id, 1))[0].user_agent)).toBeLessThanOrEqual(300)
  const count = async () => {
    const rows = await service.db.query<{ type: string; isMachine: boolean; count: number }>(
      `select type, (data ->> 'is_machine')::boolean as is_machine, count(*)::int4 as count
       from event
       where team_id = $1 and subject_id = $2 and type in ('email.opened', 'email.clicked')
       group by 1, 2
       order by 1, 2`,
      [ann.id, id],
    )
    return rows.map((row) => [row.type, row.isMachine, row.count])
  }
  const scan = () => visit(pixel, { 'user-agent': 'SecurityScanner/1.0' })
  for (let round = 0; round < 8; round++) {
    await Promise.all(Array.from({ length: 40 }, scan))
    await expect
      .poll(async () => (await count()).at(-1))
      .toEqual(['email.opened', true, Math.min(250, 40 * (round + 1))])
  }
  await delivered(id)
  await visit(pixel)
  await visit(clicks[0] ?? '')
  await expect.poll(count).toEqual([
    ['email.clicked', false, 1],
    ['email.opened', false, 2],
    ['email.opened', true, 250],
  ])
})
