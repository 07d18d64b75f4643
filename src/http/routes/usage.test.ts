import { expect, test } from 'vitest'
import { startApi } from '../../../test/support/api.ts'
import { addUsage, ensureUsageRows } from '../../store/usage.ts'
import { usageRoutes } from './usage.ts'

test('200 with what was used of the month and the day in UTC, and what is left', async (t) => {
  const now = new Date('2026-12-31T23:30:00Z')
  const api = await startApi({ routes: usageRoutes, clock: { now: () => now } })
  t.onTestFinished(() => api.stop())
  const team = await api.givenTeam({ plan: 'free' })
  const none = await team.get('/usage')
  expect(none.json).toEqual({
    object: 'usage',
    plan: 'free',
    sending_paused: false,
    requests_per_minute: 60,
    emails_this_month: 0,
    month: { used: 0, limit: 3000, remaining: 3000, resets_at: '2027-01-01 00:00:00' },
    day: { used: 0, limit: 100, remaining: 100, resets_at: '2027-01-01 00:00:00' },
  })
  await api.db.transaction(async (tx) => {
    await ensureUsageRows(tx, [team.id], now)
    await addUsage(tx, [{ teamId: team.id, recipients: 7, emails: 2 }], now)
  })
  const some = await team.get('/usage')
  expect(some.json).toMatchObject({
    emails_this_month: 2,
    month: { used: 7, remaining: 2993 },
    day: { used: 7, remaining: 93 },
  })
})

test('200 without limits on the plan `unlimited`', async (t) => {
  const api = await startApi({ routes: usageRoutes })
  t.onTestFinished(() => api.stop())
  const team = await api.givenTeam()
  const reply = await team.get('/usage')
  expect(reply.json).toMatchObject({
    requests_per_minute: 6000,
    month: { limit: null, remaining: null },
    day: { limit: null },
  })
})
