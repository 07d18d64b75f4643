import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { givenDeliveries } from '../../test/support/deliveries.ts'
import { createSignal } from '../lib/async/signal.ts'
import { newId } from '../lib/ids.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../lib/time/clock.ts'
import type { DueDelivery } from './types.ts'
import { startWorker } from './worker.ts'

test('claimed a few at a time while slow destinations hold almost all of the room', async () => {
  const database = await createDatabase()
  await givenDeliveries(
    database.db,
    newId(),
    Array.from({ length: 5 }, () => ({ domain: 'quick.test' })),
  )
  const added: DueDelivery[] = []
  const worker = startWorker({
    db: database.db,
    claims: database.db,
    clock: systemClock,
    log: createLog('error'),
    nodeId: randomUUID(),
    signal: createSignal(),
    destination: {
      room: () => 3,
      domainsToSkip: () => [],
      yieldTurn: async () => {},
      add: async (deliveries) => void added.push(...deliveries),
      held: () => added,
      takeLost: () => [],
      drain: async () => [],
    },
  })
  await expect.poll(() => added.length, { timeout: 60_000 }).toBe(5)
  await worker.stop()
  await database.drop()
})
