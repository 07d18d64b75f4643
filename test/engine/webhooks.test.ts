import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import type { GivenTeam } from '../support/teams.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { givenWebhook, happen, readDeliveries, readWebhook } from '../support/webhooks.ts'

let service: TestSendwright
let receiver: WebhookReceiver
let team: GivenTeam

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'webhooks'],
    environment: {
      SENDWRIGHT_WEBHOOK_RETRY_SCHEDULE: '100ms,100ms',
      SENDWRIGHT_METRICS_TOKEN: 'a-token-for-figures',
    },
  })
  team = await service.givenTeam()
})
afterAll(async () => {
  // Close the receiver first, because stopping waits for outstanding responses.
  await receiver?.close()
  await service?.stop()
})

/** Creates a separate team, so that other tests do not affect it. */
const givenOther = async (fields: object = {}) => {
  const other = await service.givenTeam()
  return { ...other, hook: await givenWebhook(other, receiver, fields) }
}
const comeTo = <T>(what: () => T) => expect.poll(what, { timeout: 60_000, interval: 20 })
const numbersAt = (path: string) => receiver.at(path).map(({ json }) => json.data.no as number)
const idsAt = (path: string) => receiver.at(path).map(({ headers }) => headers['webhook-id'])
const upTo = (count: number) => Array.from({ length: count }, (_, no) => no)
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b)

describe('delivery', () => {
  test("delivered with the event's id, signed, in the form of the feed", async () => {
    const ann = await service.givenSender()
    const hook = await givenWebhook(ann, receiver, { events: ['email.queued', 'email.delivered'] })
    const id = await ann.send({ tags: [{ name: 'kind', value: 'test' }], bcc: 'eve@simulator.test' })
    await comeTo(() => receiver.at(hook.path).length).toBe(2)
    const feed = await ann.get(`/events?email_id=${id}`)
    for (const { headers, text, json } of receiver.at(hook.path)) {
      expect(new Webhook(hook.secret).verify(text, headers as Record<string, string>)).toEqual(json)
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': headers['svix-id'] })
      expect(JSON.stringify(json.data.to)).not.toContain('eve')
      const same = feed.json.data.find((event: { id: string }) => event.id === headers['webhook-id'])
      expect(same).toMatchObject(json)
    }
    expect(receiver.at(hook.path).map(({ json }) => json.type)).toEqual(['email.queued', 'email.delivered'])
    await comeTo(async () => (await readDeliveries(service.db, hook.id)).map(({ status }) => status)).toEqual(
      ['delivered', 'delivered'],
    )
  })

  test('delivered in feed order for each subject, with several subjects concurrently', async () => {
    const { id: teamId, hook } = await givenOther()
    const subjects = Array.from({ length: 5 }, () => newId())
    let [underWay, underWayMost] = [0, 0]
    receiver.answer(hook.path, (response, { json }) => {
      underWayMost = Math.max(underWayMost, ++underWay)
      // Later requests get earlier responses, which reveals a sender that does not wait for responses.
      const end = () => {
        underWay--
        response.end()
      }
      setTimeout(end, json.data.no % 3 === 0 ? 20 : 1)
    })
    await happen(service.db, teamId, { count: 60, subjects })
    await comeTo(() => receiver.at(hook.path).length).toBe(60)
    for (const own of upTo(5)) {
      const numbers = numbersAt(hook.path).filter((no) => no % 5 === own)
      expect(numbers).toEqual(sorted(numbers))
    }
    expect(underWayMost).toBeGreaterThan(1)
    expect(underWayMost).toBeLessThanOrEqual(8)
  })

  test('delivered once, with one row each, when several webhooks of a team want different events', async () => {
    const other = await service.givenTeam()
    const all = await givenWebhook(other, receiver)
    const some = await givenWebhook(other, receiver, { events: ['domain.failed'] })
    await happen(service.db, other.id, { count: 3 })
    await happen(service.db, other.id, { count: 2, type: 'domain.failed', from: 3 })
    await comeTo(() => sorted(numbersAt(all.path))).toEqual(upTo(5))
    await comeTo(() => sorted(numbersAt(some.path))).toEqual([3, 4])
    for (const { id } of [all, some])
      await comeTo(async () => (await readWebhook(service.db, id)).position).toBe(5)
    expect(await readDeliveries(service.db, some.id)).toHaveLength(2)
  })
})

describe('failures', () => {
  test('retried with the same id and body until it succeeds, with each attempt in its row', async () => {
    const { id: teamId, hook } = await givenOther()
    receiver.answer(hook.path, (response) => {
      response.statusCode = receiver.at(hook.path).length < 3 ? 500 : 204
      response.end(response.statusCode === 500 ? 'busy' : undefined)
    })
    await happen(service.db, teamId)
    await comeTo(() => receiver.at(hook.path).length).toBe(3)
    expect(new Set(idsAt(hook.path)).size).toBe(1)
    expect(new Set(receiver.at(hook.path).map(({ text }) => text)).size).toBe(1)
    await comeTo(async () => (await readDeliveries(service.db, hook.id))[0]?.status).toBe('delivered')
    const [row] = await readDeliveries(service.db, hook.id)
    expect(row?.tries.map(({ status }) => status)).toEqual([500, 500, 204])
    expect(row?.tries[0]?.error).toBe('The server answered 500.')
    expect(await readWebhook(service.db, hook.id)).toMatchObject({ failingSince: null, nextRetryAt: null })
  })

  test('given up after the last interval of the schedule, and the endpoint stays enabled', async () => {
    const { id: teamId, hook } = await givenOther()
    receiver.answer(hook.path, (response) => response.writeHead(400).end('no\u0007\u001b[31m <b>'))
    await happen(service.db, teamId)
    await comeTo(async () => (await readDeliveries(service.db, hook.id))[0]?.status).toBe('failed')
    const [row] = await readDeliveries(service.db, hook.id)
    expect(row).toMatchObject({ answerStatus: 400, answer: 'no\\x07\\x1b[31m <b>', dueAt: null })
    expect(row?.tries).toHaveLength(3)
    const webhook = await readWebhook(service.db, hook.id)
    expect(webhook).toMatchObject({ status: 'enabled', nextRetryAt: null })
    expect(webhook.failingSince).not.toBeNull()
  })

  test('retried no sooner than Retry-After', async () => {
    const { id: teamId, hook } = await givenOther()
    receiver.answer(hook.path, (response) => {
      if (receiver.at(hook.path).length > 1) return response.end()
      return response.writeHead(503, { 'retry-after': '1' }).end()
    })
    await happen(service.db, teamId)
    await comeTo(() => receiver.at(hook.path).length).toBe(2)
    const [first, second] = receiver.at(hook.path)
    // The wait starts when the response is read, slightly after this clock's time.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990)
  })

  test('failed when the response is a redirect, which is not followed', async () => {
    const { id: teamId, hook } = await givenOther()
    receiver.answer(hook.path, (response) =>
      response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end(),
    )
    await happen(service.db, teamId)
    await comeTo(async () => (await readDeliveries(service.db, hook.id))[0]?.tries[0]).toMatchObject({
      status: 307,
      error: 'The server answered 307: redirects are not followed.',
    })
    expect(receiver.at('/elsewhere')).toEqual([])
  })

  test('events wait in the feed without a row while the endpoint is down, and are all sent afterwards', async () => {
    const { id: teamId, hook } = await givenOther()
    let isDown = true
    receiver.answer(hook.path, (response) => response.writeHead(isDown ? 502 : 200).end())
    const subjects = [newId(), newId()]
    await happen(service.db, teamId, { count: 150, subjects })
    await comeTo(async () => (await readWebhook(service.db, hook.id)).probeAt).not.toBeNull()
    const rows = await readDeliveries(service.db, hook.id)
    expect(rows.length).toBeLessThan(30)
    isDown = false
    await comeTo(() => new Set(numbersAt(hook.path)).size).toBe(150)
    await comeTo(async () => (await readWebhook(service.db, hook.id)).failingSince).toBeNull()
  })
})

describe('a disabled endpoint', () => {
  const disabledEvents = async (other: GivenTeam) =>
    (await other.get('/events')).json.data.filter(({ type }: { type: string }) => type === 'webhook.disabled')

  test('disabled immediately by 410, with the reason, an event, and no retries left', async () => {
    const other = await givenOther()
    receiver.answer(other.hook.path, (response) => response.writeHead(410).end())
    await happen(service.db, other.id, { count: 20, subjects: [newId()] })
    await comeTo(async () => (await readWebhook(service.db, other.hook.id)).status).toBe('disabled')
    expect(await readWebhook(service.db, other.hook.id)).toMatchObject({
      disabledReason: 'The endpoint answered 410: it is gone for good.',
      nextRetryAt: null,
    })
    expect(receiver.at(other.hook.path)).toHaveLength(1)
    const rows = await readDeliveries(service.db, other.hook.id)
    expect(rows.map(({ status }) => status)).toEqual(['failed'])
    expect(await disabledEvents(other)).toMatchObject([
      { data: { id: other.hook.id, endpoint: receiver.url + other.hook.path } },
    ])
  })

  test.each([
    { days: 4.9, status: 'enabled', events: 0 },
    { days: 5, status: 'disabled', events: 1 },
  ])('$status after $days days without a success', async ({ days, status, events }) => {
    const other = await givenOther()
    receiver.answer(other.hook.path, (response) => response.writeHead(500).end())
    const since = new Date(Date.now() - days * 86_400_000)
    await service.db.query('update webhook set failing_since = $2 where id = $1', [other.hook.id, since])
    await happen(service.db, other.id)
    await comeTo(async () => (await readDeliveries(service.db, other.hook.id))[0]?.status).toBe('failed')
    expect(await readWebhook(service.db, other.hook.id)).toMatchObject({ status })
    expect(await disabledEvents(other)).toHaveLength(events)
  })

  test('no events after its owner has disabled, deleted or moved it', async () => {
    const other = await givenOther()
    const deleted = await givenWebhook(other, receiver)
    const moved = await givenWebhook(other, receiver)
    await happen(service.db, other.id)
    for (const { path } of [other.hook, deleted, moved]) await comeTo(() => numbersAt(path)).toEqual([0])
    await other.patch(`/webhooks/${other.hook.id}`, { status: 'disabled' })
    await other.delete(`/webhooks/${deleted.id}`)
    await other.patch(`/webhooks/${moved.id}`, { endpoint: `${receiver.url}/moved` })
    await happen(service.db, other.id, { from: 1 })
    await comeTo(() => numbersAt('/moved')).toEqual([1])
    await other.patch(`/webhooks/${other.hook.id}`, { status: 'enabled' })
    await happen(service.db, other.id, { from: 2 })
    await comeTo(() => numbersAt(other.hook.path)).toEqual([0, 2])
    expect(numbersAt(deleted.path)).toEqual([0])
    expect(numbersAt(moved.path)).toEqual([0])
  })
})

describe('responses of endpoints', () => {
  test('delivered even when the response never ends, and its start is stored', async () => {
    const { id: teamId, hook } = await givenOther()
    receiver.answer(hook.path, (response) => {
      const more = () => {
        while (response.write('x'.repeat(1000)));
      }
      response.on('drain', more)
      more()
    })
    await happen(service.db, teamId)
    await comeTo(async () => (await readDeliveries(service.db, hook.id))[0]?.answer?.length).toBe(4096)
    expect((await readDeliveries(service.db, hook.id))[0]?.status).toBe('delivered')
  })

  test('a compressed response is not decompressed', async () => {
    const { id: teamId, hook } = await givenOther()
    receiver.answer(hook.path, (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('bomb'),
    )
    await happen(service.db, teamId)
    await comeTo(async () => (await readDeliveries(service.db, hook.id))[0]?.answer).toBe(
      '(compressed, not shown)',
    )
  })

  test('a hanging endpoint does not delay another of the same team and host', async () => {
    const { id: teamId, hook, ...other } = await givenOther()
    const quick = await givenWebhook(other, receiver)
    receiver.answer(hook.path, () => {})
    await happen(service.db, teamId, { count: 100, subjects: Array.from({ length: 100 }, () => newId()) })
    await comeTo(() => receiver.at(quick.path).length).toBe(100)
    expect(receiver.at(hook.path).length).toBeLessThanOrEqual(8)
  })
})

test('a test is sent like an event, with a separate id', async () => {
  const hook = await givenWebhook(team, receiver, { events: ['email.bounced'] })
  const reply = await team.post(`/webhooks/${hook.id}/test`)
  expect(reply.status, reply.text).toBeLessThan(300)
  await comeTo(() => receiver.at(hook.path).map(({ json }) => json.type)).toEqual(['email.bounced'])
  const [{ headers, text }] = receiver.at(hook.path) as [(typeof receiver.received)[number]]
  new Webhook(hook.secret).verify(text, headers as Record<string, string>)
})

test('a retry whose delivery was deleted by retention is dropped, and the endpoint gets later events', async () => {
  const { id: teamId, hook } = await givenOther()
  await service.db.query('update webhook set next_retry_at = $2 where id = $1', [hook.id, new Date()])
  await happen(service.db, teamId)
  await comeTo(() => numbersAt(hook.path)).toEqual([0])
  await comeTo(async () => (await readWebhook(service.db, hook.id)).nextRetryAt).toBeNull()
})

test('metrics show attempts, endpoints by state, and the lag of healthy ones', async () => {
  const { id: teamId, hook } = await givenOther()
  receiver.answer(hook.path, () => {})
  await happen(service.db, teamId)
  await comeTo(() => receiver.at(hook.path).length).toBe(1)
  const reply = await fetch(`${service.url}/metrics`, {
    headers: { authorization: 'Bearer a-token-for-figures' },
  })
  const text = await reply.text()
  const figureOf = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    )
  expect(figureOf('sendwright_webhook_tries_total{outcome="delivered"}')).toBeGreaterThan(0)
  for (const state of ['healthy', 'failing', 'disabled']) {
    expect(figureOf(`sendwright_webhooks{state="${state}"}`)).toBeGreaterThan(0)
  }
  expect(figureOf('sendwright_webhook_lag_seconds')).toBeGreaterThan(0)
})
