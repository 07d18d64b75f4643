import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { findFreePort } from '../support/ports.ts'
import { openSmtps } from '../support/smtp-client.ts'
import { loginOf } from '../support/submission.ts'
import { until } from './support/children.ts'
import { createInstallation, START_LIMIT_MS } from './support/installation.ts'
import { keepRunning } from './support/kept.ts'
import { submitAll } from './support/submitting.ts'

const EMAILS = 60
const CLIENTS = 6
/** After this many accepted emails, no commit gets a response. */
const HELD_AT = 20
const KEY = 'the-journeys-bootstrap-key-of-32-characters'

test('nothing that SMTP submission acknowledged is lost, or accepted twice, when the server is killed between commits and their 250', {
  timeout: 240_000,
}, async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const proxy = await startDatabaseProxy(database.url)
  onTestFinished(() => proxy.stop())
  const installation = await createInstallation(proxy.url)
  onTestFinished(() => installation.remove())
  const port = await findFreePort()
  const environment = {
    SENDWRIGHT_SUBMISSIONS_PORT: `${port}`,
    // In capture mode, the bootstrap domain is verified.
    SENDWRIGHT_DELIVERY: 'capture',
    SENDWRIGHT_BOOTSTRAP_KEY: KEY,
  }
  const server = keepRunning(() => installation.serve({ roles: 'inbound', environment }))
  onTestFinished(() => server.release())
  await server.ready()
  const accepted = new Map<number, string>()

  const readKept = () =>
    database.db.query<{ id: string; subject: string; deliveries: number }>(
      `select e.id, e.subject, count(*)::int as deliveries
       from email e
       join delivery d on d.team_id = e.team_id and d.email_id = e.id
       where d.status = 'queued'
       group by e.id, e.subject`,
    )

  const half = await openSmtps(port)
  await half.hear()
  await half.codes(
    'EHLO x',
    `AUTH PLAIN ${loginOf(KEY)}`,
    'MAIL FROM:<>',
    'RCPT TO:<half@one.destination.test>',
  )
  await half.say('DATA')
  half.write('From: orders@example.com\r\nSubject: Half a message\r\n\r\nThank')

  const clients = submitAll({
    server,
    port,
    token: KEY,
    from: 'Shop <orders@example.com>',
    destinations: installation.destinations,
    emails: EMAILS,
    clients: CLIENTS,
    accepted,
    onAccepted() {
      if (accepted.size === HELD_AT) proxy.filterCommits(async () => false)
    },
  })
  await until(
    'commits are held, and an email is committed and not acknowledged; or all are acknowledged',
    START_LIMIT_MS,
    async () => {
      if (accepted.size === EMAILS) return true
      return accepted.size >= HELD_AT && (await readKept()).length > accepted.size ? true : null
    },
  )
  await server.kill()
  expect(await half.rest()).not.toMatch(/^250/m)
  proxy.filterCommits(async () => true)
  await clients

  expect(new Set(accepted.values()).size).toBe(EMAILS)
  const kept = await readKept()
  expect(kept.map(({ id }) => id).sort()).toEqual([...accepted.values()].sort())
  expect(kept.filter(({ deliveries }) => deliveries !== 1)).toEqual([])
  expect(kept.map(({ subject }) => subject)).not.toContain('Half a message')
  expect(server.crashes()).toEqual([])
})
