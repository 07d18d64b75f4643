import { beforeAll, describe, expect, test } from 'vitest'
import { recordEvents } from '../../src/events/record-queries.ts'
import { requester } from '../support/client.ts'
import { type EventStream, openEventStream } from '../support/events.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

let count = 0
const add = () => ann.post('/suppressions', { email: `gone${++count}@receiver.test` })
const open = (path = '/events?from=end', headers: Record<string, string> = {}) =>
  openEventStream(service.url, ann, path, headers)

async function take(stream: EventStream, number: number) {
  const events = []
  while (events.length < number) {
    const event = await stream.next()
    if (event === null) throw new Error('the stream has ended')
    events.push(event)
  }
  return events
}

describe('200 for a stream', () => {
  test('of new events, each in the form of the feed', async () => {
    const stream = await open()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    await add()
    await add()
    const events = await take(stream, 2)
    const { json } = await ann.get('/events?limit=1000')
    expect(events.map(({ data }) => JSON.parse(data))).toEqual(json.data.slice(-2))
    expect(events.map(({ event }) => event)).toEqual(['suppression.added', 'suppression.added'])
    expect(events[1]?.id).toBe(json.next_cursor)
    await stream.close()
  })

  test('of all events, without a start position', async () => {
    const stream = await open('/events')
    expect((await take(stream, 2)).map(({ event }) => event)).toEqual(['domain.created', 'domain.verified'])
    await stream.close()
  })

  test('that continues after Last-Event-ID, whatever the URL contains', async () => {
    const first = await open()
    await add()
    const [{ id } = { id: '' }] = await take(first, 1)
    await first.close()
    await add()
    await add()
    const second = await open('/events?from=end', { 'last-event-id': id })
    expect(await take(second, 2)).toHaveLength(2)
    await second.close()
    const start = (await ann.get('/events?limit=1')).json.next_cursor
    const third = await open(`/events?after=${start}`, { 'last-event-id': id })
    expect(JSON.parse((await take(third, 1))[0]?.data ?? '').type).toBe('suppression.added')
    await third.close()
  })

  test('of events of another process', async () => {
    const stream = await open()
    const event = { teamId: ann.id, subjectId: ann.domainId, type: 'domain.failed' as const, data: {} }
    await service.db.transaction(async (tx) => recordEvents(tx, [event], new Date()))
    expect((await take(stream, 1))[0]?.event).toBe('domain.failed')
    await stream.close()
  })
})

describe('the end of a stream', () => {
  test('when its key is revoked, or restricted to sending', async () => {
    const keys = [await ann.givenKey(), await ann.givenKey()] as const
    const streams = await Promise.all(
      keys.map((key) => openEventStream(service.url, key, '/events?from=end')),
    )
    await add()
    for (const stream of streams) await take(stream, 1)
    await ann.delete(`/api-keys/${keys[0].keyId}`)
    await ann.patch(`/api-keys/${keys[1].keyId}`, { permission: 'send' })
    expect(await Promise.all(streams.map((stream) => stream.next()))).toEqual([null, null])
    const again = await Promise.all(keys.map((key) => openEventStream(service.url, key, '/events')))
    expect(again.map(({ status }) => status)).toEqual([401, 403])
  })

  test('when the service stops; a new stream continues', async () => {
    const stream = await open()
    await add()
    const [{ id } = { id: '' }] = await take(stream, 1)
    const ended = stream.next()
    await service.restart()
    expect(await ended).toBeNull()
    const again = requester(service.url, ann.token)
    Object.assign(ann, again)
    await add()
    const second = await open('/events', { 'last-event-id': id })
    expect((await take(second, 1))[0]?.event).toBe('suppression.added')
    await second.close()
  })
})

describe('rejected streams', () => {
  test('422 for a Last-Event-ID that is not a cursor', async () => {
    for (const id of ['x', '0', Buffer.from('1.99999').toString('base64url')]) {
      const { status, headers } = await open('/events', { 'last-event-id': id })
      expect([status, headers.get('content-type')]).toEqual([422, 'application/json; charset=utf-8'])
    }
  })

  test('429 for more than twenty streams of a team, until one is closed', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => open()))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    const refused = await open()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    await streams[0]?.close()
    await expect
      .poll(async () => {
        const stream = await open()
        await stream.close()
        return stream.status
      })
      .toBe(200)
    await Promise.all(streams.map((stream) => stream.close()))
  })

  test('HEAD opens no stream', async () => {
    for (let index = 0; index < 25; index++) {
      const reply = await fetch(`${service.url}/events`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${ann.token}`, accept: 'text/event-stream' },
      })
      expect(reply.status).toBe(200)
    }
  })
})
