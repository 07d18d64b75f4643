import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { givenWebhook, happen, readDeliveries, readWebhook } from '../support/webhooks.ts'

let service: TestSendwright
let receiver: WebhookReceiver
const processes: Sendwright[] = []

/** Only processes started by a test send webhooks. */
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  service = await startTestSendwright({ roles: ['api'] })
})
afterEach(() => Promise.all(processes.splice(0).map((one) => one.stop())))
afterAll(async () => {
  await receiver?.close()
  await service?.stop()
})

async function startSending(fields: object = {}): Promise<Sendwright> {
  const config = { ...service.config, ...fields }
  const started = await startSendwright(config, { roles: ['webhooks'], log: createLog('warn') })
  processes.push(started)
  return started
}
const comeTo = <T>(what: () => T) => expect.poll(what, { timeout: 60_000, interval: 20 })
const upTo = (count: number) => Array.from({ length: count }, (_, no) => no)

test('each event is sent once when two processes share the webhooks of many teams', async () => {
  const teams = await Promise.all(upTo(12).map(() => service.givenTeam()))
  const hooks = await Promise.all(teams.map((team) => givenWebhook(team, receiver)))
  await Promise.all([startSending(), startSending()])
  for (const round of upTo(5)) {
    await Promise.all(teams.map(({ id }) => happen(service.db, id, { count: 4, from: round * 4 })))
  }
  for (const { path, id } of hooks) {
    await comeTo(() => receiver.at(path).length).toBe(20)
    await comeTo(async () => (await readDeliveries(service.db, id)).length).toBe(20)
    expect(
      receiver
        .at(path)
        .map(({ json }) => json.data.no)
        .toSorted((a, b) => a - b),
    ).toEqual(upTo(20))
  }
})

test('requests in progress when a process stops are finished, recorded and not repeated', async () => {
  const team = await service.givenTeam()
  const hook = await givenWebhook(team, receiver)
  const answered = Promise.withResolvers<void>()
  receiver.answer(hook.path, (response) => void answered.promise.then(() => response.end()))
  await happen(service.db, team.id, { count: 5, subjects: [newId()] })
  const first = await startSending()
  await comeTo(() => receiver.at(hook.path).length).toBe(1)
  const stopped = first.stop()
  answered.resolve()
  await stopped
  const sentCount = receiver.at(hook.path).length
  expect(await readWebhook(service.db, hook.id)).toMatchObject({ position: sentCount, leasedBy: null })
  const rows = await readDeliveries(service.db, hook.id)
  expect(rows.map(({ status }) => status)).toEqual(upTo(sentCount).map(() => 'delivered'))
  await startSending()
  await comeTo(() => receiver.at(hook.path).map(({ json }) => json.data.no)).toEqual(upTo(5))
})

test('a process that has lost the endpoint gives nothing up, whatever the response', async () => {
  const team = await service.givenTeam()
  const hook = await givenWebhook(team, receiver)
  await startSending()
  const taken = Promise.withResolvers<void>()
  receiver.answer(hook.path, async (response) => {
    const nth = receiver.at(hook.path).length
    if (nth === 2) {
      await service.db.query('update webhook set leased_by = $2 where id = $1', [hook.id, newId()])
      taken.resolve()
    }
    response.writeHead([500, 410][nth - 1] ?? 200).end()
  })
  await happen(service.db, team.id)
  await comeTo(async () => (await readDeliveries(service.db, hook.id)).length).toBe(1)
  await happen(service.db, team.id, { from: 1 })
  await taken.promise
  await service.db.query('update webhook set leased_by = null, leased_until = null where id = $1', [hook.id])
  await comeTo(async () => (await readDeliveries(service.db, hook.id)).length).toBe(2)
  expect((await readWebhook(service.db, hook.id)).status).toBe('enabled')
  expect((await readDeliveries(service.db, hook.id))[0]?.status).not.toBe('failed')
})

test('a delivery accepted while the database was unavailable is recorded once and not repeated', async () => {
  const team = await service.givenTeam()
  const hook = await givenWebhook(team, receiver)
  const hop = await startDatabaseProxy(service.config.databaseUrl ?? '')
  onTestFinished(() => hop.stop())
  await startSending({ databaseUrl: hop.url })
  const answered = Promise.withResolvers<void>()
  receiver.answer(hook.path, (response) => void answered.promise.then(() => response.end()))
  await happen(service.db, team.id)
  await comeTo(() => receiver.at(hook.path).length).toBe(1)
  hop.stop()
  answered.resolve()
  // The process now has the result and cannot write it; the next event is committed in the meantime.
  await happen(service.db, team.id, { from: 1 })
  expect(await readDeliveries(service.db, hook.id)).toEqual([])
  await hop.start()
  await comeTo(async () => (await readDeliveries(service.db, hook.id)).length).toBe(2)
  expect(receiver.at(hook.path).map(({ json }) => json.data.no)).toEqual([0, 1])
})

test('deliveries of a process that lost its lease before recording them are sent again with the same ids', async () => {
  const team = await service.givenTeam()
  const hook = await givenWebhook(team, receiver)
  await startSending()
  receiver.answer(hook.path, async (response) => {
    // As if the lease had expired and another process had claimed the endpoint.
    if (receiver.at(hook.path).length === 1) {
      await service.db.query('update webhook set leased_by = $2 where id = $1', [hook.id, newId()])
      response.end()
      await service.db.query('update webhook set leased_by = null, leased_until = null where id = $1', [
        hook.id,
      ])
    } else response.end()
  })
  await happen(service.db, team.id)
  await comeTo(async () => (await readDeliveries(service.db, hook.id)).length).toBe(1)
  const ids = receiver.at(hook.path).map(({ headers }) => headers['webhook-id'])
  expect(ids.length).toBeGreaterThan(0)
  expect(new Set(ids).size).toBe(1)
  expect((await readWebhook(service.db, hook.id)).position).toBe(1)
})

test.each([
  { form: 'a literal address', hostOf: () => '127.0.0.1' },
  { form: 'a name that DNS leads to this machine', hostOf: () => 'inside.test' },
  { form: 'localhost', hostOf: () => 'localhost' },
])('no connection to $form when private networks are forbidden', async ({ hostOf }) => {
  service.dns.set({ 'inside.test': { a: ['127.0.0.1'] } })
  const team = await service.givenTeam()
  const hook = await givenWebhook(team, { url: `http://${hostOf()}:${receiver.port}` })
  const before = receiver.connectionsCount
  await startSending({ allowPrivateNetworks: false })
  await happen(service.db, team.id)
  await comeTo(async () => (await readDeliveries(service.db, hook.id))[0]?.tries[0]).toMatchObject({
    status: null,
    error: 'The address is not allowed.',
  })
  expect(receiver.connectionsCount).toBe(before)
})
