import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { requester } from '../support/client.ts'
import { startMx, type TestMx } from '../support/mx.ts'
import type { MxOptions } from '../support/mx-script.ts'
import { makeRules } from '../support/rules.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const OPERATOR = 'the-token-of-the-operator-of-this-test'
/** Only these rules apply, because they precede the built-in ones. */
const ONE_AT_A_TIME = { connections_start: 1, connections_max: 1 }

interface World {
  service: TestSendwright
  ann: Sender
  rules: ReturnType<typeof makeRules>
  /** Creates a separate site with a domain that points to it; `name` is its only host. Removed after the test. */
  givenSite(options?: MxOptions): Promise<{ mx: TestMx; name: string; domain: string }>
  operator: ReturnType<typeof requester>
}

/** Sites are reported every three seconds. */
const POLL = { timeout: 60_000 }

let addresses = 20
let world: World

beforeAll(async () => {
  const rules = makeRules()
  const service = await startTestSendwright({
    environment: { SENDWRIGHT_RULES_FILE: rules.path, SENDWRIGHT_OPERATOR_TOKEN: OPERATOR },
  })
  world = {
    service,
    ann: await service.givenSender(),
    rules,
    get operator() {
      return requester(service.url, OPERATOR)
    },
    async givenSite(options = {}) {
      const address = `127.0.0.${++addresses}`
      const mx = await startMx({ ...options, address, port: service.mx.port })
      onTestFinished(() => mx.close())
      const name = `mx${addresses}.receiver.test`
      service.dns.set({ [name]: { a: [address] } })
      return { mx, name, domain: service.givenDestination({ mx: [[10, name]] }) }
    },
  }
})
afterAll(async () => {
  await world?.service.stop()
  world?.rules.remove()
})

/** Applies only this rule. */
async function shape(rule: Record<string, unknown>): Promise<void> {
  world.rules.write({ shaping: [rule] })
  await world.service.reload()
}

const siteOf = async (name: string) => {
  const { json } = await world.operator.get(`/sites?site=${name}`)
  return json.data[0]
}

const isHalved = (limit: number) => limit >= 4 && limit < 8

const many = (count: number, domain: string) => Array.from({ length: count }, (_, n) => `r${n}@${domain}`)

/** Returns the maximum number of messages that began within any `ms`. */
function mostWithin({ messages }: TestMx, ms: number): number {
  const times = messages.map(({ at }) => at).sort((a, b) => a - b)
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))
}

test('the rate limit is kept on the wire, and waiting does not count as an attempt', async () => {
  const { mx, domain, name } = await world.givenSite()
  await shape({ match: { mx: [name] }, rate: '5/2s' })
  const id = await world.ann.send({ to: many(8, domain) })
  const email = await world.ann.settled(id)
  expect(email.status).toBe('delivered')
  expect(email.recipients.every((row: { attempts: number }) => row.attempts === 1)).toBe(true)
  // A busy machine delays messages that began in time. Without the rate limit, all eight would arrive together.
  expect(mostWithin(mx, 1500)).toBeLessThanOrEqual(5)
})

test('postponed without an attempt while the rate limit is used up for long', async () => {
  const { mx, domain, name } = await world.givenSite()
  await shape({ name: 'slow one', match: { mx: [name] }, rate: '2/1h' })
  const id = await world.ann.send({ to: many(6, domain) })
  const email = await world.ann.seen(id, ({ recipients }) =>
    recipients.every((row: { category: string | null }) => row.category !== null),
  )
  expect(mx.messages).toHaveLength(2)
  expect(email.recipients.filter((row: { category: string }) => row.category === 'shaped')).toHaveLength(4)
  expect(email.recipients.filter((row: { attempts: number }) => row.attempts > 0)).toHaveLength(2)
  await expect
    .poll(() => siteOf(name), POLL)
    .toMatchObject({ state: 'open', rate: '2/60m', rules: 'slow one, anywhere' })
})

test('slowed down by a reply to fewer concurrent connections; all are delivered', async () => {
  const { mx, domain, name } = await world.givenSite()
  await shape({
    match: { mx: [name] },
    connections_start: 8,
    connections_max: 8,
    replies: [{ pattern: 'calm down', stage: 'rcpt', code: 451, action: 'slow_down' }],
  })
  mx.script({ expect: 'RCPT', answer: '451 Calm down, please', times: 1 })
  const id = await world.ann.send({ to: many(12, domain) })
  expect((await world.ann.settled(id)).status).toBe('delivered')
  // Halved to four, then increased by one after four successes in a row, then after five: reaching eight again would
  // take 22 messages.
  await expect
    .poll(() => siteOf(name), POLL)
    .toMatchObject({ state: 'open', connections_max: 8, connections_limit: expect.toSatisfy(isHalved) })
  expect(mx.messages).toHaveLength(12)
})

test('paused by a reply for the time in its rule, shown with the reason, and resumed by the operator', async () => {
  const { ann, operator } = world
  const { mx, domain, name } = await world.givenSite()
  await shape({
    name: 'careful',
    match: { mx: [name] },
    ...ONE_AT_A_TIME,
    replies: [{ pattern: '\\[XY04\\]', action: 'pause', for: '1h' }],
  })
  mx.script({ expect: 'MAIL FROM', answer: '451 4.7.0 [XY04] Messages deferred', times: 1 })
  const id = await ann.send({ to: many(20, domain) })
  await expect
    .poll(() => siteOf(name), POLL)
    .toMatchObject({
      object: 'site',
      name,
      state: 'paused',
      reason: expect.stringContaining('[XY04]'),
      rules: 'careful, anywhere',
      paused_until: expect.any(String),
    })
  const paused = await ann.seen(id, ({ recipients }) =>
    recipients.every((row: { category: string | null }) => row.category !== null),
  )
  expect(paused.recipients.filter((row: { attempts: number }) => row.attempts > 0)).toHaveLength(1)
  expect(mx.messages).toEqual([])

  const resumed = await operator.post(`/sites/${encodeURIComponent(name)}/resume`)
  expect(resumed).toMatchObject({ status: 200, json: { object: 'site', name, resumed: true } })
  expect((await ann.settled(id)).status).toBe('delivered')
  expect((await operator.post(`/sites/${encodeURIComponent(name)}/resume`)).status).toBe(404)
})

test('two teams and two hosted domains share the connections of one site', async () => {
  const { service, ann } = world
  const { mx, domain, name } = await world.givenSite()
  await shape({ match: { mx: [name] }, ...ONE_AT_A_TIME })
  const hosted = service.givenDestination({ mx: [[10, name]] })
  const bob = await service.givenSender()
  await Promise.all([
    ...many(10, domain).map((to) => ann.send({ to })),
    ...many(10, hosted).map((to) => bob.send({ to })),
  ])
  await mx.waitFor(20)
  expect(mx.connectionCount).toBe(1)
})

test('a domain in a rule has separate connections', async () => {
  const { service, ann } = world
  const { mx, domain, name } = await world.givenSite()
  await shape({
    name: 'apart',
    match: { domain: ['apart.test'] },
    messages_per_connection: 1,
    ...ONE_AT_A_TIME,
  })
  service.dns.set({ 'apart.test': { mx: [[10, name]] } })
  await ann.settled(await ann.send({ to: [...many(3, 'apart.test'), `r@${domain}`] }))
  expect(mx.messages).toHaveLength(4)
  await expect
    .poll(
      async () => (await world.operator.get('/sites')).json.data.map((row: { name: string }) => row.name),
      POLL,
    )
    .toEqual(expect.arrayContaining([name, `${name} (apart)`]))
  const connections = new Set(
    mx.messages.filter(({ to }) => to[0]?.endsWith('@apart.test')).map(({ connection }) => connection),
  )
  expect(connections.size).toBe(3)
})

test('new rules apply immediately after a reload; invalid ones leave the old ones in force', async () => {
  const { service, ann, rules } = world
  const { mx, domain, name } = await world.givenSite()
  await shape({ match: { mx: [name] }, messages_per_connection: 1 })
  const send = async (count: number) => {
    const before = mx.connectionCount
    for (const to of many(count, domain)) await ann.settled(await ann.send({ to }))
    return mx.connectionCount - before
  }
  expect(await send(3)).toBe(3)
  rules.write('{ "shaping": [{ "rate": "much" }] }')
  await service.reload()
  expect(await send(2)).toBe(2)
  await shape({ match: { mx: [name] }, messages_per_connection: 100 })
  expect(await send(3)).toBe(1)
})

// Runs last, because the restart changes the address of the service that earlier senders use.
test('stopped by a reply, even after a restart, until the operator resumes it', async () => {
  const { service, ann } = world
  const { mx, domain, name } = await world.givenSite()
  await shape({
    match: { mx: [name] },
    ...ONE_AT_A_TIME,
    replies: [{ pattern: 'go away', action: 'stop' }],
  })
  mx.script({ expect: 'MAIL FROM', answer: '554 5.7.1 Go away', times: 1 })
  const id = await ann.send({ to: many(3, domain) })
  await expect.poll(() => siteOf(name), POLL).toMatchObject({ state: 'stopped' })
  await service.restart()
  const { operator } = world
  const { json } = await operator.get(`/sites?site=${name}`)
  expect(json.data[0]).toMatchObject({ name, state: 'stopped', reason: expect.stringContaining('Go away') })
  const bob = await service.givenSender()
  const other = await bob.send({ to: `bob@${domain}` })
  await bob.seen(other, ({ recipients }) => recipients[0].category !== null)
  expect(mx.messages).toEqual([])
  expect((await operator.post(`/sites/${encodeURIComponent(name)}/resume`)).status).toBe(200)
  expect((await bob.settled(other)).status).toBe('delivered')
  await mx.waitFor(3)
  expect(id).toBeTruthy()
})
