import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { Requester } from '../../../test/support/client.ts'
import { startDns, type TestDns } from '../../../test/support/dns.ts'
import { startMx, type TestMx } from '../../../test/support/mx.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { createLog } from '../../lib/log.ts'
import { goLiveRoutes, serverCheckRoutes } from './go-live-routes.ts'
import { createServerChecks, RUN_EVERY_MS, type ServerChecks } from './server-checks.ts'

const TOKEN = 'a-token-of-the-operator-with-enough-characters'
const directory = mkdtempSync(join(tmpdir(), 'server-checks-'))
const rulesFile = join(directory, 'rules.json')
const environment = {
  SENDWRIGHT_DELIVERY: 'direct',
  SENDWRIGHT_HOSTNAME: 'mail.example.test',
  SENDWRIGHT_OPERATOR_TOKEN: TOKEN,
  SENDWRIGHT_RULES_FILE: rulesFile,
  PUBLIC_URL: 'https://mail.example.test',
}
let dns: TestDns
let mx: TestMx
let api: Api
let operator: Requester
let ann: GivenTeam
let checks: ServerChecks
let now = new Date('2026-01-31T12:00:00Z')
const clock = { now: () => now }

beforeAll(async () => {
  dns = await startDns({
    'mail.example.test': { a: ['192.0.2.25'] },
    'provider.test': { mx: [[5, 'mx.provider.test']] },
    'mx.provider.test': { a: ['127.0.0.1'] },
  })
  mx = await startMx()
  writeFileSync(
    rulesFile,
    JSON.stringify({ sources: [{ name: 'one', address: '192.0.2.25', ehlo_name: 'mail.example.test' }] }),
  )
  api = await startApi({
    routes: [...goLiveRoutes, ...serverCheckRoutes],
    environment: { ...environment, SENDWRIGHT_DNS_SERVERS: dns.server, SENDWRIGHT_MX_PORT: String(mx.port) },
    clock,
    deps: {
      serverChecks: {
        read: () => checks.read(),
        start: () => checks.start(),
        stop: () => checks.stop(),
      },
    },
  })
  operator = api.as(TOKEN)
  ann = await api.givenTeam()
})
afterAll(async () => {
  await checks.stop()
  await api.stop()
  await mx.close()
  await dns.close()
  rmSync(directory, { recursive: true })
})
beforeEach(async () => {
  await checks?.stop()
  await api.db.query('delete from server_check')
  checks = createChecks()
})

const createChecks = () =>
  createServerChecks({
    config: api.deps.config,
    db: api.db,
    clock,
    log: createLog('silent'),
    probeDomain: 'provider.test',
  })
const finished = () =>
  expect.poll(async () => (await operator.get('/operator/server-checks')).json.state, { timeout: 20_000 })

test('202 for a run, whose findings name the step, the advice and the record to publish', async () => {
  expect((await operator.get('/operator/server-checks')).json).toMatchObject({
    state: 'never',
    checked_at: null,
    findings: [],
  })
  const started = await operator.post('/operator/server-checks', {})
  expect(started.status).toBe(202)
  expect(started.json).toMatchObject({ state: 'running', hostname: 'mail.example.test', delivery: 'direct' })
  await finished().toBe('done')
  const { findings, checked_at } = (await operator.get('/operator/server-checks')).json
  expect(checked_at).toBe('2026-01-31 12:00:00')
  const levels = findings.map(({ step, level }: { step: string; level: string }) => [step, level])
  expect(levels).toEqual([
    ['public_url', 'problem'],
    ['hostname', 'ok'],
    ['bounce_host', 'note'],
    // Nobody can reach an address for documentation.
    ['inbound_port', 'warning'],
    ['reverse_dns', 'problem'],
    ['spf', 'warning'],
    ['outbound_port', 'ok'],
  ])
  const recordOf = (step: string) => findings.find((each: { step: string }) => each.step === step).record
  expect(recordOf('hostname')).toBeNull()
  expect(recordOf('reverse_dns')).toEqual({ type: 'PTR', name: '192.0.2.25', value: 'mail.example.test' })
  expect(recordOf('spf')).toEqual({
    type: 'TXT',
    name: 'mail.example.test',
    value: 'v=spf1 ip4:192.0.2.25 -all',
  })
  expect(mx.messages).toEqual([])
})

test('202 without a second run within a minute, also by another process; a new run after it', async () => {
  const first = (await operator.post('/operator/server-checks', {})).json.started_at
  await finished().toBe('done')
  const asked = dns.count('mail.example.test')
  now = new Date(now.getTime() + RUN_EVERY_MS - 1000)
  const other = createChecks()
  const views = await Promise.all([checks.start(), other.start(), checks.start()])
  expect(views.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  expect(dns.count('mail.example.test')).toBe(asked)
  now = new Date(now.getTime() + 1000)
  const again = await operator.post('/operator/server-checks', {})
  expect(again.json).toMatchObject({ state: 'running' })
  expect(again.json.started_at).not.toBe(first)
  await finished().toBe('done')
  await other.stop()
})

test('interrupted when the process stops during a run, whose findings stay', async () => {
  dns.set({ 'mail.example.test': { fail: 'timeout' } })
  await checks.start()
  await checks.stop()
  dns.set({ 'mail.example.test': { a: ['192.0.2.25'] } })
  now = new Date(now.getTime() + RUN_EVERY_MS)
  expect((await checks.read()).state).toBe('interrupted')
})

test('401 for a team, and a host that the caller names is not contacted', async () => {
  for (const reply of [
    await ann.get('/operator/server-checks'),
    await ann.post('/operator/server-checks', {}),
  ]) {
    expect(reply.status).toBe(401)
  }
  const chosen = await operator.post('/operator/server-checks?probe_domain=internal.test', {
    probe_domain: 'internal.test',
    hostname: '127.0.0.1',
  })
  expect(dns.count('internal.test')).toBe(0)
  expect(chosen.json.hostname).toBe('mail.example.test')
})

test('a team sees its domain, its first real email and the worst result, but no finding', async () => {
  expect((await ann.get('/go-live')).json).toEqual({
    object: 'go_live',
    delivery: 'direct',
    domain: null,
    email: null,
    server: null,
  })
  await checks.start()
  await finished().toBe('done')
  const { text, json } = await ann.get('/go-live')
  expect(json.server).toBe('problem')
  expect(text).not.toContain('192.0.2.25')
})
