import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../test/support/database.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createSettler, type Report } from './settle-deliveries.ts'

function reportOf(response: string): Report {
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
      mxHost: 'mx.example.com',
      mxAddress: '192.0.2.1',
      tls: null,
      transcript: [],
    },
  }
}

test('settled without a delay although a report cannot be written', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const settler = createSettler({
    db,
    clock: systemClock,
    log: createLog('silent'),
    nodeId: newId(),
    retryScheduleMs: [60_000],
    random: () => 0.5,
  })
  // PostgreSQL's text cannot hold U+0000; a report that contains one must not block the others.
  const bad = settler.add(reportOf('nul \u0000'))
  await Promise.all(['one', 'two', 'three'].map((text) => settler.add(reportOf(text))))
  await settler.add(reportOf('four'))
  const rows = await db.query<{ response: string }>('select response from attempt order by response')
  expect(rows.map(({ response }) => response)).toEqual(['four', 'one', 'three', 'two'])
  expect(await Promise.race([bad.then(() => 'settled'), Promise.resolve('waiting')])).toBe('waiting')
})
