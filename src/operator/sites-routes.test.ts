import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { Requester } from '../../test/support/client.ts'
import { type SiteReport, upsertPauses, writeReports } from '../delivery/sites/sites-queries.ts'
import { newId } from '../lib/ids.ts'
import { usageRoutes } from '../teams/usage-routes.ts'
import { siteRoutes } from './sites-routes.ts'

const TOKEN = 'a-token-of-the-operator-with-enough-characters'
let api: Api
let operator: Requester
let now = new Date('2026-01-31T12:00:00Z')

beforeAll(async () => {
  api = await startApi({
    routes: [...siteRoutes, ...usageRoutes],
    environment: { SENDWRIGHT_OPERATOR_TOKEN: TOKEN },
    clock: { now: () => now },
  })
  operator = api.as(TOKEN)
})
afterAll(() => api.stop())
beforeEach(async () => {
  // Each test gets a separate window, and sees no process of the previous test.
  now = new Date(now.getTime() + 120_000)
  await api.db.query('delete from site_pause')
})

const report = (name: string, fields: Partial<SiteReport> = {}): SiteReport => ({
  name,
  site: name,
  source: 'default',
  tls: 'opportunistic',
  relay: false,
  state: 'open',
  connections: 1,
  connectionsLimit: 2,
  connectionsMax: 20,
  waiting: 3,
  messagesPerConnection: 100,
  rate: null,
  rules: '',
  ...fields,
})
const givenPause = (name: string, state: 'paused' | 'stopped' = 'paused') =>
  upsertPauses(api.db, [
    {
      name,
      state,
      pausedUntil: new Date(now.getTime() + 600_000),
      failures: 2,
      category: 'unreachable',
      reason: 'no connection',
      changedAt: now,
    },
  ])

test('200 with the totals of all processes for each site, and paused sites that no process has reported', async () => {
  await writeReports(
    api.db,
    newId(),
    { changed: [report('a.test'), report('b.test')], gone: [], closedDomains: [] },
    now,
  )
  await writeReports(
    api.db,
    newId(),
    { changed: [report('b.test', { connections: 4 })], gone: [], closedDomains: [] },
    now,
  )
  await givenPause('b.test')
  await givenPause('gone.test', 'stopped')
  const { status, json } = await operator.get('/sites')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    object: 'list',
    has_more: false,
    data: [
      {
        name: 'a.test',
        state: 'open',
        connections: 1,
        connections_limit: 2,
        processes: 1,
        paused_until: null,
      },
      {
        name: 'b.test',
        state: 'paused',
        connections: 5,
        waiting: 6,
        processes: 2,
        reason: 'no connection',
        failures: 2,
      },
      { name: 'gone.test', state: 'stopped', processes: 0, paused_until: expect.stringMatching(/^2026-/) },
    ],
  })
  const paused = await operator.get('/sites?state=paused')
  expect(paused.json.data.map(({ name }: { name: string }) => name)).toEqual(['b.test'])
  const first = await operator.get('/sites?limit=1&site=test')
  expect(first.json).toMatchObject({ has_more: true, data: [{ name: 'a.test' }] })
  const next = await operator.get('/sites?limit=1&after=a.test')
  expect(next.json.data[0].name).toBe('b.test')
})

test('200 without the reports of a process that stopped reporting', async () => {
  await writeReports(
    api.db,
    newId(),
    { changed: [report('old.test')], gone: [], closedDomains: [] },
    new Date(now.getTime() - 16_000),
  )
  expect((await operator.get('/sites?site=old.test')).json.data).toEqual([])
})

test('200 when an operator ends a pause, 404 when none exists', async () => {
  const name = 'mx1.test,mx2.test (TLS enforced) from 192.0.2.1'
  await givenPause(name)
  const path = `/sites/${encodeURIComponent(name)}/resume`
  expect(await operator.post(path)).toMatchObject({
    status: 200,
    json: { object: 'site', name, resumed: true },
  })
  expect(await operator.post(path)).toMatchObject({ status: 404, json: { name: 'not_found' } })
  expect((await operator.get('/sites?state=paused')).json.data).toEqual([])
})

test('200 when an operator pauses a site; a longer pause remains; 404 for an unknown site', async () => {
  const pause = { minutes: 30, reason: 'Slowly.' }
  expect(await operator.post('/sites/nobody.test/pause', pause)).toMatchObject({ status: 404 })
  await writeReports(api.db, newId(), { changed: [report('calm.test')], gone: [], closedDomains: [] }, now)
  const until = (minutes: number) =>
    new Date(now.getTime() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  expect((await operator.post('/sites/calm.test/pause', pause)).json).toEqual({
    object: 'site',
    name: 'calm.test',
    paused_until: until(30),
  })
  expect((await operator.get('/sites?state=paused')).json.data).toMatchObject([
    { name: 'calm.test', category: 'operator', reason: 'Paused by an operator: Slowly.', failures: 0 },
  ])
  const longer = await operator.post('/sites/calm.test/pause', { ...pause, minutes: 60 })
  expect(longer.json.paused_until).toBe(until(60))
  expect((await operator.post('/sites/calm.test/pause', pause)).json.paused_until).toBe(until(60))
  await operator.post('/sites/calm.test/resume')
  expect((await operator.post('/sites/calm.test/pause', pause)).json.paused_until).toBe(until(30))
})

test('422 for a pause without an end or a reason', async () => {
  for (const body of [
    { minutes: 5 },
    { reason: 'x' },
    { minutes: 0, reason: 'x' },
    { minutes: 43_201, reason: 'x' },
  ]) {
    expect((await operator.post('/sites/calm.test/pause', body)).status).toBe(422)
  }
})

test('401 for a wrong token, none, and the key of a team; the operator has no team', async () => {
  const team = await api.givenTeam()
  for (const someone of [team, api.as(null), api.as(`${TOKEN}x`)]) {
    expect((await someone.get('/sites')).status).toBe(401)
    expect((await someone.post('/sites/x/resume')).status).toBe(401)
  }
  expect((await operator.get('/usage')).status).toBe(401)
})

test('405 with the allowed methods, for the operator', async () => {
  const reply = await operator.delete('/sites')
  expect(reply.status).toBe(405)
  expect(reply.headers.get('allow')).toBe('GET, HEAD')
})

test('422 for an unknown state', async () => {
  expect((await operator.get('/sites?state=closed')).status).toBe(422)
})

test('429 after 600 requests in a minute; requests with wrong tokens do not count', async () => {
  for (let i = 0; i < 20; i++) await api.as('wrong').get('/sites')
  const replies = []
  for (let i = 0; i < 6; i++) {
    replies.push(...(await Promise.all(Array.from({ length: 101 }, () => operator.get('/sites?site=none')))))
  }
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(600)
  const refused = replies.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toBe('60')
})
