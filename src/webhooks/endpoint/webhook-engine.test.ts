import { buildConnector } from 'undici'
import { type TestContext, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { startWebhookReceiver } from '../../../test/support/webhook-receiver.ts'
import { happen, readWebhook } from '../../../test/support/webhooks.ts'
import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { createSignal } from '../../lib/async/signal.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { openLine } from '../request/post.ts'
import { insertWebhook } from '../webhooks-queries.ts'
import { createResultWriter } from './result-writer.ts'
import { TeamFeeds } from './team-feeds.ts'
import { startWebhookEngine, type WebhookEngine } from './webhook-engine.ts'
import { WorkerBudget } from './worker-budget.ts'

/** An engine with a database that can refuse, and one endpoint whose receiver answers 500. */
async function givenEngine(onTestFinished: TestContext['onTestFinished']) {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  receiver.answer('/', (response) => response.writeHead(500).end())
  const [teamId, id] = [newId(), newId()]
  const now = new Date()
  await database.db.transaction((tx) =>
    insertWebhook(tx, {
      teamId,
      id,
      url: `${receiver.url}/`,
      description: '',
      types: [],
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      sealedSecret: Buffer.alloc(0),
      sealedOldSecret: null,
      oldSecretUntil: null,
      position: 0,
      failingSince: null,
      createdAt: now,
      updatedAt: now,
    }),
  )
  const refused = { results: false, extensionsLeft: 0, extendedAtMs: [] as number[] }
  const db: Db = {
    ...database.db,
    async transaction(work) {
      if (refused.results) throw new DatabaseUnavailable(new Error('refused'))
      return database.db.transaction(work)
    },
    async query<Row>(...[sql, ...rest]: Parameters<Db['query']>) {
      if (/set leased_until = .*greatest/.test(sql)) {
        refused.extendedAtMs.push(performance.now())
        if (refused.extensionsLeft-- > 0) throw new DatabaseUnavailable(new Error('refused'))
      }
      return database.db.query<Row>(sql, ...rest)
    },
  }
  const common = { db, clock: systemClock, log: createLog('silent'), nodeId: newId() }
  const start = (): WebhookEngine =>
    startWebhookEngine({
      ...common,
      signal: createSignal(),
      random: Math.random,
      retryScheduleMs: [3_600_000],
      writer: createResultWriter(common),
      feeds: new TeamFeeds(db),
      budget: new WorkerBudget(),
      openLine: (url) => openLine({ url, connect: buildConnector({}), connectionsMax: 8, timeoutMs: 10_000 }),
      secretsOf: () => [Buffer.alloc(32)],
      count: () => {},
    })
  return { database, receiver, teamId, id, refused, start }
}

test.concurrent('an event whose result could not be written before the stop is sent again by the next engine', async ({
  expect,
  onTestFinished,
}) => {
  const { database, receiver, teamId, id, refused, start } = await givenEngine(onTestFinished)
  await happen(database.db, teamId)
  refused.results = true
  const engine = start()
  await expect.poll(() => receiver.received).toHaveLength(1)
  await engine.stop()
  expect(await readWebhook(database.db, id)).toMatchObject({ position: 0, leasedBy: null })
  refused.results = false
  const next = start()
  await expect.poll(async () => (await readWebhook(database.db, id)).position).toBe(1)
  expect(receiver.received).toHaveLength(2)
  await next.stop()
})

test.concurrent('leases that could not be extended are extended as soon as the database answers', async ({
  expect,
  onTestFinished,
}) => {
  const { database, receiver, teamId, refused, start } = await givenEngine(onTestFinished)
  receiver.answer('/', (response) => response.end())
  refused.extensionsLeft = 1
  const engine = start()
  onTestFinished(() => engine.stop())
  // Only a busy endpoint stays leased for so long.
  const sending = setInterval(() => void happen(database.db, teamId), 1_000)
  onTestFinished(() => clearInterval(sending))
  await expect.poll(() => refused.extendedAtMs, { timeout: 40_000 }).toHaveLength(2)
  const [first = 0, second = 0] = refused.extendedAtMs
  // The usual interval is ten seconds.
  expect(second - first).toBeLessThan(5_000)
})
