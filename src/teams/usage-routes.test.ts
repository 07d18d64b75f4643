import { expect, test } from 'vitest'
import { startApi } from '../../test/support/api.ts'
import { countRequests } from '../access/rate-windows-queries.ts'
import { pauseTeam } from './teams.ts'
import { addUsage, ensureUsageRows } from './usage-queries.ts'
import { usageRoutes } from './usage-routes.ts'

test('200 with the used and remaining quota of the UTC month and day', async (t) => {
  const now = new Date('2025-12-31T23:30:00Z')
  const api = await startApi({ routes: usageRoutes, clock: { now: () => now } })
  t.onTestFinished(() => api.stop())
  const team = await api.givenTeam({ plan: 'free' })
  const none = await team.get('/usage')
  expect(none.json).toEqual({
    object: 'usage',
    plan: 'free',
    sending_paused: false,
    sending_paused_at: null,
    sending_paused_by: null,
    sending_paused_reason: null,
    requests_per_minute: 60,
    rate_limit: { limit: 60, used: 0, remaining: 60, resets_at: null },
    emails_this_month: 0,
    month: { used: 0, limit: 3000, remaining: 3000, resets_at: '2026-01-01 00:00:00' },
    day: { used: 0, limit: 100, remaining: 100, resets_at: '2026-01-01 00:00:00' },
    months: [],
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
    months: [{ month: '2025-12', recipients: 7, emails: 2 }],
  })
})

test('200 with earlier months, the current minute of the rate limit, and the author and reason of a pause', async (t) => {
  const now = new Date('2026-01-15T12:00:30Z')
  const api = await startApi({ routes: usageRoutes, clock: { now: () => now } })
  t.onTestFinished(() => api.stop())
  const team = await api.givenTeam({ plan: 'free' })
  for (const month of ['2025-11-02', '2025-12-24', '2026-01-15']) {
    await ensureUsageRows(api.db, [team.id], new Date(month))
  }
  const openedAt = new Date('2026-01-15T12:00:00Z')
  await countRequests(api.db, [{ teamId: team.id, bucket: 'send', requests: 61 }], openedAt)
  await pauseTeam(api.db, team.id, now, 'The invoice is not paid.')
  expect((await team.get('/usage')).json).toMatchObject({
    sending_paused: true,
    sending_paused_at: '2026-01-15 12:00:30',
    sending_paused_by: 'operator',
    sending_paused_reason: 'The invoice is not paid.',
    rate_limit: { limit: 60, used: 60, remaining: 0, resets_at: '2026-01-15 12:01:00' },
    months: [{ month: '2026-01' }, { month: '2025-12' }, { month: '2025-11' }],
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
