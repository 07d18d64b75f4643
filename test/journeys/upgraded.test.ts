import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectionInfo } from '../../src/db/embedded/embedded-postgres.ts'
import { isFull } from '../support/thorough.ts'
import { until } from './support/children.ts'
import { startClients } from './support/clients.ts'
import { returnToSchema } from './support/earlier-schema.ts'
import { createInstallation, type Installation, START_LIMIT_MS, STARTED } from './support/installation.ts'
import { compareLedgers, countDeliveries } from './support/verdict.ts'

const EMAILS = isFull ? 1000 : 300
const DELIVERED_LIMIT_MS = 60_000
/** The last migration of an earlier version, before certificates by ACME and the request log. */
const EARLIER = '0022-classes.sql'

/** Accepts the emails in a server that delivers nothing, and stops it. Returns the clients' ledger. */
async function queueEmails(installation: Installation) {
  const server = installation.serve({ roles: 'api' })
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const clients = startClients(installation.directory, {
    urls: [installation.url],
    senders: [await installation.createSender('one.sender.test')],
    destinations: installation.destinations,
    clients: 8,
    emails: EMAILS,
    everyMs: 0,
  })
  await clients.process.waitForLine('all accepted', START_LIMIT_MS)
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  return clients
}

test('queued emails survive an upgrade from an earlier version, and each is delivered once', {
  timeout: 240_000,
}, async () => {
  const installation = await createInstallation()
  onTestFinished(() => installation.remove())
  const clients = await queueEmails(installation)
  const dataDir = join(installation.directory, 'data')
  const pending = await returnToSchema(dataDir, EARLIER)
  expect(pending.length).toBeGreaterThan(0)

  await installation.mx.start()
  const startedMs = performance.now()
  const server = installation.serve()
  await server.waitForLine(STARTED, START_LIMIT_MS)
  const [migrated] = server.lines.filter((line) => line.includes('"msg":"migrated the database"'))
  const { migrations, backup } = JSON.parse(migrated ?? '{}') as { migrations: string[]; backup: string }
  expect(migrations).toEqual(pending)
  expect(existsSync(backup)).toBe(true)

  const databaseUrl = connectionInfo(dataDir) as string
  await until('all are delivered', DELIVERED_LIMIT_MS, async () =>
    (await countDeliveries(databaseUrl)).delivered === EMAILS ? true : null,
  ).catch(() => {})
  console.log(`upgraded and delivered in ${Math.round(performance.now() - startedMs)} ms`)
  expect(await countDeliveries(databaseUrl)).toEqual({ delivered: EMAILS })
  expect(compareLedgers(clients.answers(), installation.mx, [])).toMatchObject({
    acceptedCount: EMAILS,
    lost: [],
    strange: [],
    duplicates: [],
    ambiguous: [],
  })
})
