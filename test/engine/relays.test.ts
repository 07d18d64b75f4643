import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeDue } from '../support/make-due.ts'
import { startMx } from '../support/mx.ts'
import type { MxOptions } from '../support/mx-script.ts'
import { makeRules } from '../support/rules.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const startRelay = async (options: MxOptions = {}) => {
  const relay = await startMx(options)
  onTestFinished(() => relay.close())
  return relay
}

const rules = makeRules()
let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_RULES_FILE: rules.path } })
  ann = await service.givenSender()
})
afterAll(async () => {
  await service?.stop()
  rules.remove()
})

/** Applies only these rules. */
async function use(content: Record<string, unknown>): Promise<void> {
  rules.write(content)
  await service.reload()
}

test('sent by the second relay while the first is down, and by the first again when it is back', async () => {
  const second = await startRelay()
  const first = `127.0.0.61:${second.port}`
  const relaying = await startTestSendwright({
    environment: { SENDWRIGHT_DELIVERY: `smtp://${first},smtp://127.0.0.1:${second.port}` },
  })
  onTestFinished(() => relaying.stop())
  const ann = await relaying.givenSender()
  const ids = await Promise.all(Array.from({ length: 10 }, (_, i) => ann.send({ to: `r${i}@any.test` })))
  for (const id of ids) {
    const { recipients } = await ann.settled(id)
    expect(recipients[0]).toMatchObject({ status: 'sent', mx_host: '127.0.0.1', attempts: 1 })
  }
  const back = await startRelay({ address: '127.0.0.61', port: second.port })
  await expect
    .poll(
      async () => {
        await ann.settled(await ann.send({ to: 'bob@any.test' }))
        return back.messages.length
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBeGreaterThan(0)
  const before = second.messages.length
  const id = await ann.send({ to: 'bob@any.test' })
  expect((await ann.settled(id)).recipients[0].mx_host).toBe('127.0.0.61')
  expect(second.messages).toHaveLength(before)
})

test('sent by the relay of a rule for a domain or a team, with its password; other mail goes direct', async () => {
  const login = { user: 'us', password: 'a secret' }
  const relay = await startRelay({ login })
  const bob = await service.givenSender()
  const [direct, routed] = [service.givenDestination(), service.givenDestination()]
  await use({
    relays: [{ name: 'ours', url: `smtp://us:a%20secret@127.0.0.1:${relay.port}` }],
    routes: [
      { match: { domain: [routed] }, via: 'ours' },
      { match: { team: [bob.id] }, via: 'ours' },
    ],
  })
  expect((await ann.settled(await ann.send({ to: `a@${routed}` }))).status).toBe('sent')
  expect((await bob.settled(await bob.send({ to: `b@${direct}` }))).status).toBe('sent')
  expect((await ann.settled(await ann.send({ to: `c@${direct}` }))).status).toBe('delivered')
  expect(relay.messages.map(({ to, user }) => [to[0], user])).toEqual([
    [`a@${routed}`, 'us'],
    [`b@${direct}`, 'us'],
  ])
})

test('sent by the relay in the same attempt when no host of the domain is reachable', async () => {
  const relay = await startRelay()
  await use({
    relays: [{ name: 'spare', url: `smtp://127.0.0.1:${relay.port}` }],
    routes: [{ fallback: 'spare' }],
  })
  service.dns.set({ 'gone.receiver.test': { a: ['127.0.0.62'] } })
  const domain = service.givenDestination({ mx: [[10, 'gone.receiver.test']] })
  for (const name of ['a', 'b']) {
    const { recipients } = await ann.settled(await ann.send({ to: `${name}@${domain}` }))
    expect(recipients[0]).toMatchObject({ status: 'sent', attempts: 1 })
  }
})

const BLOCKED = {
  expect: 'MAIL FROM',
  answer: '550 5.7.1 Blocked, see https://www.spamhaus.org/query/ip/192.0.2.1',
  times: 1,
}

test('sent by the relay after the server rejects it for a reason in the rule, with both attempts recorded', async () => {
  const relay = await startRelay()
  await use({
    relays: [{ name: 'spare', url: `smtp://127.0.0.1:${relay.port}` }],
    routes: [{ fallback: 'spare', fallback_after: ['blocked'] }],
  })
  const domain = service.givenDestination()
  service.mx.script(BLOCKED)
  const id = await ann.send({ to: `bob@${domain}` })
  const { recipients } = await ann.settled(id)
  expect(recipients[0]).toMatchObject({ status: 'sent', attempts: 2 })
  const { json } = await ann.get(`/emails/${id}/attempts`)
  expect(
    json.data.map((row: { outcome: string; category: string }) => [row.outcome, row.category]).sort(),
  ).toEqual([
    ['deferred', 'blocked'],
    ['delivered', 'accepted'],
  ])
})

test('sent by the relay of a rule when the first hop is down and the next rejects it for a reason in the rule', async () => {
  const spare = await startRelay()
  const domain = service.givenDestination()
  await use({
    relays: [
      { name: 'first', url: `smtp://127.0.0.72:${service.mx.port}` },
      { name: 'spare', url: `smtp://127.0.0.1:${spare.port}` },
    ],
    routes: [{ via: ['first', 'direct'], fallback: 'spare', fallback_after: ['blocked'] }],
  })
  service.mx.script(BLOCKED)
  const { recipients } = await ann.settled(await ann.send({ to: `bob@${domain}` }))
  expect(recipients[0]).toMatchObject({ status: 'sent', attempts: 2 })
  expect(spare.messages.map(({ to }) => to[0])).toEqual([`bob@${domain}`])
})

test('sent by the fallback when the first relay rejects it for a reason in the rule, bounced when both do', async () => {
  const [first, spare] = [await startRelay(), await startRelay()]
  const domain = service.givenDestination()
  await use({
    relays: [
      { name: 'first', url: `smtp://127.0.0.1:${first.port}` },
      { name: 'spare', url: `smtp://127.0.0.1:${spare.port}` },
    ],
    routes: [{ match: { domain: [domain] }, via: 'first', fallback: 'spare', fallback_after: ['blocked'] }],
  })
  const outcomesOf = async (id: string) => {
    const { json } = await ann.get(`/emails/${id}/attempts`)
    return json.data.map((row: { outcome: string; category: string }) => [row.outcome, row.category]).sort()
  }
  first.script({ ...BLOCKED, times: 2 })
  const sent = await ann.send({ to: `bob@${domain}` })
  expect((await ann.settled(sent)).recipients[0]).toMatchObject({ status: 'sent', attempts: 2 })
  expect(await outcomesOf(sent)).toEqual([
    ['deferred', 'blocked'],
    ['delivered', 'accepted'],
  ])
  spare.script(BLOCKED)
  const bounced = await ann.send({ to: `bob@${domain}` })
  expect((await ann.settled(bounced)).recipients[0]).toMatchObject({ status: 'bounced', attempts: 2 })
  expect(await outcomesOf(bounced)).toEqual([
    ['bounced', 'blocked'],
    ['deferred', 'blocked'],
  ])
  expect(spare.messages).toHaveLength(1)
})

test('sent by the relay after the attempts that a rule allows, even mail that waited without an attempt', async () => {
  const relay = await startRelay()
  await use({
    probes: ['100ms'],
    relays: [{ name: 'spare', url: `smtp://127.0.0.1:${relay.port}` }],
    routes: [{ fallback: 'spare', fallback_after: '2 attempts' }],
  })
  service.dns.set({ 'gone.receiver.test': { a: ['127.0.0.63'] } })
  const domain = service.givenDestination({ mx: [[10, 'gone.receiver.test']] })
  const id = await ann.send({ to: ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@${domain}`) })
  const email = await ann.settled(id)
  expect(email.status).toBe('sent')
  expect(relay.messages).toHaveLength(5)
})

test("sent by the next of a route's relays while the first is down, and by the first again when it is back", async () => {
  const second = await startRelay()
  const first = { address: '127.0.0.69', port: second.port }
  const domain = service.givenDestination()
  await use({
    relays: [
      { name: 'first', url: `smtp://${first.address}:${first.port}` },
      { name: 'second', url: `smtp://127.0.0.1:${second.port}` },
    ],
    routes: [{ match: { domain: [domain] }, via: ['first', 'second', 'direct'] }],
  })
  const one = await ann.settled(await ann.send({ to: `one@${domain}` }))
  expect(one.recipients[0]).toMatchObject({ status: 'sent', mx_host: '127.0.0.1', attempts: 1 })
  expect(second.messages).toHaveLength(1)
  const back = await startRelay(first)
  await expect
    .poll(
      async () => {
        await ann.settled(await ann.send({ to: `two@${domain}` }))
        return back.messages.length
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBeGreaterThan(0)
})

test('delivered directly when that is the last hop of the route and every relay before it is down', async () => {
  const domain = service.givenDestination()
  await use({
    relays: [
      { name: 'one', url: `smtp://127.0.0.70:${service.mx.port}` },
      { name: 'two', url: `smtp://127.0.0.71:${service.mx.port}` },
    ],
    routes: [{ match: { domain: [domain] }, via: ['one', 'two', 'direct'] }],
  })
  const { recipients } = await ann.settled(await ann.send({ to: `bob@${domain}` }))
  expect(recipients[0]).toMatchObject({ status: 'delivered', attempts: 1 })
})

test('sent by the relay of a rule for a tag, even when other mail of the team and to the domain goes direct', async () => {
  const relay = await startRelay()
  const domain = service.givenDestination()
  await use({
    relays: [{ name: 'bulk', url: `smtp://127.0.0.1:${relay.port}` }],
    routes: [
      { match: { tag: ['slow', 'kind=bulk'], domain: [domain] }, via: 'bulk' },
      { match: { tag: ['kind'], team: ['0198c0de-0000-7000-8000-000000000000'] }, via: 'bulk' },
    ],
  })
  const send = async (name: string, tags: { name: string; value: string }[], to = domain) =>
    (await ann.settled(await ann.send({ to: `${name}@${to}`, tags }))).status
  expect(await send('a', [{ name: 'kind', value: 'bulk' }])).toBe('sent')
  expect(await send('b', [{ name: 'kind', value: 'other' }])).toBe('delivered')
  expect(await send('c', [{ name: 'slow', value: 'yes' }])).toBe('sent')
  expect(await send('d', [])).toBe('delivered')
  expect(await send('e', [{ name: 'kind', value: 'bulk' }], service.givenDestination())).toBe('delivered')
  // Scheduled, so that the claim handles it, which reads the tags of its batch.
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
  const tags = [{ name: 'kind', value: 'bulk' }]
  const later = await ann.send({ to: `f@${domain}`, tags, scheduled_at })
  await makeDue(service.db, ann.id, [later])
  expect((await ann.settled(later)).status).toBe('sent')
  expect(relay.messages.map(({ to }) => to[0]?.[0])).toEqual(['a', 'c', 'f'])
})
