import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanName } from '../../src/access/plans.ts'
import { startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { pauseTeam, resumeTeam } from '../../src/teams/teams.ts'
import { requester } from '../support/client.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

const LATER = new Date(Date.now() + 24 * 3_600_000).toISOString()
const key = (text: string) => ({ 'idempotency-key': text })

async function countEmails(sender: Sender): Promise<number> {
  const rows = await service.db.query('select 1 from email where team_id = $1', [sender.id])
  return rows.length
}

describe('an idempotency key', () => {
  test('202 with the first id for a repeated request, and one email', async () => {
    const before = await countEmails(ann)
    const first = await ann.post('/emails', ann.email(), key('a'))
    const again = await ann.post('/emails', ann.email(), key('a'))
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.json).toEqual(first.json)
    expect(await countEmails(ann)).toBe(before + 1)
  })

  test('202 with the first id after a restart, and for a key of 256 characters', async () => {
    const long = 'k'.repeat(256)
    const first = await ann.post('/emails', ann.email(), key(long))
    const other = await startTestProcess()
    expect((await other(ann.email(), long)).json).toEqual(first.json)
  })

  test('409 for another body under the same key', async () => {
    await ann.send({}, key('b'))
    const { status, json } = await ann.post('/emails', ann.email({ subject: 'Other' }), key('b'))
    expect([status, json.name]).toEqual([409, 'invalid_idempotent_request'])
  })

  test('202 for the same key in another team', async () => {
    const bob = await service.givenSender()
    const first = await ann.send({}, key('c'))
    expect(await bob.send({}, key('c'))).not.toBe(first)
  })

  test('one email from a hundred parallel requests to two processes; each response is its id or 409', async () => {
    const before = await countEmails(ann)
    const other = await startTestProcess()
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 2 === 0 ? ann.post('/emails', ann.email(), key('d')) : other(ann.email(), 'd'),
      ),
    )
    expect(await countEmails(ann)).toBe(before + 1)
    const accepted = replies.filter(({ status }) => status === 202)
    expect(new Set(accepted.map(({ json }) => json.id)).size).toBe(1)
    for (const { status, json } of replies) {
      if (status !== 202) expect([status, json.name]).toEqual([409, 'concurrent_idempotent_requests'])
    }
  })

  for (const [title, text] of [
    ['an empty', ''],
    ['an over-long', 'k'.repeat(257)],
    ['a non-ASCII', 'schlüssel'],
  ] as const) {
    test(`400 for ${title} key`, async () => {
      const { status, json } = await ann.post('/emails', ann.email(), key(text))
      expect([status, json.name]).toEqual([400, 'invalid_idempotency_key'])
    })
  }

  test('available again after a rejection: only accepted requests are stored', async () => {
    const carl = await service.givenSender()
    await pauseTeam(service.db, carl.id, new Date())
    expect((await carl.post('/emails', carl.email(), key('e'))).status).toBe(422)
    expect((await carl.post('/emails', carl.email({ to: [] }), key('e'))).status).toBe(422)
    await resumeTeam(service.db, carl.id, new Date())
    expect((await carl.post('/emails', carl.email({ subject: 'Other' }), key('e'))).status).toBe(202)
  })

  test('202 again after the quota was used up, and after the scheduled time', async () => {
    const dora = await service.givenSender()
    const body = dora.email({ to: 'x@to.test', scheduled_at: LATER })
    const first = await dora.post('/emails', body, key('f'))
    await setUsage(dora, 'free', { month: 3000, day: 100 })
    expect((await dora.post('/emails', dora.email({ to: 'x@to.test' }))).status).toBe(422)
    expect((await dora.post('/emails', body, key('f'))).json).toEqual(first.json)
  })

  /** Starts a second API over the same database, as another process would. */
  async function startTestProcess() {
    const process = await startSendwright(service.config, { roles: ['api'], log: createLog('warn') })
    others.push(() => process.stop())
    const other = requester(process.url ?? '', ann.token)
    return (body: unknown, text: string) => other.post('/emails', body, key(text))
  }
  const others: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const stop of others) await stop()
  })
})

async function setUsage(sender: Sender, plan: PlanName, used: { month: number; day: number }) {
  const now = new Date().toISOString()
  await service.db.query('update team set plan = $2 where id = $1', [sender.id, plan])
  await service.db.query(
    `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
     values ($1, $2, $3, $4, $5, 0)
     on conflict (team_id, month) do update
     set month_recipients = excluded.month_recipients, day = excluded.day, day_recipients = excluded.day_recipients`,
    [sender.id, `${now.slice(0, 7)}-01`, used.month, now.slice(0, 10), used.day],
  )
}

async function usageOf(sender: Sender): Promise<[number, number]> {
  const [row] = await service.db.query<{ monthRecipients: number; dayRecipients: number }>(
    'select month_recipients, day_recipients::int8 from usage where team_id = $1',
    [sender.id],
  )
  return [row?.monthRecipients ?? 0, row?.dayRecipients ?? 0]
}

describe('a quota', () => {
  test('one acceptance from 200 parallel requests with room for one in the month', async () => {
    const sender = await service.givenSender({ plan: '100k' })
    await setUsage(sender, '100k', { month: 99_999, day: 0 })
    const body = sender.email({ to: 'x@to.test', scheduled_at: LATER })
    const replies = await Promise.all(Array.from({ length: 200 }, () => sender.post('/emails', body)))
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
    const refused = replies.filter(({ status }) => status !== 202)
    expect(new Set(refused.map(({ json }) => `${json.statusCode} ${json.name} ${json.message}`))).toEqual(
      new Set(['422 validation_error Monthly email quota exceeded.']),
    )
    expect(await usageOf(sender)).toEqual([100_000, 1])
  })

  test('one acceptance from 50 parallel requests with room for one in the day', async () => {
    const sender = await service.givenSender()
    await setUsage(sender, 'free', { month: 99, day: 99 })
    const body = sender.email({ to: 'x@to.test', scheduled_at: LATER })
    const replies = await Promise.all(Array.from({ length: 50 }, () => sender.post('/emails', body)))
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(replies.filter(({ json }) => json.message === 'Daily email quota exceeded.')).toHaveLength(49)
    expect(await usageOf(sender)).toEqual([100, 100])
  })

  test('422 for the day, by recipients, whole emails only', async () => {
    const sender = await service.givenSender()
    await setUsage(sender, 'free', { month: 98, day: 98 })
    const three = await sender.post('/emails', sender.email({ to: ['a@to.test', 'b@to.test', 'c@to.test'] }))
    expect([three.status, three.json.message]).toEqual([422, 'Daily email quota exceeded.'])
    const two = await sender.post(
      '/emails',
      sender.email({ to: 'a@to.test', bcc: 'b@to.test', scheduled_at: LATER }),
    )
    expect(two.status).toBe(202)
    expect(await usageOf(sender)).toEqual([100, 100])
    const scheduled = await sender.post(`/emails/${two.json.id}/cancel`)
    expect(scheduled.status).toBe(200)
    expect(await usageOf(sender)).toEqual([98, 98])
  })

  test('202 over quota for suppressed and simulated recipients, which do not count', async () => {
    const sender = await service.givenSender()
    expect((await sender.post('/suppressions', { email: 'gone@to.test' })).status).toBe(201)
    await setUsage(sender, 'free', { month: 3000, day: 100 })
    const to = ['gone@to.test', 'delivered+x@simulator.test', 'bounced@simulator.test']
    expect((await sender.post('/emails', sender.email({ to }))).status).toBe(202)
    expect(await usageOf(sender)).toEqual([3000, 100])
  })

  test('a new day starts at zero', async () => {
    const sender = await service.givenSender()
    await setUsage(sender, 'free', { month: 100, day: 100 })
    await service.db.query('update usage set day = day - 1 where team_id = $1', [sender.id])
    expect(
      (await sender.post('/emails', sender.email({ to: 'a@to.test', scheduled_at: LATER }))).status,
    ).toBe(202)
    expect(await usageOf(sender)).toEqual([101, 1])
  })
})

describe('keys, pauses and the order of checks', () => {
  test('403 for a key of another domain, whatever the state of the account', async () => {
    const sender = await service.givenSender()
    const other = await service.givenSender()
    const limited = await sender.givenKey({ domainId: sender.domainId })
    expect((await limited.post('/emails', sender.email())).status).toBe(202)
    const foreign = sender.email({ from: `a@${other.domain}` })
    await pauseTeam(service.db, sender.id, new Date())
    const { status, json } = await limited.post('/emails', foreign)
    expect([status, json.name]).toEqual([403, 'restricted_api_key'])
  })

  test('a send key may send, read one email and cancel it, and nothing else', async () => {
    const sender = await service.givenSender()
    const send = await sender.givenKey({ permission: 'send' })
    const { status, json } = await send.post('/emails', sender.email({ scheduled_at: LATER }))
    expect(status).toBe(202)
    expect((await send.get(`/emails/${json.id}`)).status).toBe(200)
    for (const path of [
      '/emails',
      `/emails/${json.id}/raw`,
      `/emails/${json.id}/attempts`,
      '/captured',
      '/usage',
    ]) {
      expect([path, (await send.get(path)).status]).toEqual([path, 403])
    }
    expect((await send.patch(`/emails/${json.id}`, { scheduled_at: LATER })).status).toBe(403)
    expect((await send.post(`/emails/${json.id}/cancel`)).status).toBe(200)
  })

  test('checks in order: body, pause, domain, quota', async () => {
    const sender = await service.givenSender()
    await setUsage(sender, 'free', { month: 3000, day: 0 })
    await pauseTeam(service.db, sender.id, new Date())
    const bad = { from: 'a@elsewhere.test', to: 'x@to.test' }
    const first = async (fields: Record<string, unknown>) =>
      (await sender.post('/emails', sender.email(fields))).json.message
    expect(await first({ ...bad, subject: 7 })).toBe('The subject field must be a string.')
    expect(await first(bad)).toBe('Sending is paused for this account.')
    await resumeTeam(service.db, sender.id, new Date())
    expect(await first(bad)).toBe('The from address domain is not verified.')
    expect(await first({ to: 'x@to.test' })).toBe('Monthly email quota exceeded.')
  })
})
