import { beforeAll, describe, expect, test } from 'vitest'
import { createHashAddress } from '../../src/lib/crypto/erased-address.ts'
import { newId } from '../../src/lib/ids.ts'
import { suppress } from '../../src/suppressions/suppressions.ts'
import { type ApiReply, requester } from '../support/client.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

const typesOf = ({ json }: ApiReply) => json.data.map((event: { type: string }) => event.type)
const add = (email: string) => ann.post('/suppressions', { email })
/** Returns a cursor after all events. */
const endCursor = async (): Promise<string> => (await ann.get('/events?from=end')).json.next_cursor
let count = 0
const address = () => `gone${++count}@receiver.test`

describe('200 for GET /events', () => {
  test('with all events, oldest first, in the form of every list', async () => {
    const eve = await service.givenSender()
    const id = await eve.send({ to: 'delivered@simulator.test', tags: [{ name: 'kind', value: 'x' }] })
    await eve.settled(id)
    const { status, json } = await eve.get('/events')
    expect(status).toBe(200)
    expect(json).toEqual({
      object: 'list',
      data: expect.any(Array),
      has_more: false,
      next_cursor: expect.stringMatching(/^[\w-]+$/),
    })
    expect(json.data.map(({ type }: { type: string }) => type)).toEqual([
      'domain.created',
      'domain.verified',
      'email.queued',
      'email.delivered',
    ])
    expect(json.data[3]).toEqual({
      object: 'event',
      id: expect.any(String),
      type: 'email.delivered',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      data: expect.objectContaining({
        email_id: id,
        subject: 'Hello',
        to: ['delivered@simulator.test'],
        tags: { kind: 'x' },
        recipient: 'delivered@simulator.test',
      }),
    })
    const { events } = (await eve.get(`/emails/${id}`)).json
    expect(events[1]).toMatchObject({ object: 'event', id: json.data[3].id, type: 'email.delivered' })
    expect(Object.keys(events[1].data)).not.toContain('subject')
  })

  test('page by page, each continuing after the previous one', async () => {
    const after = await endCursor()
    for (let index = 0; index < 5; index++) await add(address())
    const seen: string[] = []
    let cursor = after
    for (const [limit, hasMore] of [
      [2, true],
      [2, true],
      [2, false],
    ] as const) {
      const { json } = await ann.get(`/events?after=${cursor}&limit=${limit}`)
      expect(json.has_more).toBe(hasMore)
      seen.push(...json.data.map((event: { id: string }) => event.id))
      cursor = json.next_cursor
    }
    const whole = await ann.get(`/events?after=${after}&limit=1000`)
    expect(whole.json.data.map((event: { id: string }) => event.id)).toEqual(seen)
    expect(whole.json.next_cursor).toBe(cursor)
    expect((await ann.get(`/events?after=${cursor}`)).json).toMatchObject({ data: [], next_cursor: cursor })
  })

  test('only with the requested types, in any spelling of the parameter', async () => {
    const after = await endCursor()
    const { json: entry } = await add(address())
    const id = await ann.send({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
    await ann.post(`/emails/${id}/cancel`)
    await ann.delete(`/suppressions/${entry.id}`)
    const ask = async (query: string) => typesOf(await ann.get(`/events?after=${after}&${query}`))
    const rare = ['suppression.added', 'email.canceled']
    expect(await ask('types=suppression.added,email.canceled')).toEqual(rare)
    expect(await ask('types=email.canceled&types=suppression.added')).toEqual(rare)
    expect(await ask('type=email.canceled&types=suppression.added')).toEqual(rare)
    expect(await ask('type=email.scheduled')).toEqual(['email.scheduled'])
    expect(await ask('types=email.scheduled,email.canceled&limit=1')).toEqual(['email.scheduled'])
    expect(await ask('types=email.opened')).toEqual([])
    expect(await ask(`email_id=${id}`)).toEqual(['email.scheduled', 'email.canceled'])
    expect(await ask(`subject_id=${id.toUpperCase()}&type=email.canceled`)).toEqual(['email.canceled'])
    expect(await ask(`subject_id=${entry.id}`)).toEqual(['suppression.added', 'suppression.removed'])
    expect(await ask(`email_id=${newId()}`)).toEqual([])
  })

  test('with a cursor after all events that a filter skipped', async () => {
    const after = await endCursor()
    await add(address())
    for (const query of ['types=email.opened', 'types=email.complained', `email_id=${newId()}`]) {
      const { json } = await ann.get(`/events?after=${after}&${query}`)
      expect(json).toMatchObject({ data: [], has_more: false, next_cursor: await endCursor() })
    }
  })
})

describe('422 for', () => {
  const refused: [query: string, field: string][] = [
    ['after=x', 'after'],
    ['after=', 'after'],
    [`after=${newId()}`, 'after'],
    [`after=${Buffer.from('1.01').toString('base64url')}`, 'after'],
    [`after=${Buffer.from('1.-1').toString('base64url')}`, 'after'],
    [`after=${Buffer.from('2.1').toString('base64url')}`, 'after'],
    [`after=${Buffer.from(`1.${2 ** 53}`).toString('base64url')}`, 'after'],
    [`after=${Buffer.from('1.1').toString('base64url')}%0A`, 'after'],
    ['from=middle', 'from'],
    ['types=email.lost', 'types'],
    ['type=email.sent,', 'type'],
    ['email_id=1', 'email_id'],
    [`email_id=${newId()}&subject_id=${newId()}`, 'subject_id'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['wait=31', 'wait'],
    ['wait=-1', 'wait'],
  ]
  test.each(refused)('%s', async (query, field) => {
    const { status, json } = await ann.get(`/events?${query}`)
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual([field])
  })

  test('a cursor combined with from, and a cursor beyond the newest event', async () => {
    const cursor = await endCursor()
    expect((await ann.get(`/events?after=${cursor}&from=end`)).status).toBe(422)
    const beyond = Buffer.from('1.1000000').toString('base64url')
    const reply = await ann.get(`/events?after=${beyond}`)
    expect(reply.status).toBe(422)
    expect(reply.json.message).toBe('The after field lies beyond the newest event.')
  })
})

test('403 for a key that may only send', async () => {
  const key = await ann.givenKey({ permission: 'send' })
  expect((await key.get('/events')).status).toBe(403)
})

describe('200 for a long-polling request', () => {
  test('immediately when events exist', async () => {
    const after = await endCursor()
    await add(address())
    expect(typesOf(await ann.get(`/events?after=${after}&wait=30`))).toEqual(['suppression.added'])
  })

  test('with events that occur while it waits, counted as one request', async () => {
    const after = await endCursor()
    const waiting = ann.get(`/events?after=${after}&wait=30`)
    const before = await ann.get('/usage')
    await add(address())
    const reply = await waiting
    expect(typesOf(reply)).toEqual(['suppression.added'])
    const used = (reply: ApiReply) => Number(reply.headers.get('ratelimit-remaining'))
    expect(used(before) - used(await ann.get('/usage'))).toBe(2)
  })

  test('with no events and the same cursor when the time is over', async () => {
    const after = await endCursor()
    const { json } = await ann.get(`/events?after=${after}&wait=1`)
    expect(json).toEqual({ object: 'list', data: [], has_more: false, next_cursor: after })
  })

  test('only with matching events, however many others occur', async () => {
    const after = await endCursor()
    const waiting = ann.get(`/events?after=${after}&types=suppression.removed&wait=30`)
    const { json } = await add(address())
    await add(address())
    await ann.delete(`/suppressions/${json.id}`)
    expect(typesOf(await waiting)).toEqual(['suppression.removed'])
  })

  test('with events that another process writes', async () => {
    const after = await endCursor()
    const waiting = ann.get(`/events?after=${after}&wait=30`)
    // Written through the pool of the test, which notifies no one.
    await service.db.transaction((tx) =>
      suppress(tx, createHashAddress(Buffer.alloc(32)), ann.id, address(), new Date()),
    )
    expect(typesOf(await waiting)).toEqual(['suppression.added'])
  })

  test('429 for more than twenty of a team, until one of them disconnects', async () => {
    const bob = await service.givenTeam()
    const controllers = Array.from({ length: 21 }, () => new AbortController())
    const ask = (signal: AbortSignal | null, wait: number) =>
      fetch(`${service.url}/events?wait=${wait}`, {
        signal,
        headers: { authorization: `Bearer ${bob.token}` },
      })
    const waiting = controllers.map((controller) =>
      ask(controller.signal, 30).then(
        (reply) => ({ reply, controller }),
        () => null,
      ),
    )
    const refused = (await Promise.race(waiting)) as NonNullable<Awaited<(typeof waiting)[number]>>
    expect([refused.reply.status, refused.reply.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await refused.reply.json()).toMatchObject({ statusCode: 429, name: 'rate_limit_exceeded' })
    expect((await ann.get(`/events?after=${await endCursor()}&wait=1`)).status).toBe(200)
    controllers.find((controller) => controller !== refused.controller)?.abort()
    await expect.poll(async () => (await ask(null, 1)).status, { timeout: 60_000 }).toBe(200)
    for (const controller of controllers) controller.abort()
    await Promise.all(waiting)
  })
})

test('200 immediately for waiting requests when the service stops; the cursor is valid after the restart', async () => {
  const after = await endCursor()
  const waiting = ann.get(`/events?after=${after}&wait=30`)
  await ann.get('/usage')
  await service.restart()
  const { json } = await waiting
  expect(json).toMatchObject({ data: [], next_cursor: after })
  const again = requester(service.url, ann.token)
  await again.post('/suppressions', { email: address() })
  expect(typesOf(await again.get(`/events?after=${json.next_cursor}`))).toEqual(['suppression.added'])
})
