import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDatabase } from '../support/database.ts'
import { findFreePort } from '../support/ports.ts'
import { createInstallation, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { countAccepted, holdSettlement, sendEmails } from './support/settlement.ts'
import { countDeliveries } from './support/verdict.ts'

const EMAILS = 25
const POLL = { timeout: 20_000, interval: 25 }

test('sent once when the process is killed after servers accepted the messages and before it recorded them', {
  timeout: 120_000,
}, async ({ onTestFinished }) => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const installation = await createInstallation(database.url)
  onTestFinished(() => installation.remove())
  await installation.mx.start()
  const metricsPort = await findFreePort()
  const environment = { SENDWRIGHT_METRICS_PORT: `${metricsPort}` }
  const start = async (roles: string, more: Record<string, string>) => {
    const child = installation.serve({ roles, environment: more })
    await child.waitForLine(STARTED, START_LIMIT_MS)
    return child
  }
  const copiesOf = () =>
    Object.values(Object.groupBy(installation.mx.stored(), ({ to }) => to)).map((all) => all?.length)
  const all = 'api,deliver,scheduler'

  const first = await start(all, environment)
  const sender = await installation.createSender('one.sender.test')
  let release = await holdSettlement(database)
  await sendEmails(installation, sender, 'a', EMAILS)
  await expect.poll(() => countAccepted(metricsPort), POLL).toBe(EMAILS)
  first.signal('SIGKILL')
  await first.ended
  await release()
  expect(await countDeliveries(database.url)).toEqual({ queued: EMAILS })

  // The journal is settled before the next process reports its start and claims deliveries.
  const second = await start(all, environment)
  expect(await countDeliveries(database.url)).toEqual({ delivered: EMAILS })

  release = await holdSettlement(database)
  await sendEmails(installation, sender, 'b', EMAILS)
  await expect.poll(() => countAccepted(metricsPort), POLL).toBe(EMAILS)
  // A process in the same directory leaves the journal of a living process alone, and settles it when that process is
  // gone.
  const third = await start('deliver,scheduler', { SENDWRIGHT_METRICS_PORT: '' })
  second.signal('SIGKILL')
  await second.ended
  await release()
  await expect.poll(() => countDeliveries(database.url), POLL).toEqual({ delivered: 2 * EMAILS })
  expect(copiesOf()).toEqual(Array.from({ length: 2 * EMAILS }, () => 1))

  third.signal('SIGTERM')
  expect(await third.ended).toBe(0)
  expect(readdirSync(join(installation.environment.SENDWRIGHT_DATA_DIR ?? '', 'journals'))).toEqual([])
  const tries = await database.db.query('select outcome from attempt where attempt = 1')
  expect(tries).toEqual(Array.from({ length: 2 * EMAILS }, () => ({ outcome: 'delivered' })))
})
