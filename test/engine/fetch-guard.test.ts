import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let ann: Sender
let connections = 0
const files = createServer((_request, response) => response.end('secret'))

beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_ALLOW_PRIVATE_NETWORKS: 'false' } })
  ann = await service.givenSender()
  files.on('connection', () => connections++)
  await new Promise<void>((resolve) => files.listen(0, '::', resolve))
})
afterAll(async () => {
  await service.stop()
  await new Promise((resolve) => files.close(resolve))
})

const HOSTS = [
  '127.0.0.1',
  'localhost',
  '127.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '[::ffff:7f00:1]',
  '0.0.0.0',
  '[::]',
]
for (const host of HOSTS) {
  test(`422 for an attachment at ${host}, and no connection is made`, async () => {
    const { port } = files.address() as AddressInfo
    const { status, json } = await ann.post(
      '/emails',
      ann.email({ attachments: [{ path: `http://${host}:${port}/a` }] }),
    )
    expect([status, json.message]).toEqual([
      422,
      'The attachments.0.path field could not be fetched: no server at a public address returned it in time.',
    ])
    expect(connections).toBe(0)
  })
}

test('failed immediately with the reason and without a connection, when the MX has only private addresses', async () => {
  const domain = service.givenDestination()
  const id = await ann.send({ to: `bob@${domain}` })
  const email = await ann.settled(id)
  expect(email.recipients[0]).toMatchObject({
    status: 'failed',
    category: 'address_refused',
    smtp_code: null,
    enhanced_code: '5.4.4',
    response: 'connections to 127.0.0.1 are not allowed: loopback address',
    attempts: 1,
    next_attempt_at: null,
  })
  expect(email.last_event).toBe('failed')
  expect((await ann.get('/suppressions')).json.meta.total).toBe(0)
  expect(service.mx.connectionCount).toBe(0)
})

test('deferred when DNS does not respond for another host of the MX', async () => {
  const domain = 'half-silent.test'
  service.dns.set({
    'private.half-silent.test': { a: ['10.0.0.1'] },
    'silent.half-silent.test': { fail: 'servfail' },
    [domain]: {
      mx: [
        [10, 'private.half-silent.test'],
        [20, 'silent.half-silent.test'],
      ],
    },
  })
  const id = await ann.send({ to: `bob@${domain}` })
  const email = await ann.seen(id, ({ status }) => status === 'delivery_delayed')
  expect(email.recipients[0]).toMatchObject({ category: 'unreachable', smtp_code: null })
})
