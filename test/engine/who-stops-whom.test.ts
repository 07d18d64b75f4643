import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startMx } from '../support/mx.ts'
import { type MxOptions, testTls } from '../support/mx-script.ts'
import { makeRules } from '../support/rules.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

/** Far longer than a test, so that waiting for a probe is visible. */
const PROBES = ['1h']
/** An address on which nothing listens. */
const DOWN = '127.0.0.64'

const rules = makeRules()
let service: TestSendwright
let ann: Sender
let bob: Sender

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_RULES_FILE: rules.path } })
  ;[ann, bob] = await Promise.all([service.givenSender(), service.givenSender()])
})
afterAll(async () => {
  await service.stop()
  rules.remove()
})

async function use(given: object): Promise<void> {
  rules.write({ probes: PROBES, ...given })
  await service.reload()
}

async function startHost(address: string, options: MxOptions = {}) {
  const mx = await startMx({ ...options, address, port: service.mx.port })
  onTestFinished(() => mx.close())
  const name = `h${address.replaceAll('.', '-')}.receiver.test`
  service.dns.set({ [name]: { a: [address] } })
  return { mx, name, domain: service.givenDestination({ mx: [[10, name]] }) }
}

test("delivered from a team's own address while the site is stopped for another team's", async () => {
  const { mx, name, domain } = await startHost('127.0.0.65')
  await use({
    sources: [
      { name: 'one', address: '127.0.0.2', ehlo_name: 'one.test' },
      { name: 'two', address: '127.0.0.3', ehlo_name: 'two.test' },
    ],
    pools: [
      { name: 'anns', sources: ['one'] },
      { name: 'default', sources: ['two'] },
    ],
    assign: [{ match: { team: ann.id }, pool: 'anns' }],
    shaping: [{ match: { mx: [name] }, replies: [{ pattern: 'no more of you', action: 'stop' }] }],
  })
  mx.recipients[`first@${domain}`] = '450 4.7.1 We want no more of you'
  await ann.send({ to: `first@${domain}` })
  await expect
    .poll(() => service.db.query("select name from site_pause where state = 'stopped'"))
    .toEqual([{ name: `${name} from one` }])
  const id = await bob.send({ to: `second@${domain}` })
  expect((await bob.settled(id)).status).toBe('delivered')
})

test("delivered directly while the relay of another team's mail to the same domain is down", async () => {
  const { domain } = await startHost('127.0.0.66')
  await use({
    relays: [{ name: 'anns', url: `smtp://${DOWN}:${service.mx.port}` }],
    // Ann's email of the test before may still wait. By this route, it would find the relay down first, and the email
    // below would wait without an attempt.
    routes: [{ match: { team: [ann.id], domain: [domain] }, via: 'anns' }],
  })
  const waiting = await ann.send({ to: `first@${domain}` })
  await ann.seen(waiting, ({ status }) => status === 'delivery_delayed')
  const id = await bob.send({ to: `second@${domain}` })
  expect((await bob.settled(id)).status).toBe('delivered')
})

test('waiting for the fallback relay of a rejection, without contacting the rejecting server again', async () => {
  const { mx, domain } = await startHost('127.0.0.67')
  await use({
    relays: [{ name: 'spare', url: `smtp://${DOWN}:${service.mx.port + 1}` }],
    routes: [{ match: { domain: [domain] }, fallback: 'spare', fallback_after: ['blocked'] }],
  })
  const blocked = '550 5.7.1 Blocked, see https://www.spamhaus.org/query/ip/192.0.2.1'
  const refused = () => mx.commands.filter(({ line }) => line.startsWith('RCPT')).length
  const send = async (name: string) => {
    mx.recipients[`${name}@${domain}`] = blocked
    return ann.send({ to: `${name}@${domain}` })
  }
  // The first email detects that the relay is down.
  const first = await send('first')
  const found = () => service.db.query('select name from site_pause where name like $1', [`relay:${DOWN}%`])
  await expect.poll(async () => (await found()).length).toBe(2)
  await send('second')
  const isWaiting = async () => {
    const rows = await service.db.query(
      'select no from delivery where domain = $1 and waits_for is not null',
      [domain],
    )
    return rows.length
  }
  await expect.poll(isWaiting).toBe(2)
  expect(refused()).toBe(2)
  expect((await ann.get(`/emails/${first}`)).json.recipients[0].attempts).toBe(2)
})

test("delivered with TLS to a server whose handshake failed for another domain's name", async () => {
  const trick = 'made-up.receiver.test'
  const { mx, domain } = await startHost('127.0.0.68', { tls: { ...testTls(), refusedName: trick } })
  service.dns.set({ [trick]: { a: ['127.0.0.68'] } })
  const tricky = service.givenDestination({ mx: [[10, trick]] })
  expect((await ann.settled(await ann.send({ to: `first@${tricky}` }))).status).toBe('delivered')
  expect((await bob.settled(await bob.send({ to: `second@${domain}` }))).status).toBe('delivered')
  expect(mx.messages.map(({ tls }) => tls)).toEqual([null, 'TLSv1.3'])
})
