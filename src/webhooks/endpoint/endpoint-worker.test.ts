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
import { TeamFeeds } from './team-feeds.ts'
import { WorkerBudget } from './worker-budget.ts'

test('handed over with the results of everything sent: overtaken events are sent first, later ones are not', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const teamId = newId()
  const [slow, quick] = [newId(), newId()]
  await happen(database.db, teamId, { count: 5, subjects: [slow, slow, quick, slow, slow] })
  const answered = Promise.withResolvers<void>()
  receiver.answer('/', (response, { json }) => {
    if (json.data.no === 0) void answered.promise.then(() => response.end())
    else response.end()
  })
  const worker = new EndpointWorker(
    {
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
    },
    performance.now() + 60_000,
    {
      clock: systemClock,
      log: createLog('warn'),
      random: Math.random,
      retryScheduleMs: [],
      feeds: new TeamFeeds(database.db),
      budget: new WorkerBudget(),
      openLine: (url) => openLine({ url, connect: buildConnector({}), connectionsMax: 8, timeoutMs: 10_000 }),
      secretsOf: () => [Buffer.alloc(32)],
      onResult: () => {},
      wake: () => {},
      count: () => {},
    },
  )
  onTestFinished(() => worker.end())
  worker.see(5, null)
  worker.pump()
  const sentPositions = () => receiver.received.map(({ json }) => json.data.no)
  await expect.poll(sentPositions).toEqual([0, 2])
  worker.handOver()
  answered.resolve()
  await expect.poll(sentPositions).toEqual([0, 2, 1])
  const written: unknown[] = []
  await expect.poll(() => written.push(...(worker.takeResults()?.first ?? []))).toBe(3)
  expect(worker.position).toBe(3)
  expect(sentPositions()).toEqual([0, 2, 1])
})
