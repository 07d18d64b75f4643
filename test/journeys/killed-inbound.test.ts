import { expect, test } from 'vitest'
import { deriveKey, openSecret } from '../../src/lib/crypto/seal.ts'
import { makeReturnPath } from '../../src/mime/return-path.ts'
import { createDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { bring, INBOUND, statusDsn } from '../support/inbound.ts'
import { findFreePort } from '../support/ports.ts'
import { createInstallation, postJson, START_LIMIT_MS, STARTED, untilReady } from './support/installation.ts'

const POLL = { timeout: 20_000, interval: 25 }

test('one event when the server is killed between the commit of a bounce and its 250, and the bounce is sent again', {
  timeout: 120_000,
}, async ({ onTestFinished }) => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const proxy = await startDatabaseProxy(database.url)
  onTestFinished(() => proxy.stop())
  const installation = await createInstallation(proxy.url)
  onTestFinished(() => installation.remove())
  const port = await findFreePort()
  const environment = { ...INBOUND, SENDWRIGHT_DELIVERY: 'capture', SENDWRIGHT_INBOUND_PORT: `${port}` }
  const roles = 'api,deliver,scheduler,inbound'
  const first = installation.serve({ roles, environment })
  await first.waitForLine(STARTED, START_LIMIT_MS)

  const sender = await installation.createSender('one.sender.test')
  const recipient = 'bob@one.destination.test'
  const sent = await postJson(installation.url, '/emails', sender.token, {
    from: sender.from,
    to: recipient,
    subject: 'Hello',
    text: 'It works.',
  })
  const { id } = sent.json
  const typesOf = async () => {
    const rows = await database.db.query<{ type: string }>(
      'select type from event where team_id = $1 and subject_id = $2 order by id',
      [sender.teamId, id],
    )
    return rows.map(({ type }) => type)
  }
  await expect.poll(typesOf, POLL).toEqual(['email.queued', 'email.delivered'])
  const to = await returnPathOf(installation.environment, database, sender.teamId, id)
  const message = statusDsn({ recipient, action: 'failed', status: '5.1.1' })

  proxy.filterCommits(async () => false)
  const unanswered = bring(port, { to, message })
  await expect.poll(typesOf, POLL).toEqual(['email.queued', 'email.delivered', 'email.bounced'])
  first.signal('SIGKILL')
  await first.ended
  expect(await unanswered).not.toMatch(/^2/)

  proxy.filterCommits(async () => true)
  const second = installation.serve({ roles, environment })
  await second.waitForLine(STARTED, START_LIMIT_MS)
  await untilReady(installation.url)
  expect(await bring(port, { to, message })).toMatch(/^250 /)
  expect(await typesOf()).toEqual(['email.queued', 'email.delivered', 'email.bounced'])
  const suppressions = await database.db.query('select email, reason from suppression where team_id = $1', [
    sender.teamId,
  ])
  expect(suppressions).toEqual([{ email: recipient, reason: 'bounce' }])
})

async function returnPathOf(
  environment: Record<string, string>,
  { db }: Awaited<ReturnType<typeof createDatabase>>,
  teamId: string,
  emailId: string,
): Promise<string> {
  const [team] = await db.query<{ tag: string }>('select tag from team where id = $1', [teamId])
  const secret = await openSecret(
    environment.SENDWRIGHT_DATA_DIR ?? '',
    environment.SENDWRIGHT_SECRET_KEY ?? null,
  )
  const token = makeReturnPath(deriveKey(secret, 'return paths'), team?.tag ?? '', emailId, 0)
  return `${token}@${environment.SENDWRIGHT_HOSTNAME}`
}
