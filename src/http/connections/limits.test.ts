import Type from 'typebox'
import { expect, test } from 'vitest'
import { startApi } from '../../../test/support/api.ts'
import { PLANS } from '../../access/plans.ts'
import { route } from '../route/route.ts'

const common = { summary: 'x', area: 'operation', responses: {} } as const
const ROUTES = [
  route('POST', '/send', {
    ...common,
    permission: 'send',
    limit: 'send',
    body: Type.Object({ name: Type.String() }),
    handle: async () => ({ status: 202, json: {} }),
  }),
  route('GET', '/read', {
    ...common,
    permission: 'full',
    limit: 'general',
    handle: async () => ({ status: 200, json: {} }),
  }),
]

test('202 for exactly 60 of 500 parallel requests to two processes with a plan of 60; 429 for the others', async (t) => {
  const api = await startApi({ routes: ROUTES })
  t.onTestFinished(() => api.stop())
  const team = await api.givenTeam({ plan: 'free' })
  const second = (await api.another()).as(team.token)
  const replies = await Promise.all(
    Array.from({ length: 500 }, (_, index) => (index % 2 === 0 ? team : second).post('/send', { name: 'a' })),
  )
  expect(replies.filter((reply) => reply.status === 202)).toHaveLength(60)
  const refused = replies.filter((reply) => reply.status === 429)
  expect(refused).toHaveLength(440)
  for (const { json, headers } of refused) {
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(json).toEqual({
      statusCode: 429,
      name: 'rate_limit_exceeded',
      message: `Rate limit exceeded. Please retry after ${seconds} seconds.`,
    })
    expect(headers.get('ratelimit-remaining')).toBe('0')
  }
  expect((await team.get('/read')).status).toBe(200)
})

test('202 again after the seconds of Retry-After, and not earlier', async (t) => {
  let nowMs = Date.UTC(2026, 1, 3)
  const api = await startApi({ routes: ROUTES, clock: { now: () => new Date(nowMs) } })
  t.onTestFinished(() => api.stop())
  const team = await api.givenTeam({ plan: 'free' })
  for (let count = 0; count < 60; count++) await team.post('/send', { name: 'a' })
  nowMs += 17_400
  const refused = await team.post('/send', { name: 'a' })
  expect(refused.headers.get('retry-after')).toBe('43')
  nowMs += 42_000
  expect((await team.post('/send', { name: 'a' })).status).toBe(429)
  nowMs += 1_000
  expect((await team.post('/send', { name: 'a' })).status).toBe(202)
})

test('429 before 422, and 403 before 429: an invalid request counts, one without permission does not', async (t) => {
  const api = await startApi({ routes: ROUTES })
  t.onTestFinished(() => api.stop())
  const team = await api.givenTeam({ plan: 'free' })
  const sender = await team.givenKey({ permission: 'send' })
  for (let count = 0; count < 59; count++) expect((await team.post('/send', {})).status).toBe(422)
  expect((await team.post('/send', { name: 'a' })).headers.get('ratelimit-remaining')).toBe('0')
  expect((await team.post('/send', {})).status).toBe(429)
  expect((await sender.get('/read')).status).toBe(403)
  expect((await team.get('/read')).headers.get('ratelimit-remaining')).toBe('599')
})

test('the 13 plans of the service', () => {
  const rows = Object.values(PLANS).map((plan) => [
    plan.name,
    plan.sendRequestsMax,
    plan.monthRecipientsMax,
    plan.dayRecipientsMax,
  ])
  expect(rows).toEqual([
    ['Free', 60, 3_000, 100],
    ['10K', 120, 10_000, null],
    ['25K', 120, 25_000, null],
    ['50K', 300, 50_000, null],
    ['75K', 300, 75_000, null],
    ['100K', 600, 100_000, null],
    ['150K', 600, 150_000, null],
    ['250K', 600, 250_000, null],
    ['500K', 1_200, 500_000, null],
    ['750K', 1_200, 750_000, null],
    ['1M', 1_200, 1_000_000, null],
    ['2M', 1_200, 2_000_000, null],
    ['5M', 1_200, 5_000_000, null],
    ['Unlimited', 6_000, null, null],
  ])
})
