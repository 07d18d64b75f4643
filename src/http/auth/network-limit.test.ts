import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { route } from '../route/route.ts'
import { createNetworkLimit } from './network-limit.ts'

const MINUTE_MS = 60_000
const common = { summary: 'x', area: 'operation', limit: 'general', responses: {} } as const
const handle = async () => ({ status: 200, json: {} })
const ROUTES = [
  route('GET', '/open', { ...common, permission: 'public', query: Type.Object({}), handle }),
  route('GET', '/closed', { ...common, permission: 'full', handle }),
]

let api: Api
let team: GivenTeam
let nowMs = Date.parse('2026-03-01T12:00:00Z')
const clock = { now: () => new Date(nowMs) }
beforeAll(async () => {
  const trustedProxies = [{ address: '127.0.0.1', prefix: 32 }]
  api = await startApi({ routes: ROUTES, clock, server: { publicRequestsMax: 3, trustedProxies } })
  team = await api.givenTeam()
})
afterAll(() => api.stop())

const visit = (address: string) => api.as(null).get('/open', { 'x-forwarded-for': address })
async function statuses(count: number, address: string): Promise<number[]> {
  const found: number[] = []
  for (let visits = 0; visits < count; visits++) found.push((await visit(address)).status)
  return found
}

test('429 for public requests beyond the limit of a network, until its minute ends', async () => {
  expect(await statuses(4, '9.9.9.9')).toEqual([200, 200, 200, 429])
  const refused = await visit('9.9.9.9')
  expect(refused.json).toMatchObject({ statusCode: 429, name: 'rate_limit_exceeded' })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  expect(await statuses(1, '9.9.9.8')).toEqual([200])
  nowMs += MINUTE_MS
  expect(await statuses(1, '9.9.9.9')).toEqual([200])
})

test('one limit for the IPv6 addresses of a /64', async () => {
  const answers = [await statuses(3, '2606:4700::1'), await statuses(1, '2606:4700::2')]
  expect(answers.flat()).toEqual([200, 200, 200, 429])
  expect(await statuses(1, '2606:4700:0:1::1')).toEqual([200])
})

test.each(['127.0.0.9', '10.1.2.3', '192.168.7.7', 'fd00::1'])(
  'no limit for %s, which may be a proxy',
  async (address) => {
    expect(await statuses(5, address)).toEqual([200, 200, 200, 200, 200])
  },
)

test('requests with a key are not counted by network', async () => {
  const from = { 'x-forwarded-for': '9.9.9.7' }
  for (let requests = 0; requests < 5; requests++) expect((await team.get('/closed', from)).status).toBe(200)
  expect(await statuses(1, '9.9.9.7')).toEqual([200])
})

test('at most 10,000 networks are remembered, and the first ones are forgotten', () => {
  const limit = createNetworkLimit(clock, 1)
  const addressOf = (index: number) => `9.1.${index >> 8}.${index & 255}`
  for (let index = 0; index <= 10_000; index++) limit(addressOf(index))
  expect(limit(addressOf(0))).toMatchObject({ isAdmitted: true })
  expect(limit(addressOf(10_000))).toMatchObject({ isAdmitted: false })
})

test('a clock that jumped back does not extend a minute', () => {
  const limit = createNetworkLimit(clock, 1)
  limit('9.9.9.9')
  nowMs -= 60 * MINUTE_MS
  expect(limit('9.9.9.9')).toMatchObject({ isAdmitted: true, resetSeconds: 60 })
})
