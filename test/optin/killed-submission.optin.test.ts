import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { createInstallation } from '../journeys/support/installation.ts'
import { keepRunning } from '../journeys/support/kept.ts'
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
  let next = 0

  async function submit(number: number): Promise<void> {
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      secure: true,
      auth: { user: 'journey', pass: sender.token },
      tls: { rejectUnauthorized: false },
    })
    const sent = await transport.sendMail({
      from: sender.from,
      to: `person-${number}@${installation.destinations[number % 3]}`,
      subject: `Order ${number}`,
      text: `Thank you. ${'It is on its way. '.repeat(50)}`,
      headers: { 'Idempotency-Key': `order-${number}` },
    })
    accepted.set(number, /accepted as (\S+)$/.exec(sent.response)?.[1] ?? '')
  }

  /** Behaves like a program that keeps its mail until it is accepted. */
  async function runClient(): Promise<void> {
    while (next < EMAILS) {
      const number = next++
      while (!accepted.has(number)) {
        await submit(number).catch(async (error: { responseCode?: number }) => {
          expect(error.responseCode ?? 451).toBeLessThan(500)
          await server.ready()
        })
      }
      if (accepted.size >= (kills[0] ?? Number.POSITIVE_INFINITY)) {
        kills.shift()
        await server.kill()
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, runClient))

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
