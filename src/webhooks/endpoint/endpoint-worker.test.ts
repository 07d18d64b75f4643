import { buildConnector } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { startWebhookReceiver } from '../../../test/support/webhook-receiver.ts'
import { happen } from '../../../test/support/webhooks.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { openLine } from '../request/post.ts'
import { EndpointWorker } from './endpoint-worker.ts'
import type { Endpoint } from './endpoint-workers-queries.ts'
import { TeamFeeds } from './team-feeds.ts'
import { WorkerBudget } from './worker-budget.ts'
import type { WorkerResults } from './worker-types.ts'

class CountedFeeds extends TeamFeeds {
  readCount = 0

  override async read(...given: Parameters<TeamFeeds['read']>) {
    const range = await super.read(...given)
    this.readCount++
    return range
  }
}

/** Starts a receiver, and a worker for a team with so many events. The worker sends for `sendMs`. */
async function givenWorker(subjects: readonly string[], sendMs = 60_000) {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const teamId = newId()
  await happen(database.db, teamId, { count: subjects.length, subjects })
  const endpoint: Endpoint = {
    teamId,
    id: newId(),
    url: `${receiver.url}/`,
    types: [],
    sealedSecret: Buffer.alloc(0),
    sealedOldSecret: null,
    oldSecretUntil: null,
    position: 0,
    failingSince: null,
    probeAt: null,
    nextRetryAt: null,
    updatedAt: new Date(),
  }
  const noted: EndpointWorker[] = []
  const feeds = new CountedFeeds(database.db)
  const worker = new EndpointWorker(endpoint, performance.now() + sendMs, {
    clock: systemClock,
    log: createLog('warn'),
    random: Math.random,
    retryScheduleMs: [],
    feeds,
    budget: new WorkerBudget(),
    openLine: (url) => openLine({ url, connect: buildConnector({}), connectionsMax: 8, timeoutMs: 10_000 }),
    secretsOf: () => [Buffer.alloc(32)],
    onResult: (one) => noted.push(one),
    wake: () => {},
    count: () => {},
  })
  onTestFinished(() => worker.end())
  worker.see(subjects.length, null)
  return { worker, receiver, endpoint, noted, feeds }
}

test('handed over with the results of everything sent: overtaken events are sent first, later ones are not', async () => {
  const [slow, quick] = [newId(), newId()]
  const { worker, receiver } = await givenWorker([slow, slow, quick, slow, slow])
  const answered = Promise.withResolvers<void>()
  receiver.answer('/', (response, { json }) => {
    if (json.data.no === 0) void answered.promise.then(() => response.end())
    else response.end()
  })
  worker.pump()
  const sentPositions = () => receiver.received.map(({ json }) => json.data.no)
  await expect.poll(sentPositions).toEqual([0, 2])
  worker.handOver()
  answered.resolve()
  await expect.poll(sentPositions).toEqual([0, 2, 1])
  const taken: WorkerResults[] = []
  const takeNext = () => {
    const results = worker.takeResults()
    if (results !== null) taken.push(results)
    return taken.flatMap(({ first }) => first).length
  }
  await expect.poll(takeNext).toBe(3)
  for (const results of taken) worker.written(results, true)
  expect(worker.recordedPosition).toBe(3)
  expect(sentPositions()).toEqual([0, 2, 1])
})

test('no position is recorded beyond results that are not written: they may be lost with this process', async () => {
  const { worker, noted } = await givenWorker([newId()])
  worker.pump()
  await expect.poll(() => noted).toHaveLength(1)
  expect(worker.recordedPosition).toBe(0)
  const results = worker.takeResults() as WorkerResults
  // Gone from the window, and not yet in the database.
  expect([results.state.position, worker.recordedPosition]).toEqual([1, 0])
  worker.written(results, true)
  expect(worker.recordedPosition).toBe(1)
})

test('quiet after its owner dropped the types of all events that it holds, none of which was sent', async () => {
  // Its time to send has passed, so it only reads.
  const { worker, endpoint, noted, feeds } = await givenWorker([newId(), newId()], -1)
  worker.pump()
  await expect.poll(() => feeds.readCount).toBe(1)
  worker.change({ ...endpoint, types: ['email.bounced'], updatedAt: new Date() })
  expect(noted).toEqual([worker])
  expect(worker.takeResults()).toBeNull()
  expect([worker.isQuiet, worker.recordedPosition]).toEqual([true, 2])
})
