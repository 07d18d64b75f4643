import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenDeliveries, statesOf } from '../../../test/support/deliveries.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { listenOn } from '../../db/listen.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { writeNode } from '../../operator/nodes-queries.ts'
import { claimDue, newRound } from '../../queue/claim.ts'
import { insertWebhook } from '../../webhooks/webhooks-queries.ts'
import { recoverWorker } from './recover-worker.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const log = createLog('silent')
const WAITS = { retryMs: 1, retriedForMs: 60_000, settledMs: 1 }
const recover = (nodeId: string, settleLeft: () => Promise<void>) =>
  recoverWorker(
    {
      db: database.db,
      clock: systemClock,
      log,
      settleLeft,
      stop: new AbortController().signal,
      waits: WAITS,
    },
    nodeId,
  )

const claimAs = (nodeId: string) =>
  claimDue(database.db, {
    nodeId,
    now: systemClock.now(),
    countMax: 200,
    domainsToSkip: [],
    round: newRound(),
  })

test('dead: its deliveries are ready after its journal is settled, its endpoints free, and its node is not listed', async () => {
  const [gone, other] = [randomUUID(), randomUUID()]
  const { db } = database
  const now = systemClock.now()
  const endpoint = { teamId: newId(), id: newId() }
  await givenDeliveries(db, newId(), [{ domain: 'a.test' }, { domain: 'b.test' }])
  expect(await claimAs(gone)).toHaveLength(2)
  await db.transaction((tx) =>
    insertWebhook(tx, {
      ...endpoint,
      url: 'https://hooks.test',
      description: null,
      types: [],
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      position: 0,
      failingSince: null,
      sealedSecret: Buffer.alloc(1),
      sealedOldSecret: null,
      oldSecretUntil: null,
      createdAt: now,
      updatedAt: now,
    }),
  )
  await db.query('update webhook set leased_by = $1, leased_until = $2', [gone, now])
  for (const id of [gone, other]) {
    const process = { id, host: 'here', processId: 1, roles: ['deliver'], version: '1', startedAt: now }
    await writeNode(db, { ...process, deliveriesHeld: 2, memoryBytes: 1 }, now, new Date(0))
  }
  let notified = 0
  const listener = listenOn(db, log, 'sendwright_due', () => notified++)
  listener.start()
  onTestFinished(() => listener.stop())
  await expect.poll(() => notified).toBe(1)

  const held: unknown[] = []
  await recover(gone, async () => {
    held.push(...(await statesOf(db)).map(({ leasedBy }) => leasedBy))
  })
  expect(held.slice(0, 2)).toEqual([gone, gone])
  expect(await claimAs(other)).toHaveLength(2)
  expect(await db.query('select leased_by, leased_until from webhook')).toEqual([
    { leasedBy: null, leasedUntil: null },
  ])
  expect(await db.query('select id from node')).toEqual([{ id: other }])
  await expect.poll(() => notified).toBeGreaterThan(1)
})

test('released again: deliveries that a commit leased to it after its end', async () => {
  const gone = randomUUID()
  let rounds = 0
  await recover(gone, async () => {
    if (++rounds !== 2) return
    await givenDeliveries(database.db, newId(), [{ domain: 'late.test' }])
    await claimAs(gone)
  })
  expect(await claimAs(randomUUID())).toHaveLength(1)
})

test('unavailable: retried until the database responds', async () => {
  let attempts = 0
  await recover(randomUUID(), async () => {
    if (++attempts < 4) throw new DatabaseUnavailable(new Error('gone'))
  })
  expect(attempts).toBe(5)
})
