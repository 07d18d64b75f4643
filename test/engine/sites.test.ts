import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMx } from '../support/mx.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_RETRY_SCHEDULE: '300ms' } })
  ann = await service.givenSender()
})
afterAll(() => service.stop())

interface Attempts {
  total: number
  open: number
}

async function attemptsTo(domain: string): Promise<Attempts> {
  const [row] = await service.db.query<Attempts>(
    `select coalesce(sum(attempts), 0)::int4 as total, count(*) filter (where due_at is not null)::int4 as open
     from delivery where domain = $1`,
    [domain],
  )
  return row as Attempts
}

test('probed by one delivery while the others wait without using attempts; all are delivered when the site is back', async () => {
  service.dns.set({ 'down.receiver.test': { a: ['127.0.0.5'] } })
  const domain = service.givenDestination({ mx: [[10, 'down.receiver.test']] })
  const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => ann.send({ to: `r${i}@${domain}` })))
  await ann.seen(
    ids[0] as string,
    ({ recipients }) => recipients[0].attempts > 0 || recipients[0].category !== null,
  )
  // A recipient was attempted at least three times: the site was paused and probed again.
  const until = Date.now() + 10_000
  while ((await attemptsTo(domain)).total < 4 && Date.now() < until) await ann.get('/usage')
  const { total, open } = await attemptsTo(domain)
  expect(open).toBe(40)
  // Two connections were attempted at first, then one probe per pause, never forty.
  expect(total).toBeLessThan(20)
  const back = await startMx({ address: '127.0.0.5', port: service.mx.port })
  await back.waitFor(40)
  for (const id of ids) expect((await ann.settled(id)).status).toBe('delivered')
  expect(new Set(back.messages.map(({ to }) => to[0])).size).toBe(40)
  await back.close()
})

test('never more concurrent connections than the limit, reused, and each message once', async () => {
  const other = await startMx({ address: '127.0.0.6', port: service.mx.port })
  service.dns.set({ 'busy.receiver.test': { a: ['127.0.0.6'] } })
  const domain = service.givenDestination({ mx: [[10, 'busy.receiver.test']] })
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      ann.send({ to: Array.from({ length: 50 }, (_, n) => `r${i}x${n}@${domain}`) }),
    ),
  )
  await other.waitFor(500)
  expect(new Set(other.messages.map(({ to }) => to[0])).size).toBe(500)
  expect(other.connectionCount).toBeLessThanOrEqual(30)
  await other.close()
})

test('slowed down by 421: all delivered in the end', async () => {
  const other = await startMx({ address: '127.0.0.7', port: service.mx.port })
  service.dns.set({ 'slow.receiver.test': { a: ['127.0.0.7'] } })
  const domain = service.givenDestination({ mx: [[10, 'slow.receiver.test']] })
  other.script({ expect: 'MAIL FROM', answer: '421 4.7.0 Too many messages', ending: 'close', times: 3 })
  const id = await ann.send({ to: Array.from({ length: 30 }, (_, n) => `r${n}@${domain}`) })
  const email = await ann.settled(id)
  expect(email.status).toBe('delivered')
  expect(other.messages).toHaveLength(30)
  await other.close()
})

test('delivered without TLS for one sender, and never on that connection for one that enforces TLS', async () => {
  const bob = await service.givenSender()
  expect((await bob.patch(`/domains/${bob.domainId}`, { tls: 'enforced' })).status).toBe(200)
  const other = await startMx({ address: '127.0.0.8', port: service.mx.port })
  service.dns.set({ 'clear.receiver.test': { a: ['127.0.0.8'] } })
  const domain = service.givenDestination({ mx: [[10, 'clear.receiver.test']] })
  expect((await ann.settled(await ann.send({ to: `a@${domain}` }))).status).toBe('delivered')
  const id = await bob.send({ to: `b@${domain}` })
  const email = await bob.seen(id, ({ status }) => status === 'delivery_delayed')
  expect(email.recipients[0].category).toBe('tls_required')
  // The site is not down for the sender that does not require TLS.
  expect((await ann.settled(await ann.send({ to: `c@${domain}` }))).status).toBe('delivered')
  expect(other.messages.map(({ to }) => to[0])).toEqual([`a@${domain}`, `c@${domain}`])
  await other.close()
})

test('paused by another process, even together with thousands of other sites', async () => {
  const host = 'crowd.receiver.test'
  const other = await startMx({ address: '127.0.0.71', port: service.mx.port })
  service.dns.set({ [host]: { a: ['127.0.0.71'] } })
  const domain = service.givenDestination({ mx: [[10, host]] })
  await ann.settled(await ann.send({ to: `first@${domain}` }))
  const pause = `insert into site_pause (name, state, paused_until, failures, category, reason, changed_at)
    select $1 || n, 'paused', $2::timestamptz + interval '1 hour', 1, 'unreachable', 'Down.',
      $2::timestamptz + n * interval '10 us'
    from generate_series(1, $3) n`
  await service.db.query(pause, ['crowd', new Date(), 6000])
  await service.db.query(pause.replace('$1 || n', '$1'), [host, new Date(Date.now() + 100), 1])
  await expect
    .poll(() => service.db.query('select state from site_report where name = $1', [host]), {
      timeout: 60_000,
    })
    .toEqual([{ state: 'paused' }])
  await service.db.query('delete from site_pause')
  await other.close()
})
