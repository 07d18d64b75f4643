import { afterAll, expect, test } from 'vitest'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { startMx } from '../support/mx.ts'
import { givenRules } from '../support/rules.ts'
import { startTestSendwright } from '../support/sendwright.ts'

const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

const PROBE_MS = 300
const EMAILS = 60

test('one connection of all processes probes a site that is down; when it responds, all mail is sent immediately and once', async () => {
  const { path } = givenRules({ probes: [`${PROBE_MS}ms`] })
  const service = await startTestSendwright({
    roles: ['api', 'scheduler'],
    // Waiting mail would be retried in an hour, so an earlier delivery is due to the probe.
    environment: { SENDWRIGHT_RULES_FILE: path, SENDWRIGHT_RETRY_SCHEDULE: '1h' },
  })
  stops.push(() => service.stop())
  const deliverers: Sendwright[] = []
  for (const _ of ['one', 'two']) {
    deliverers.push(await startSendwright(service.config, { roles: ['deliver'], log: createLog('warn') }))
  }
  stops.push(() => Promise.all(deliverers.map((one) => one.stop())))
  const mx = await startMx({ address: '127.0.0.60', port: service.mx.port })
  stops.push(() => mx.close())
  mx.script({ expect: '<connect>', answer: '421 4.3.2 Out of service', ending: 'close' })
  service.dns.set({ 'down.dead.test': { a: ['127.0.0.60'] } })
  const domain = service.givenDestination({ mx: [[10, 'down.dead.test']] })
  const ann = await service.givenSender()
  const ids = await Promise.all(Array.from({ length: EMAILS }, (_, i) => ann.send({ to: `r${i}@${domain}` })))
  await expect.poll(() => mx.connectionCount, { interval: 10 }).toBeGreaterThanOrEqual(5)
  // Each process may fail once by itself. After that, there is one probe per pause.
  const probes = mx.connectedMs.slice(2)
  const gaps = probes.slice(1).map((at, i) => at - (probes[i] as number))
  expect(Math.min(...gaps)).toBeGreaterThan(PROBE_MS / 2)
  const [row] = await service.db.query<{ tries: number }>(
    'select sum(attempts)::int as tries from delivery where domain = $1',
    [domain],
  )
  expect(row?.tries).toBeLessThanOrEqual(mx.connectionCount)

  mx.script({ expect: '<connect>', answer: '220 down.dead.test ESMTP' })
  const messages = await mx.waitFor(EMAILS)
  expect(new Set(messages.map(({ to }) => to[0])).size).toBe(EMAILS)
  for (const id of ids) expect((await ann.settled(id)).status).toBe('delivered')
  expect(mx.messages).toHaveLength(EMAILS)
  await expect
    .poll(() => service.db.query("select name from site_pause where state <> 'resumed'"))
    .toEqual([])
})
