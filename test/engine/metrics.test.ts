import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { resumeTeam } from '../../src/teams/teams.ts'
import { bring, feedbackReport, INBOUND } from '../support/inbound.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const DAY_MS = 24 * 3_600_000
const COUNTED = { timeout: 60_000, interval: 50 }

let service: TestSendwright
const others: Sendwright[] = []
let domain: string

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: {
      ...INBOUND,
      SENDWRIGHT_GUARD_BOUNCE_RATE: '20%',
      SENDWRIGHT_GUARD_COMPLAINT_RATE: '5%',
      SENDWRIGHT_GUARD_RECIPIENTS_MIN: '10',
    },
  })
  domain = service.givenDestination()
  for (let count = 0; count < 2; count++) {
    others.push(await startSendwright(service.config, { roles: ['scheduler'], log: createLog('warn') }))
  }
})
afterAll(async () => {
  for (const other of others) await other.stop()
  await service.stop()
})

const metrics = async (ann: Sender, query = '') => (await ann.get(`/emails/metrics?${query}`)).json

function givenDead(name: string): string {
  const address = `${name}@${domain}`
  service.mx.recipients[address] = '550 5.1.1 No such user here'
  return address
}

describe('GET /emails/metrics', () => {
  test('200 with the results of emails, by domain, tag, template, provider and in total', async () => {
    const ann = await service.givenSender()
    const at = new Date(Date.now() + DAY_MS).toISOString()
    const mixed = { to: [`ok@${domain}`, givenDead('gone')], cc: 'delivered@simulator.test' }
    await ann.send({ ...mixed, tags: [{ name: 'kind', value: 'news' }] })
    await ann.send({
      to: 'bounced@simulator.test',
      tags: [
        { name: 'kind', value: 'test' },
        { name: 'a:b', value: 'c:%' },
      ],
    })
    const moved = await ann.send({ to: `later@${domain}`, scheduled_at: at })
    await ann.patch(`/emails/${moved}`, { scheduled_at: new Date(Date.now() + 2 * DAY_MS).toISOString() })
    await ann.post(`/emails/${moved}/cancel`)

    await expect
      .poll(async () => (await metrics(ann)).totals, COUNTED)
      .toMatchObject({
        emails: 2,
        accepted: 3,
        queued: 1,
        scheduled: 2,
        canceled: 1,
        attempted: 2,
        delivered: 1,
        bounced: 1,
        bounced_hard: 1,
      })
    const all = await metrics(ann)
    expect(all).toMatchObject({ object: 'metrics', interval: 'day', group_by: null, groups: [] })
    expect(all.rates).toEqual({ delivered: 0.5, bounced: 0.5, complained: 0, opened: 0, clicked: 0 })
    expect(all.time_to_deliver_ms.p99).toBeGreaterThan(0)
    expect(all.series).toHaveLength(31)
    expect(all.series.at(-1).counts).toEqual(all.totals)
    expect(all.series[0]).toMatchObject({ counts: { emails: 0 }, rates: { bounced: null } })
    expect(Date.parse(`${all.as_of}Z`)).toBeGreaterThan(Date.now() - 60_000)

    for (const query of [`domain_id=${ann.domainId}`, 'interval=hour']) {
      expect((await metrics(ann, query)).totals).toEqual(all.totals)
    }
    for (const query of ['tag=kind:news', 'group_by=tag&limit=1']) {
      const { totals, groups } = await metrics(ann, query)
      expect(groups[0]?.counts ?? totals).toMatchObject({ emails: 1, accepted: 2, delivered: 1, bounced: 1 })
    }
    const { groups: byTag } = await metrics(ann, 'group_by=tag&include_simulated=true')
    expect(byTag.map(({ key }: { key: string }) => key)).toContain('a%3Ab:c:%')
    const { totals: ofTag } = await metrics(ann, 'tag=a:b&tag_value=c:%25&include_simulated=true')
    expect(ofTag).toMatchObject({ emails: 1, bounced: 1 })
    const byDomain = await metrics(ann, 'group_by=domain')
    expect(byDomain.groups).toMatchObject([
      { key: ann.domainId, name: ann.domain, counts: all.totals, rates: all.rates },
    ])
    const byProvider = await metrics(ann, 'group_by=provider')
    expect(byProvider.groups).toMatchObject([
      { key: 'other', name: null, counts: { delivered: 1, bounced: 1, emails: 0 } },
      { key: 'simulator', name: null, counts: { delivered: 1, bounced: 1 } },
    ])
    const byReason = await metrics(ann, 'group_by=reason')
    expect(byReason.groups).toMatchObject([
      {
        key: 'no_such_address',
        name: null,
        counts: { bounced: 1, bounced_hard: 1, attempted: 0, failed: 0 },
        rates: { bounced: null },
      },
    ])
    expect((await metrics(ann, 'reason=no_such_address')).totals.bounced).toBe(all.totals.bounced)
  })

  test('200 and zeros for a team without mail, and for data of another team', async () => {
    const bob = await service.givenSender()
    const none = await metrics(bob, 'start_date=2026-01-01&end_date=2026-12-31&group_by=template')
    expect(none.series).toHaveLength(365)
    expect(none).toMatchObject({
      start_date: '2026-01-01 00:00:00',
      end_date: '2027-01-01 00:00:00',
      totals: { emails: 0 },
      time_to_deliver_ms: { p50: null },
      groups: [],
    })
    expect((await metrics(bob, 'end_date=9999-12-31')).end_date).toBe('9999-12-31 00:00:00')
  })

  test('422 for ranges that are too long or reversed, and for two filters', async () => {
    const ann = await service.givenSender()
    for (const [query, message] of [
      ['start_date=soon', 'The start_date field must be an ISO 8601 date.'],
      ['start_date=2026-02-01&end_date=2026-01-01', 'The end_date field must be a date after start_date.'],
      [
        'start_date=2024-01-01&end_date=2025-06-01',
        'The start_date field must be at most 366 days before end_date with the interval day.',
      ],
      [
        'start_date=2026-01-01&end_date=2026-03-01&interval=hour',
        'The start_date field must be at most 31 days before end_date with the interval hour.',
      ],
      [
        'start_date=2024-01-01&end_date=2024-01-02&interval=hour',
        'The start_date field must be within the last 99 days with the interval hour.',
      ],
      ['tag=a', 'The tag field must be name:value.'],
      ['tag=a:b&provider=google', 'The provider field cannot be used with another filter.'],
      ['tag=a:b&reason=spam', 'The reason field cannot be used with another filter.'],
      ['tag=a:b&group_by=tag', 'The group_by field cannot be used with a filter.'],
    ]) {
      const { status, json } = await ann.get(`/emails/metrics?${query}`)
      expect([status, json.message]).toEqual([422, message])
    }
  })
})

describe('sending is paused automatically', () => {
  const pauseOf = async (ann: Sender) => {
    const { sending_paused, sending_paused_by, sending_paused_reason } = (await ann.get('/usage')).json
    return [sending_paused, sending_paused_by, sending_paused_reason]
  }
  const eventsOf = async (ann: Sender) => {
    const rows = await service.db.query<{ type: string }>(
      "select type from event where team_id = $1 and type like 'team.%' order by position",
      [ann.id],
    )
    return rows.map(({ type }) => type)
  }
  /** Sends ten emails to addresses that do not exist. */
  const sendToDead = (ann: Sender, round: number) =>
    Promise.all(Array.from({ length: 10 }, (_, i) => ann.send({ to: givenDead(`dead${round}-${i}`) })))

  test('when too many recipients do not exist: once, with numbers; emails accepted earlier are delivered', async () => {
    const ann = await service.givenSender()
    const slow = `slow@${domain}`
    service.mx.recipients[slow] = '450 4.2.0 Later'
    const waiting = await ann.send({ to: slow })
    await sendToDead(ann, 1)
    await expect
      .poll(() => pauseOf(ann), COUNTED)
      .toEqual([true, 'reputation', expect.stringMatching(/^10 of 1\d recipients .*; at most 20 % may\./)])
    const refused = await ann.post('/emails', ann.email())
    expect([refused.status, refused.json.message]).toEqual([422, 'Sending is paused for this account.'])
    delete service.mx.recipients[slow]
    expect((await ann.settled(waiting)).status).toBe('delivered')
    expect(await eventsOf(ann)).toEqual(['team.paused'])

    await resumeTeam(service.db, ann.id, new Date())
    await sendToDead(ann, 2)
    await expect.poll(async () => (await metrics(ann)).totals.bounced_hard, COUNTED).toBe(20)
    expect(await pauseOf(ann)).toEqual([false, null, null])

    // As if a day had passed: mail sent since is evaluated.
    await service.db.query('update team set guard_until = $2 where id = $1', [ann.id, new Date()])
    await ann.send({ to: givenDead('dead3') })
    await expect.poll(() => pauseOf(ann), COUNTED).toEqual([true, 'reputation', expect.any(String)])
    expect(await eventsOf(ann)).toEqual(['team.paused', 'team.resumed', 'team.paused'])
  })

  test('when there are too many complaints', async () => {
    const ann = await service.givenSender()
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ann.send({ to: `reader${i}@${domain}` })),
    )
    for (const id of ids) await ann.settled(id)
    const copy = service.mx.messages.find(({ to }) => to[0] === `reader3@${domain}`)
    await bring(service.inboundPort, { to: copy?.from as string, message: feedbackReport() })
    await expect
      .poll(() => pauseOf(ann), COUNTED)
      .toEqual([
        true,
        'reputation',
        expect.stringMatching(/^1 complaints? came in 24 hours, for 10 emails .*\(10 %\)/),
      ])
  })

  test('never for bounces of the simulator', async () => {
    const ann = await service.givenSender()
    await Promise.all(Array.from({ length: 20 }, () => ann.send({ to: 'bounced@simulator.test' })))
    await expect.poll(async () => (await metrics(ann, 'provider=simulator')).totals.bounced, COUNTED).toBe(20)
    expect((await metrics(ann)).totals).toMatchObject({ emails: 0, bounced: 0, attempted: 0 })
    expect(await pauseOf(ann)).toEqual([false, null, null])
  })
})
