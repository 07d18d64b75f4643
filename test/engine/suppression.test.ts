import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright()
  ann = await service.givenSender()
  const known = { mx: [[10, 'mx.receiver.test']] } as const
  service.dns.set({ 'list.test': known, 'xn--bcher-kva.test': known })
})
afterAll(() => service.stop())

const rcpts = () => service.mx.commands.filter(({ line }) => line.startsWith('RCPT')).length

describe('suppressed, with no RCPT', () => {
  const cases: [title: string, suppressed: string, given: Record<string, unknown>][] = [
    ['in another case', 'Case@List.test', { to: 'cASE@lIST.TEST' }],
    ['with a display name', 'name@list.test', { to: '"Some, Body" <name@list.test>' }],
    ['with needless quotes', 'quoted@list.test', { to: '"quoted"@list.test' }],
    ['when the list has the quotes', '"q2"@list.test', { to: 'q2@list.test' }],
    ['by U-label when the list has the A-label', 'a@xn--bcher-kva.test', { to: 'a@bücher.test' }],
    ['by A-label when the list has the U-label', 'b@bücher.test', { to: 'b@XN--BCHER-KVA.test' }],
    ['in another composition of Unicode', 'jos\u00e9@list.test', { to: 'jose\u0301@list.test' }],
    ['in cc', 'cc@list.test', { to: 'delivered@simulator.test', cc: ['CC@list.test'] }],
    ['in bcc', 'bcc@list.test', { to: 'delivered@simulator.test', bcc: 'X <bcc@list.test>' }],
  ]
  for (const [title, suppressed, given] of cases) {
    test(`suppressed ${title}`, async () => {
      const before = rcpts()
      const added = await ann.post('/suppressions', { email: suppressed })
      expect(added.status).toBe(201)
      const email = await ann.settled(await ann.send(given))
      expect(email.recipients.at(-1)).toMatchObject({ status: 'suppressed', attempts: 0 })
      expect(rcpts()).toBe(before)
    })
  }
})

test('422 for a suppressed address with a needless backslash', async () => {
  await ann.post('/suppressions', { email: 'slash@list.test' })
  const before = rcpts()
  expect((await ann.post('/emails', ann.email({ to: '"sl\\ash"@list.test' }))).status).toBe(422)
  expect(rcpts()).toBe(before)
})

test('delivered to the address with a label, and to the address itself in another team', async () => {
  await ann.post('/suppressions', { email: 'label@list.test' })
  expect((await ann.settled(await ann.send({ to: 'label+a@list.test' }))).status).toBe('delivered')
  const bob = await service.givenSender()
  expect((await bob.settled(await bob.send({ to: 'label@list.test' }))).status).toBe('delivered')
})

test('delivered again after the suppression is removed', async () => {
  await ann.post('/suppressions', { email: 'back@list.test' })
  await ann.delete('/suppressions/back@list.test')
  expect((await ann.settled(await ann.send({ to: 'back@list.test' }))).status).toBe('delivered')
})

test('no second attempt after a suppression between attempts', async () => {
  service.mx.script({ expect: 'RCPT TO:<twice@list.test>', answer: '450 4.2.0 Later' })
  const id = await ann.send({ to: 'twice@list.test' })
  await ann.seen(id, ({ status }) => status === 'delivery_delayed')
  await ann.post('/suppressions', { email: 'twice@list.test' })
  const email = await ann.settled(id)
  expect(email).toMatchObject({ status: 'suppressed', last_event: 'suppressed' })
})

describe('the simulator', () => {
  const outcomes: [name: string, status: string, lastEvent: string][] = [
    ['delivered', 'delivered', 'delivered'],
    ['delivered+label', 'delivered', 'delivered'],
    ['bounced', 'bounced', 'bounced'],
    ['soft-bounced', 'failed', 'failed'],
    ['complained', 'delivered', 'complained'],
    ['suppressed', 'suppressed', 'suppressed'],
    ['unknown', 'bounced', 'bounced'],
  ]
  for (const [name, status, lastEvent] of outcomes) {
    test(`${status} for ${name}@simulator.test, last event ${lastEvent}, twice over`, async () => {
      for (let round = 0; round < 2; round++) {
        const email = await ann.settled(await ann.send({ to: `${name}@Simulator.test` }))
        expect(email).toMatchObject({ status, last_event: lastEvent })
        expect(email.events.at(-1).type).toBe(`email.${lastEvent}`)
      }
    })
  }

  test('delivery_delayed for deferred@simulator.test, again and again', async () => {
    const id = await ann.send({ to: 'deferred@simulator.test' })
    const email = await ann.seen(id, ({ recipients }) => recipients[0].attempts >= 2)
    expect(email.status).toBe('delivery_delayed')
  })
})
