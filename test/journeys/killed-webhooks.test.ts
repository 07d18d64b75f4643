import { expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import type { Child } from './support/children.ts'
import {
  createInstallation,
  type Installation,
  postJson,
  type Sender,
  STARTED,
} from './support/installation.ts'
import { keepRunning } from './support/kept.ts'

const EMAILS = 150
const CLIENTS = 5
/** Numbers of requests after which one of the two sending processes is killed, in turn. */
const KILLS_AT = [60, 200, 350]
const POLL = { timeout: 60_000, interval: 25 }

test('no event is lost while the processes that send webhooks are killed in turn', {
  timeout: 180_000,
}, async ({ onTestFinished }) => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const installation = await createInstallation(database.url)
  onTestFinished(() => installation.remove())
  const environment = {
    SENDWRIGHT_DELIVERY: 'capture',
    SENDWRIGHT_WEBHOOK_RETRY_SCHEDULE: '200ms,200ms,200ms',
  }
  const api = installation.serve({ roles: 'api,deliver,scheduler', environment })
  await api.waitForLine(STARTED, 90_000)
  const senders = [1, 2].map(() => keepRunning(() => installation.serve({ roles: 'webhooks', environment })))
  for (const kept of senders) onTestFinished(() => kept.release())
  await Promise.all(senders.map((kept) => kept.ready()))
  const team = await installation.createSender('one.sender.test')
  for (const path of ['/one', '/two']) {
    const reply = await postJson(installation.url, '/webhooks', team.token, { endpoint: receiver.url + path })
    expect(reply.status, reply.text).toBe(201)
    // Slow enough that each kill finds requests in progress and unwritten results.
    receiver.answer(path, (response) => void setTimeout(() => response.end(), 5))
  }
  const [already] = await database.db.query<{ position: number }>('select position from event_feed')

  const sending = sendEmails(installation, team)
  for (const [index, count] of KILLS_AT.entries()) {
    await expect.poll(() => receiver.received.length, POLL).toBeGreaterThanOrEqual(count)
    const kept = senders[index % senders.length] as (typeof senders)[number]
    const killed = kept.current()
    await kept.kill()
    await expireLeases(database, killed)
    await kept.ready()
  }
  await sending

  const idsOf = async () => {
    const rows = await database.db.query<{ id: string }>(
      'select id from event where team_id = $1 and position > $2 order by position',
      [team.teamId, already?.position ?? 0],
    )
    return rows.map(({ id }) => id)
  }
  await expect.poll(async () => (await idsOf()).length, POLL).toBe(2 * EMAILS)
  const ids = (await idsOf()).sort()
  for (const path of ['/one', '/two']) {
    const arrived = () => [...new Set(receiver.at(path).map(({ headers }) => headers['webhook-id']))].sort()
    await expect.poll(() => arrived().length, POLL).toBe(2 * EMAILS)
    expect(arrived()).toEqual(ids)
    const queuedFirst = Map.groupBy(receiver.at(path), ({ json }) => json.data.email_id)
    expect([...queuedFirst.values()].filter(([first]) => first?.json.type !== 'email.queued')).toEqual([])
  }
  // Only requests that were sent but not recorded before a kill are repeated.
  expect(receiver.received.length - 2 * ids.length).toBeLessThan(KILLS_AT.length * 2 * 100)
  const behind = 'select id from webhook where team_id = $1 and position < $2'
  const end = (already?.position ?? 0) + ids.length
  await expect.poll(() => database.db.query(behind, [team.teamId, end]), POLL).toEqual([])
  expect(await database.db.query('select from webhook_delivery')).toHaveLength(2 * ids.length)
  expect(senders.flatMap((kept) => kept.crashes())).toEqual([])
})

/** Expires the leases of a dead process, as if half a minute had passed. */
async function expireLeases({ db }: TestDatabase, dead: Child): Promise<void> {
  const started = dead.lines.find((line) => line.includes(STARTED)) ?? '{}'
  const { node } = JSON.parse(started) as { node?: string }
  await db.query('update webhook set leased_until = $2 where leased_by = $1', [node, new Date(0)])
}

async function sendEmails({ url, destinations }: Installation, { token, from }: Sender): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < EMAILS) {
      const number = next++
      const reply = await postJson(url, '/emails', token, {
        from,
        to: `person-${number}@${destinations[0]}`,
        subject: `Order ${number}`,
        text: 'It is on its way.',
      })
      expect(reply.status, reply.text).toBe(202)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}
