import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMx, type TestMx } from '../support/mx.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender
let second: TestMx

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_MESSAGE_LIFETIME: '700ms' } })
  ann = await service.givenSender()
  second = await startMx({ address: '127.0.0.2', port: service.mx.port })
  service.dns.set({
    'second.receiver.test': { a: ['127.0.0.2'] },
    'dead.receiver.test': { a: ['127.0.0.9'] },
  })
})
afterAll(async () => {
  await second.close()
  await service.stop()
})

const sendTo = async (domain: string) => ann.settled(await ann.send({ to: `bob@${domain}` }))

test('bounced for a null MX, with the reason', async () => {
  const email = await sendTo(service.givenDestination({ mx: [[0, '']] }))
  expect(email.recipients[0]).toMatchObject({
    status: 'bounced',
    category: 'null_mx',
    enhanced_code: '5.1.10',
  })
})

test('bounced for a domain that does not exist', async () => {
  const email = await sendTo('nowhere.test')
  expect(email.recipients[0]).toMatchObject({
    status: 'bounced',
    category: 'no_such_domain',
    enhanced_code: '5.1.2',
  })
})

test('delivered to the address of a domain without MX', async () => {
  const email = await sendTo(service.givenDestination({ a: ['127.0.0.1'] }))
  expect(email.status).toBe('delivered')
})

test('delivered by the second host when the first does not respond', async () => {
  const email = await sendTo(
    service.givenDestination({
      mx: [
        [10, 'dead.receiver.test'],
        [20, 'second.receiver.test'],
      ],
    }),
  )
  expect(email.recipients[0]).toMatchObject({
    status: 'delivered',
    mx_host: 'second.receiver.test',
    attempts: 1,
  })
  const { json } = await ann.get(`/emails/${email.id}/attempts`)
  const text = JSON.stringify(json.data[0].conversation)
  expect(text).toContain('127.0.0.9')
  expect(text).toContain('127.0.0.2')
})

test('delivered by the second host when the first greets with 4xx, and with 5xx', async () => {
  for (const answer of ['421 4.3.2 Not now', '554 5.3.2 Not here']) {
    service.mx.script({ expect: '<connect>', answer, times: 1, ending: 'close', byteEveryMs: 5 })
    service.dns.set({ [`first${answer.slice(0, 3)}.test`]: { a: ['127.0.0.1'] } })
    const hosts = [
      [10, `first${answer.slice(0, 3)}.test`],
      [20, 'second.receiver.test'],
    ] as const
    const email = await sendTo(service.givenDestination({ mx: hosts }))
    expect(email.recipients[0]).toMatchObject({ status: 'delivered', mx_host: 'second.receiver.test' })
    const { json } = await ann.get(`/emails/${email.id}/attempts`)
    const times: number[] = json.data[0].conversation.map((line: { at_ms: number }) => line.at_ms)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.at(-1)).toBeLessThanOrEqual(json.data[0].duration_ms + 1)
  }
})

test('failed when its lifetime is over, with the last reply as the reason', async () => {
  const address = `bob@${service.givenDestination()}`
  service.mx.recipients[address] = '450 4.2.1 Mailbox busy'
  const email = await ann.settled(await ann.send({ to: address }))
  expect(email).toMatchObject({ status: 'failed', last_event: 'failed' })
  expect(email.recipients[0]).toMatchObject({ smtp_code: 450, next_attempt_at: null })
  expect(email.recipients[0].attempts).toBeGreaterThan(1)
  expect(email.events.at(-1).data.advice).toContain('lifetime')
})

test('failed when DNS does not respond during the lifetime of the email', async () => {
  const email = await sendTo(service.givenDestination({ fail: 'servfail' }))
  expect(email.recipients[0]).toMatchObject({ status: 'failed', category: 'dns_trouble' })
})

test('delivered for two domains with the same MX over one set of connections', async () => {
  service.dns.set({ 'shared.receiver.test': { a: ['127.0.0.2'] } })
  const [one, other] = [1, 2].map(() => service.givenDestination({ mx: [[10, 'shared.receiver.test']] }))
  const before = second.connectionCount
  for (const domain of [one, other, one, other]) await sendTo(domain as string)
  expect(second.connectionCount).toBe(before + 1)
})

test('bounced with 5.6.7 when the address needs SMTPUTF8 and the server does not offer it', async () => {
  const plain = await startMx({
    address: '127.0.0.3',
    port: service.mx.port,
    capabilities: ['PIPELINING', '8BITMIME'],
  })
  service.dns.set({ 'plain.receiver.test': { a: ['127.0.0.3'] } })
  const domain = service.givenDestination({ mx: [[10, 'plain.receiver.test']] })
  const email = await ann.settled(await ann.send({ to: `jürgen@${domain}` }))
  expect(email.recipients[0]).toMatchObject({
    status: 'bounced',
    enhanced_code: '5.6.7',
    category: 'smtputf8_unsupported',
  })
  expect(plain.commands.filter(({ line }) => line.startsWith('RCPT'))).toEqual([])
  await plain.close()
})

test('delivered with SMTPUTF8 when it is offered, with the unchanged address', async () => {
  const domain = service.givenDestination()
  expect((await ann.settled(await ann.send({ to: `jürgen@${domain}` }))).status).toBe('delivered')
  const message = service.mx.messages.find(({ to }) => to[0] === `jürgen@${domain}`)
  expect(message?.mailParameters).toContain('SMTPUTF8')
})
