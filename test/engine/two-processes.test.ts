import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender
const deliverers: Sendwright[] = []

beforeAll(async () => {
  service = await startTestSendwright({ roles: ['api', 'scheduler'] })
  ann = await service.givenSender()
  for (const hostname of ['one.sendwright.test', 'two.sendwright.test']) {
    const config = { ...service.config, hostname }
    deliverers.push(await startSendwright(config, { roles: ['deliver'], log: createLog('warn') }))
  }
})
afterAll(async () => {
  for (const deliverer of deliverers) await deliverer.stop()
  await service.stop()
})

const EMAILS = 60
const RECIPIENTS = 10

test('each email is delivered once by two processes together, with the right final state', async () => {
  const { mx } = service
  const domains = Array.from({ length: 5 }, () => service.givenDestination())
  mx.script({ expect: /^RCPT TO:<r3@/, answer: '550 5.7.1 Policy' })
  const ids = await Promise.all(
    Array.from({ length: EMAILS }, (_, i) =>
      ann.send({
        subject: `Email ${i}`,
        to: Array.from({ length: RECIPIENTS }, (_, n) => `r${n}@${domains[(i + n) % domains.length]}`),
      }),
    ),
  )
  for (const id of ids) {
    const email = await ann.settled(id)
    expect(email.status).toBe('partially_delivered')
    expect(email.events).toHaveLength(1 + RECIPIENTS)
    expect(email.last_event).toBe(email.events.at(-1).type.slice('email.'.length))
  }
  const copies = mx.messages.map(
    ({ to, raw }) => `${to[0]} ${/^Message-ID: (.*)$/m.exec(raw.toString('latin1'))?.[1]}`,
  )
  expect(copies).toHaveLength(EMAILS * (RECIPIENTS - 1))
  expect(new Set(copies).size).toBe(copies.length)
  const greeters = mx.commands.flatMap(({ line }) => (line.startsWith('EHLO') ? [line.slice(5)] : []))
  expect(new Set(greeters)).toEqual(new Set(['one.sendwright.test', 'two.sendwright.test']))
})

test('the other process delivers when one stops; nothing is lost or sent twice', async () => {
  const { mx } = service
  const domain = service.givenDestination()
  mx.script({ expect: '<message>', answer: '250 2.0.0 Taken', byteEveryMs: 2 })
  const before = mx.messages.length
  const ids = await Promise.all(
    Array.from({ length: 100 }, (_, i) => ann.send({ to: [`a${i}@${domain}`, `b${i}@${domain}`] })),
  )
  await mx.waitFor(before + 5)
  await deliverers.shift()?.stop()
  for (const id of ids) expect((await ann.settled(id)).status).toBe('delivered')
  const sent = mx.messages.slice(before).map(({ to }) => to[0])
  expect(sent).toHaveLength(200)
  expect(new Set(sent).size).toBe(200)
})
