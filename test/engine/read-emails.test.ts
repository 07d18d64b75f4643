import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender
let other: Sender
const ids: Record<string, string> = {}
const LATER = new Date(Date.now() + 24 * 3_600_000).toISOString()
const UNKNOWN = '01900000-0000-7000-8000-000000000000'

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
  other = await service.givenSender()
  const send = async (name: string, fields: Record<string, unknown>) => {
    ids[name] = await ann.send(fields)
    await ann.settled(ids[name])
  }
  await send('plain', {
    subject: 'Order 100% done',
    tags: [{ name: 'kind', value: 'order' }, { name: 'a:b', value: 'c d:e' }, 'alone'],
  })
  await send('bounced', { to: 'bounced@simulator.test', tags: [{ name: 'kind', value: 'welcome' }] })
  await send('mixed', { to: ['delivered@simulator.test', 'bounced@simulator.test'], subject: 'Order_2' })
  await send('sales', { from: `Sales@${ann.domain}`, bcc: ['delivered+x@simulator.test'], subject: 'Offer' })
  ids.scheduled = await ann.send({ scheduled_at: LATER })
  await other.send()
})

const list = async (query: string) => {
  const { status, json, text } = await ann.get(`/emails?${query}`)
  if (status !== 200) throw new Error(text)
  return json
}
const namesOf = (json: { data: { id: string }[] }) =>
  json.data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id))

describe('GET /emails', () => {
  test('200 with the newest first, and the total of the team', async () => {
    const json = await list('')
    expect(namesOf(json)).toEqual(['scheduled', 'sales', 'mixed', 'bounced', 'plain'])
    expect(json.meta).toMatchObject({
      total: 5,
      current_page: 1,
      last_page: 1,
      from: 1,
      to: 5,
      path: 'https://api.test/emails',
    })
    expect(json.data[4]).toMatchObject({ object: 'email', subject: 'Order 100% done', status: 'delivered' })
  })

  const filters: [query: string, names: string[]][] = [
    ['status=delivered', ['sales', 'plain']],
    ['status=bounced', ['bounced']],
    ['status=partially_delivered', ['mixed']],
    ['status=scheduled', ['scheduled']],
    ['status=canceled', []],
    ['to=BOUNCED@simulator.test', ['mixed', 'bounced']],
    ['to=delivered%2Bx@simulator.test', ['sales']],
    ['tag=kind', ['bounced', 'plain']],
    ['tag=kind:welcome', ['bounced']],
    ['tag=kind:none', []],
    ['tag=kind&tag_value=welcome', ['bounced']],
    ['tag=a%3Ab&tag_value=c%20d:e', ['plain']],
    ['tag=a:b:c%20d:e', []],
    ['tag=alone:', ['plain']],
    ['q=order', ['mixed', 'plain']],
    ['q=100%25', ['plain']],
    ['q=r_2', ['mixed']],
    ['q=%25', ['plain']],
    ['start_date=2100-01-01', []],
    ['end_date=2020-01-01', []],
    ['start_date=1900-01-01&end_date=9999-12-31', ['scheduled', 'sales', 'mixed', 'bounced', 'plain']],
    ['status=delivered&tag=kind&q=order', ['plain']],
  ]
  for (const [query, names] of filters) {
    test(`200 with ${names.length} of them for ${query}`, async () => {
      const json = await list(query)
      expect(namesOf(json)).toEqual(names)
      expect(json.meta.total).toBe(names.length)
    })
  }

  test('200 by sender, by domain, and for today', async () => {
    expect(namesOf(await list(`from=sales@${ann.domain.toUpperCase()}`))).toEqual(['sales'])
    expect(namesOf(await list(`domain_id=${ann.domainId}`))).toHaveLength(5)
    expect(namesOf(await list(`domain_id=${other.domainId}`))).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect(namesOf(await list(`start_date=${today}&end_date=${today}`))).toHaveLength(5)
  })

  test('200 page by page, forwards and backwards, by number and by key', async () => {
    const pages = [1, 2, 3, 4].map((page) => list(`per_page=2&page=${page}`))
    expect((await Promise.all(pages)).map(namesOf)).toEqual([
      ['scheduled', 'sales'],
      ['mixed', 'bounced'],
      ['plain'],
      [],
    ])
    const first = await list('limit=2')
    expect(first).toMatchObject({ object: 'list', has_more: true, meta: { total: 5, last_page: 3 } })
    const after = await list(`limit=2&after=${ids.sales}`)
    expect(namesOf(after)).toEqual(['mixed', 'bounced'])
    expect(namesOf(await list(`limit=2&before=${ids.bounced}`))).toEqual(['sales', 'mixed'])
    expect(namesOf(await list(`tag=kind&limit=1&after=${ids.bounced}`))).toEqual(['plain'])
  })

  const refused = [
    'page=0',
    'page=1.5',
    'per_page=101',
    'per_page=0',
    'status=nonsense',
    'domain_id=x',
    'after=x',
    'q=%00',
  ]
  for (const query of [
    ...refused,
    'start_date=2026-02-30',
    'end_date=yesterday',
    'to=a%00b',
    `after=${UNKNOWN}&before=${UNKNOWN}`,
  ]) {
    test(`422 for ${query}`, async () => {
      expect((await ann.get(`/emails?${query}`)).status).toBe(422)
    })
  }

  for (const query of ["q='; drop table email; --", 'q=%FF%FE', 'q=%ED%A0%80', 'tag=a:b:c', 'from=x']) {
    test(`200 with an empty list for ${query}`, async () => {
      expect((await list(query)).data).toEqual([])
    })
  }
})

describe('another team', () => {
  const calls: [string, (id: string) => Promise<{ status: number; text: string }>][] = [
    ['GET /emails/{id}', (id) => other.get(`/emails/${id}`)],
    ['GET /emails/{id}/raw', (id) => other.get(`/emails/${id}/raw`)],
    ['GET /emails/{id}/attempts', (id) => other.get(`/emails/${id}/attempts`)],
    ['PATCH /emails/{id}', (id) => other.patch(`/emails/${id}`, { scheduled_at: LATER })],
    ['PUT /emails/{id}', (id) => other.put(`/emails/${id}`, { scheduled_at: LATER })],
    ['POST /emails/{id}/cancel', (id) => other.post(`/emails/${id}/cancel`)],
    ['GET /emails?after', (id) => other.get(`/emails?limit=1&after=${id}`)],
  ]
  for (const [title, call] of calls) {
    test(`404 at ${title} for another team's id, as for one that never existed`, async () => {
      const foreign = await call(ids.scheduled as string)
      const unknown = await call(UNKNOWN)
      const bare = (text: string) => text.replaceAll(ids.scheduled as string, '*').replaceAll(UNKNOWN, '*')
      if (title.startsWith('GET /emails?')) expect(foreign.status).toBe(unknown.status)
      else expect([foreign.status, bare(foreign.text)]).toEqual([404, bare(unknown.text)])
    })
  }

  test('its requests change nothing', async () => {
    expect((await ann.get(`/emails/${ids.scheduled}`)).json).toMatchObject({
      status: 'scheduled',
      last_event: 'scheduled',
    })
  })

  for (const id of ['x', '1', 'null', `${UNKNOWN}0`, '%00']) {
    test(`404 for the invalid id ${id}`, async () => {
      const reply = await ann.get(`/emails/${id}`)
      expect([reply.status, reply.json.message]).toEqual([404, 'Not found.'])
    })
  }
})

test('200 for an id in upper case', async () => {
  expect((await ann.get(`/emails/${ids.plain?.toUpperCase()}`)).json.id).toBe(ids.plain)
})

test('200 with the message as it was sent, as message/rfc822', async () => {
  const { status, headers, text } = await ann.get(`/emails/${ids.plain}/raw`)
  expect([status, headers.get('content-type')]).toEqual([200, 'message/rfc822'])
  expect(text).toMatch(/^DKIM-Signature: /)
})
