import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const COUNTED = { timeout: 60_000, interval: 50 }
const MIGRATION = join(import.meta.dirname, '../../src/db/migrations/0033-outcomes.sql')

let service: TestSendwright
let domain: string
beforeAll(async () => {
  service = await startTestSendwright({ roles: ['api', 'deliver', 'scheduler'] })
  domain = service.givenDestination()
})
afterAll(() => service.stop())

const summaryOf = async (ann: Sender, query = '') => (await ann.get(`/summary?${query}`)).json

function givenRecipient(name: string, reply?: string): string {
  const address = `${name}@${domain}`
  if (reply !== undefined) service.mx.recipients[address] = reply
  return address
}

const NO_USER = '550 5.1.1 No such user here'
const STATUSES = [
  ...['delivered', 'sent', 'partially_delivered', 'bounced', 'failed'],
  ...['rejected', 'suppressed', 'canceled', 'in_progress'],
]

/** Sends an email for each outcome, to one and to several recipients. */
async function givenMail(ann: Sender): Promise<void> {
  const at = new Date(Date.now() + 24 * 3_600_000).toISOString()
  await ann.post('/suppressions', { email: 'no@more.test' })
  await ann.send({ to: givenRecipient('ok') })
  await ann.send({ to: [givenRecipient('one'), givenRecipient('two')] })
  await ann.send({
    to: [givenRecipient('three'), givenRecipient('gone', NO_USER)],
    cc: 'delivered@simulator.test',
  })
  await ann.send({ to: givenRecipient('gone-too', NO_USER) })
  await ann.send({ to: 'no@more.test' })
  await ann.send({ to: ['no@more.test', givenRecipient('four')] })
  await ann.send({ to: givenRecipient('later', '451 4.3.0 Try again later') })
  await ann.send({ to: givenRecipient('next-day'), scheduled_at: at })
  const canceled = await ann.send({ to: givenRecipient('never'), scheduled_at: at })
  await ann.post(`/emails/${canceled}/cancel`)
  await ann.send({ to: 'bounced@simulator.test' })
  await ann.send({ to: ['complained@simulator.test', 'delivered+a@simulator.test'] })
}

const EXPECTED = {
  emails: 9,
  delivered: 2,
  sent: 0,
  partially_delivered: 2,
  bounced: 1,
  failed: 0,
  rejected: 0,
  suppressed: 1,
  canceled: 1,
  in_progress: 2,
  opened: 0,
  clicked: 0,
  complained: 0,
}

describe('GET /summary', () => {
  let ann: Sender
  beforeAll(async () => {
    ann = await service.givenSender()
    await givenMail(ann)
    await vi.waitFor(async () => {
      expect((await summaryOf(ann)).outcomes).toEqual(EXPECTED)
      const withSimulated = { emails: 11, in_progress: 2, complained: 1 }
      expect((await summaryOf(ann, 'include_simulated=true')).outcomes).toMatchObject(withSimulated)
    }, COUNTED)
  })

  test('200 with statuses that add up to the emails, and each agrees with the list of emails', async () => {
    for (const simulated of ['false', undefined]) {
      const query = `start_date=${new Date(Date.now() - 86_400_000).toISOString()}&interval=hour`
      const included = simulated === undefined ? '&include_simulated=true' : ''
      const { outcomes, start_date, end_date, series } = await summaryOf(ann, query + included)
      const sum = STATUSES.reduce((total, status) => total + outcomes[status], 0)
      expect([sum, outcomes.emails]).toEqual([outcomes.emails, simulated === undefined ? 11 : 9])
      expect(series.at(-1).outcomes).toEqual(outcomes)
      const dates = `start_date=${start_date}Z&end_date=${end_date}Z`
      const listed: Record<string, number> = {}
      for (const status of STATUSES)
        listed[status] = await countListed(`${dates}&status=${status}`, simulated)
      for (const event of ['opened', 'clicked', 'complained'])
        listed[event] = await countListed(`${dates}&event=${event}`, simulated)
      listed.emails = await countListed(dates, simulated)
      expect(outcomes).toEqual(listed)
    }
  })

  async function countListed(query: string, simulated: string | undefined): Promise<number> {
    const only = simulated === undefined ? '' : `&simulated=${simulated}`
    const { data, meta } = (await ann.get(`/emails?per_page=100&${query}${only}`)).json
    expect(data).toHaveLength(meta.total)
    return meta.total
  }

  test('200 with simulated mail on request, whose complaints can be listed', async () => {
    await expect
      .poll(async () => (await summaryOf(ann, 'include_simulated=true')).outcomes, COUNTED)
      .toEqual({ ...EXPECTED, emails: 11, delivered: 3, bounced: 2, complained: 1 })
    expect((await ann.get('/emails?event=complained')).json.data).toMatchObject([
      { to: ['complained@simulator.test', 'delivered+a@simulator.test'] },
    ])
    const metrics = async (query: string) => (await ann.get(`/emails/metrics?${query}`)).json
    const real = (await metrics('')).totals
    const all = (await metrics('include_simulated=true')).totals
    expect([real.bounced, all.bounced]).toEqual([2, 3])
    expect([all.emails - real.emails, all.accepted - real.accepted]).toEqual([2, 4])
    const bySender = await metrics('group_by=sender&include_simulated=true')
    expect(bySender.groups).toMatchObject([
      { key: expect.stringContaining('@'), counts: { emails: all.emails } },
    ])
    const one = await metrics(`from=${bySender.groups[0].key}`)
    expect(one.totals.emails).toBe(real.emails)
  })

  test('200 with days of a time zone, and the same total', async () => {
    for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata']) {
      const summary = await summaryOf(ann, `time_zone=${zone}`)
      expect(summary.outcomes).toEqual(EXPECTED)
      expect(summary.time_zone).toBe(zone)
      const { totals, series } = (await ann.get(`/emails/metrics?time_zone=${zone}`)).json
      expect(series.map(({ at }: { at: string }) => at)).toEqual(
        summary.series.map(({ at }: { at: string }) => at),
      )
      expect(totals.bounced).toBe(2)
    }
  })

  test('200 with the period before, what waits, usage and alerts', async () => {
    const summary = await summaryOf(ann)
    expect(summary.before).toMatchObject({ outcomes: { emails: 0 } })
    expect(summary.waiting).toMatchObject({ delivery_delayed: 1, scheduled: 1 })
    expect(summary.waiting.longest_deferred.id).toMatch(/-/)
    expect(summary.usage).toEqual({
      month: (await ann.get('/usage')).json.month,
      day: (await ann.get('/usage')).json.day,
    })
    expect(summary.alerts).toEqual((await ann.get('/attention')).json.data)
  })

  test('200 and zeros for another team; 403 for a key that may only send; 422 for an unknown time zone', async () => {
    const bob = await service.givenSender()
    expect((await summaryOf(bob)).outcomes).toMatchObject({ emails: 0, in_progress: 0 })
    const sendOnly = await bob.givenKey({ permission: 'send' })
    expect((await sendOnly.get('/summary')).status).toBe(403)
    const { status, json } = await bob.get('/summary?time_zone=Mars/Olympus')
    expect([status, json.message]).toEqual([
      422,
      'The time_zone field must be an IANA time zone, such as Europe/Berlin.',
    ])
    expect(
      (await bob.get('/emails/metrics?time_zone=Europe/Berlin&start_date=2026-01-01&end_date=2026-02-01'))
        .status,
    ).toBe(422)
  })

  test('an upgrade counts the outcomes of earlier emails as the roll-up would have', async () => {
    const read = () =>
      service.db.query('select * from metric_outcome order by team_id, grain, since, simulated')
    await expect.poll(async () => (await summaryOf(ann)).as_of, COUNTED).not.toBeNull()
    const counted = await read()
    await service.db.query("delete from metric where dimension like '%simulated' or dimension = 'sender'")
    await service.db.query('drop table metric_outcome, metric_status')
    await service.db.query('drop index metric_visit_complained')
    await service.db.query("delete from metric_visit where name = 'complained'")
    const client = await service.db.connect()
    await client.query('begin')
    await client.query(await readFile(MIGRATION, 'utf8'))
    await client.query('commit')
    await client.end()
    const nonzero = (rows: Record<string, unknown>[]) => rows.filter(({ emails }) => emails !== 0)
    expect(nonzero(await read())).toEqual(nonzero(counted))
  })
})
