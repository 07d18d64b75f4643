import { expect, onTestFinished, test } from 'vitest'
import { createInstallation } from '../journeys/support/installation.ts'
import { keepRunning } from '../journeys/support/kept.ts'
import { submitAll } from '../journeys/support/submitting.ts'
import { createDatabase } from '../support/database.ts'
import { findFreePort } from '../support/ports.ts'

const EMAILS = 150
const CLIENTS = 4
/** The server is killed after these numbers of accepted emails. */
const KILLED_AT = [40, 80, 120]

test('nothing that SMTP submission acknowledged is lost, or accepted twice, while the server is killed', {
  timeout: 240_000,
}, async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const installation = await createInstallation(database.url)
  onTestFinished(() => installation.remove())
  const port = await findFreePort()
  const server = keepRunning(() =>
    installation.serve({
      roles: 'api,inbound',
      environment: { SENDWRIGHT_SUBMISSIONS_PORT: `${port}` },
    }),
  )
  onTestFinished(() => server.release())
  await server.ready()
  const sender = await installation.createSender('one.sender.test')
  const accepted = new Map<number, string>()
  const kills = [...KILLED_AT]

  await submitAll({
    server,
    port,
    token: sender.token,
    from: sender.from,
    destinations: installation.destinations,
    emails: EMAILS,
    clients: CLIENTS,
    accepted,
    async onNext() {
      if (accepted.size < (kills[0] ?? Number.POSITIVE_INFINITY)) return
      kills.shift()
      await server.kill()
    },
  })

  expect(kills).toEqual([])
  expect(new Set(accepted.values()).size).toBe(EMAILS)
  const rows = await database.db.query<{ id: string; deliveries: number }>(
    `select e.id, count(*)::int as deliveries
     from email e
     join delivery d on d.team_id = e.team_id and d.email_id = e.id
     where e.team_id = $1 and d.status = 'queued'
     group by e.id`,
    [sender.teamId],
  )
  expect(rows.map(({ id }) => id).sort()).toEqual([...accepted.values()].sort())
  expect(new Set(rows.map(({ deliveries }) => deliveries))).toEqual(new Set([1]))
  expect(server.crashes()).toEqual([])
})
