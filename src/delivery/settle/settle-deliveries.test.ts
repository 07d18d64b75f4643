import { expect, onTestFinished, test, vi } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { givenDeliveries } from '../../../test/support/deliveries.ts'
import { openDb } from '../../db/db.ts'
import type { Db } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { ensureUsageRows } from '../../teams/usage-queries.ts'
import type { Report } from '../sites/outcomes.ts'
import { createSettler, type SettleDeps, settleReports } from './settle-deliveries.ts'

function reportOf(response: string, mxHost = 'mx.example.com'): Report {
  const now = new Date()
  return {
    kind: 'attempted',
    result: {
      delivery: {
        teamId: newId(),
        emailId: newId(),
        no: 0,
        address: 'ann@example.com',
        addressKey: 'ann@example.com',
        domain: 'example.com',
        domainId: newId(),
        attempts: 0,
        expiresAt: now,
        createdAt: now,
        recipientCount: 1,
        sizeBytes: 1000,
        leasedUntilMs: now.getTime() + 60_000,
        checkedAtMs: 0,
        isBulk: false,
        message: null,
        tags: null,
      },
      verdict: {
        state: 'delivered',
        category: 'accepted',
        fault: null,
        suppress: false,
        retryAfterMs: null,
      },
      startedAt: now,
      durationMs: 1,
      smtpCode: 250,
      enhancedCode: '2.0.0',
      response,
      mxHost,
      mxAddress: '192.0.2.1',
      tls: null,
      transcript: [],
    },
  }
}

const depsOf = (db: Db): SettleDeps => ({
  db,
  clock: systemClock,
  log: createLog('silent'),
  nodeId: newId(),
  retryScheduleMs: [60_000],
  random: () => 0.5,
})

test('settled without a delay although a report cannot be written', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const settler = createSettler(depsOf(db))
  // PostgreSQL's text cannot hold U+0000; a report that contains one must not block the others.
  const bad = settler.add(reportOf('nul', 'mx\u0000.example.com'))
  await Promise.all(['one', 'two', 'three'].map((text) => settler.add(reportOf(text))))
  await settler.add(reportOf('four'))
  const rows = await db.query<{ response: string }>('select response from attempt order by response')
  expect(rows.map(({ response }) => response)).toEqual(['four', 'one', 'three', 'two'])
  expect(await Promise.race([bad.then(() => 'settled'), Promise.resolve('waiting')])).toBe('waiting')
})

test('settled without the text of a reply that the database rejects', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const settler = createSettler(depsOf(db))
  const report = reportOf('half a character: \ud83d')
  if (report.kind !== 'attempted') throw new Error('not an attempt')
  const { teamId, emailId } = report.result.delivery
  await givenDeliveries(db, teamId, [{ domain: 'example.com', id: emailId }])
  await settler.add(report)
  expect(
    await db.query('select status, due_at, response from delivery where email_id = $1', [emailId]),
  ).toEqual([{ status: 'delivered', dueAt: null, response: 'The text of the reply cannot be stored.' }])
})

test('settled while canceled mail of another team waits for the use of its quota', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const settler = createSettler(depsOf(db))
  const report = reportOf('one')
  if (report.kind !== 'attempted') throw new Error('not an attempt')
  const { delivery } = report.result
  await givenDeliveries(db, delivery.teamId, [{ domain: 'example.com', id: delivery.emailId }])
  await ensureUsageRows(db, [delivery.teamId], new Date())
  await db.transaction(async (tx) => {
    await tx.query('select 1 from usage where team_id = $1 for update', [delivery.teamId])
    const canceled = settler.add({ kind: 'canceled', delivery })
    await settler.add(reportOf('two'))
    expect(await Promise.race([canceled.then(() => 'settled'), Promise.resolve('waiting')])).toBe('waiting')
  })
})

test('settled together with the results of the next 40 ms from 60 deliveries in progress on, and else at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let transactionsCount = 0
  const db = { transaction: async () => void transactionsCount++ } as unknown as Db
  let inProgress = 59
  const settler = createSettler({
    ...depsOf(db),
    gather: { inProgressCount: () => inProgress },
  })
  await settler.add(reportOf('one'))
  expect(transactionsCount).toBe(1)
  inProgress = 60
  const two = settler.add(reportOf('two'))
  await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(39)
  const three = settler.add(reportOf('three'))
  expect(transactionsCount).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  await Promise.all([two, three])
  expect(transactionsCount).toBe(2)
})

test('settled without planning again when results come one by one', async () => {
  const { url, drop } = await createDatabase()
  const db = openDb(url, { connectionsMax: 1, timeoutMs: 30_000, name: 'test' })
  onTestFinished(drop)
  onTestFinished(() => db.close())
  for (let count = 0; count < 12; count++) {
    const report = reportOf('ok')
    if (report.kind !== 'attempted') throw new Error('not an attempt')
    const { teamId, emailId } = report.result.delivery
    await givenDeliveries(db, teamId, [{ domain: 'example.com', id: emailId }])
    await settleReports(depsOf(db), [report])
  }
  const plans = await db.query<{ generic: number; custom: number }>(
    `select generic_plans::int4 as generic, custom_plans::int4 as custom
     from pg_prepared_statements
     where statement like 'update %' and statement not like '%pg_prepared%'`,
  )
  // PostgreSQL plans the first five executions for their values, before it compares the costs.
  expect(plans).toEqual(Array.from({ length: 2 }, () => ({ generic: 7, custom: 5 })))
  const states = await db.query<{ status: string }>('select distinct status from email')
  expect(states).toEqual([{ status: 'delivered' }])
})

test.each([true, false])(
  'a dead address is suppressed, unless capture mode says so (%s)',
  async (isCapturing) => {
    const { db, drop } = await createDatabase()
    onTestFinished(drop)
    const report = reportOf('no such user')
    if (report.kind !== 'attempted') throw new Error('not an attempt')
    const { teamId, emailId } = report.result.delivery
    await givenDeliveries(db, teamId, [{ domain: 'example.com', id: emailId }])
    const verdict = {
      ...report.result.verdict,
      state: 'bounced',
      category: 'no_such_address',
      suppress: true,
    } as const
    await settleReports(
      {
        ...depsOf(db),
        isCapturing,
      },
      [{ ...report, result: { ...report.result, verdict } }],
    )
    expect(await db.query('select status from delivery')).toEqual([{ status: 'bounced' }])
    expect(await db.query('select email from suppression')).toHaveLength(isCapturing ? 0 : 1)
  },
)
