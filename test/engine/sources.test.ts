import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { startMx } from '../support/mx.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const ONE = '127.0.0.2'
const TWO = '127.0.0.3'
const THREE = '127.0.0.4'
/** Some containers have no IPv6, not even loopback. */
const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

let folder: string
let service: TestSendwright
let ann: Sender
const others: Sendwright[] = []

const today = () => new Date().toISOString().slice(0, 10)
const source = (name: string, address: string, schedule?: number[]) => ({
  name,
  address,
  ehlo_name: `${name}.test`,
  ...(schedule === undefined ? {} : { warmup: { started_at: today(), schedule } }),
})

const write = (rules: object) => writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules))
async function use(rules: object): Promise<void> {
  write(rules)
  await service.reload()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-rules-'))
  write({ sources: [source('one', ONE)] })
  service = await startTestSendwright({ environment: { SENDWRIGHT_RULES_FILE: join(folder, 'rules.json') } })
  ann = await service.givenSender()
})
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop()
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

/** Returns the source address and EHLO name of a recipient's message. */
function cameFrom(address: string): string[] {
  const { mx } = service
  return mx.messages
    .filter(({ to }) => to[0] === address)
    .map(({ connection }) => {
      const ehlo = mx.commands.find((row) => row.connection === connection && row.line.startsWith('EHLO'))
      return `${mx.clients[connection - 1]} ${ehlo?.line.slice(5)}`
    })
}

const countFrom = (client: string, domain: string) =>
  service.mx.messages.filter(
    ({ to, connection }) => to[0]?.endsWith(`@${domain}`) && service.mx.clients[connection - 1] === client,
  ).length

test('delivered from the address and EHLO name assigned to the team, From domain or tag', async () => {
  const bob = await service.givenSender()
  const cid = await service.givenSender()
  await use({
    sources: [source('one', ONE), source('two', TWO), source('three', THREE)],
    pools: [
      { name: 'receipts', sources: ['two'] },
      { name: 'bobs', sources: ['three'] },
      { name: 'default', sources: ['one'] },
    ],
    assign: [
      { match: { tag: 'kind=receipt' }, pool: 'receipts' },
      { match: { team: bob.id }, pool: 'bobs' },
      { match: { domain: cid.domain }, pool: 'receipts' },
    ],
  })
  const domain = service.givenDestination()
  const receipt = [{ name: 'kind', value: 'receipt' }]
  // Deferred at first: the second attempt comes from a claim, which reads what the first had in memory.
  service.mx.recipients[`retried@${domain}`] = '450 4.2.0 Not now'
  const ids = await Promise.all([
    ann.send({ to: `plain@${domain}` }),
    ann.send({ to: `tagged@${domain}`, tags: receipt }),
    bob.send({ to: `team@${domain}` }),
    cid.send({ to: `domain@${domain}` }),
  ])
  const retried = await ann.send({ to: `retried@${domain}`, tags: receipt })
  await ann.seen(retried, ({ recipients }) => recipients[0].attempts > 0)
  delete service.mx.recipients[`retried@${domain}`]
  expect((await ann.settled(retried)).status).toBe('delivered')
  for (const [index, sender] of [ann, ann, bob, cid].entries()) await sender.settled(ids[index] as string)
  expect(cameFrom(`plain@${domain}`)).toEqual([`${ONE} one.test`])
  expect(cameFrom(`tagged@${domain}`)).toEqual([`${TWO} two.test`])
  expect(cameFrom(`retried@${domain}`)).toEqual([`${TWO} two.test`])
  expect(cameFrom(`team@${domain}`)).toEqual([`${THREE} three.test`])
  expect(cameFrom(`domain@${domain}`)).toEqual([`${TWO} two.test`])
  const { json } = await ann.get(`/emails/${retried}/attempts`)
  expect(json.data.at(-1)).toMatchObject({ source_address: TWO, mx_address: '127.0.0.1' })
  // The only message from this source, so it opened the connection.
  const opened = await bob.get(`/emails/${ids[2]}/attempts`)
  expect(opened.json.data[0].conversation[0].text).toBe(
    `connecting to mx.receiver.test [127.0.0.1]:${service.mx.port} from ${THREE}`,
  )
})

test('each address has separate limits: a waiting one does not block the other', async () => {
  await use({
    shaping: [{ match: { mx: ['limits.receiver.test'] }, connections_max: 1 }],
    probes: ['200ms'],
    sources: [source('one', ONE), source('two', TWO)],
    pools: [
      { name: 'slow', sources: ['one'] },
      { name: 'default', sources: ['two'] },
    ],
    assign: [{ match: { tag: 'pace=slow' }, pool: 'slow' }],
  })
  const mx = await startMx({ address: '127.0.0.9', port: service.mx.port })
  onTestFinished(() => mx.close())
  service.dns.set({ 'limits.receiver.test': { a: [mx.host] } })
  const domain = service.givenDestination({ mx: [[10, 'limits.receiver.test']] })
  const tags = [{ name: 'pace', value: 'slow' }]
  const to = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}${index}@${domain}`)
  // The first connection is never greeted: the only one that its limit allows waits.
  mx.script({ expect: '<connect>', answer: null, times: 1 })
  const slow = await ann.send({ to: to('slow'), tags })
  await expect.poll(() => mx.clients).toEqual([ONE])
  const quick = await ann.send({ to: to('quick') })
  expect((await ann.settled(quick)).status).toBe('delivered')
  expect(mx.messages).toHaveLength(20)
  expect(mx.clients).toEqual([ONE, TWO])
  expect((await ann.get(`/emails/${slow}`)).json.status).toBe('queued')
  // An open delivery would use the warm-up of later tests.
  await mx.close()
  const greeting = await startMx({ address: mx.host, port: service.mx.port })
  onTestFinished(() => greeting.close())
  expect((await ann.settled(slow)).status).toBe('delivered')
  expect(new Set(greeting.clients)).toEqual(new Set([ONE]))
})

test('two processes together never exceed the warm-up; the rest leaves from the warm address', async () => {
  await use({ sources: [source('cold', THREE, [20]), source('two', TWO)] })
  others.push(await startSendwright(service.config, { roles: ['deliver'], log: createLog('warn') }))
  const domain = service.givenDestination()
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      ann.send({ to: Array.from({ length: 10 }, (_, n) => `r${i}x${n}@${domain}`) }),
    ),
  )
  for (const id of ids) expect((await ann.settled(id)).status).toBe('delivered')
  expect(countFrom(THREE, domain)).toBeLessThanOrEqual(20)
  // A process may hold an unused part of a block.
  expect(countFrom(THREE, domain)).toBeGreaterThanOrEqual(15)
  expect(countFrom(THREE, domain) + countFrom(TWO, domain)).toBe(200)
})

test('queued until tomorrow with the reason when the warm-up of all addresses is used up; a reload keeps the counts with new limits', async () => {
  const young = (limit: number) => ({ sources: [source('young', ONE, [limit])] })
  await use(young(2))
  const domain = service.givenDestination()
  const first = await ann.send({ to: [`a@${domain}`, `b@${domain}`] })
  expect((await ann.settled(first)).status).toBe('delivered')
  const third = await ann.send({ to: `c@${domain}` })
  const waiting = await ann.seen(third, ({ recipients }) => recipients[0].response !== null)
  expect(waiting.recipients[0]).toMatchObject({ status: 'queued', attempts: 0 })
  expect(waiting.recipients[0].response).toContain('The sending addresses of pool "default" are warming up')
  const due = new Date(`${waiting.recipients[0].next_attempt_at.replace(' ', 'T')}Z`)
  const tomorrow = new Date(`${today()}T00:00:00Z`).getTime() + 24 * 3_600_000
  expect(due.getTime()).toBeGreaterThanOrEqual(tomorrow)
  expect(due.getTime()).toBeLessThan(tomorrow + 3_600_000)
  await use(young(3))
  expect((await ann.settled(await ann.send({ to: `d@${domain}` }))).status).toBe('delivered')
  const fifth = await ann.send({ to: `e@${domain}` })
  await ann.seen(fifth, ({ recipients }) => recipients[0].response !== null)
  expect(countFrom(ONE, domain)).toBe(3)
})

test('deferred with the reason when the address cannot reach a host of the other IP version', async () => {
  await use({ sources: [source('one', ONE)] })
  service.dns.set({ 'six.receiver.test': { aaaa: ['::1'] } })
  const id = await ann.send({ to: `a@${service.givenDestination({ mx: [[10, 'six.receiver.test']] })}` })
  const { recipients } = await ann.seen(id, ({ status }) => status === 'delivery_delayed')
  expect(recipients[0]).toMatchObject({ category: 'unreachable' })
  expect(recipients[0].response).toBe(`cannot reach ::1 from ${ONE}: one is IPv4, the other IPv6`)
})

test.runIf(HAS_IPV6)(
  'delivered from an IPv6 address to an IPv6 host, and from an IPv4 one of its pool to an IPv4 host',
  async () => {
    await use({ sources: [source('six', '::1'), source('one', ONE)] })
    const mx = await startMx({ address: '::1', port: service.mx.port })
    onTestFinished(() => mx.close())
    service.dns.set({ 'six.receiver.test': { aaaa: ['::1'] } })
    const six = await ann.send({ to: `a@${service.givenDestination({ mx: [[10, 'six.receiver.test']] })}` })
    expect((await ann.settled(six)).recipients[0]).toMatchObject({ status: 'delivered', attempts: 1 })
    // The email that the previous test left deferred arrives too, perhaps on a separate connection.
    expect(new Set(mx.clients)).toEqual(new Set(['::1']))
    expect(mx.commands[0]?.line).toBe('EHLO six.test')
    const { json } = await ann.get(`/emails/${six}/attempts`)
    expect(json.data[0]).toMatchObject({ source_address: '::1', mx_address: '::1' })
    const to = `b@${service.givenDestination()}`
    expect((await ann.settled(await ann.send({ to }))).status).toBe('delivered')
    expect(cameFrom(to)).toEqual([`${ONE} one.test`])
  },
)

test('CannotStart when no address is local; a reload with such rules, or with a changed address, changes nothing', async () => {
  await use({ sources: [source('one', ONE)] })
  write({ sources: [source('foreign', '192.0.2.7')] })
  const starting = startSendwright(service.config, { roles: ['deliver'], log: createLog('silent') })
  await expect(starting).rejects.toThrow(
    /None of the source addresses .* belongs to this machine \(for example 192\.0\.2\.7/,
  )
  await service.reload()
  await use({ sources: [source('one', TWO)] })
  const to = `still@${service.givenDestination()}`
  expect((await ann.settled(await ann.send({ to }))).status).toBe('delivered')
  expect(cameFrom(to)).toEqual([`${ONE} one.test`])
})
