import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUILT_IN } from '../../src/delivery/rules/built-in-rules.ts'
import { VERSION } from '../../src/lib/version.ts'
import { givenMember, givenWhole } from '../support/browsing.ts'
import { requester } from '../support/client.ts'
import { type Browser, givenFirstOwner } from '../support/people.ts'
import { makeRules } from '../support/rules.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

const OPERATOR = 'the-token-of-the-operator-of-this-test'
const POLL = { timeout: 60_000 }

const rules = makeRules()
let service: TestSendwright
let ann: Sender
let operator: ReturnType<typeof requester>

beforeAll(async () => {
  rules.write({ shaping: [{ name: 'Ours', match: { mx: ['receiver.test'] }, rate: '500/1s' }] })
  service = await startTestSendwright({
    environment: { SENDWRIGHT_RULES_FILE: rules.path, SENDWRIGHT_OPERATOR_TOKEN: OPERATOR },
  })
  ann = await service.givenSender()
  operator = requester(service.url, OPERATOR)
})
afterAll(async () => {
  await service?.stop()
  rules.remove()
})
const asAnn = () => requester(service.url, ann.token)

test('mail to a site that an operator paused waits with the reason, and is delivered after a resume', async () => {
  await ann.settled(await ann.send({ to: `first@${service.givenDestination()}` }))
  const site = 'mx.receiver.test'
  await expect.poll(async () => (await operator.get(`/sites?site=${site}`)).json.data.length, POLL).toBe(1)
  const pause = { minutes: 60, reason: 'A word with the provider \u0007first.' }
  const paused = await operator.post(`/sites/${site}/pause`, pause)
  expect(paused).toMatchObject({ status: 200, json: { object: 'site', name: site } })
  // The delivering process applies the pause within two seconds.
  await expect
    .poll(async () => (await operator.get('/sites?state=paused')).json.data, POLL)
    .toMatchObject([{ name: site, category: 'operator', paused_until: paused.json.paused_until }])

  let [id, domain] = ['', '']
  await expect
    .poll(async () => {
      // A destination whose site is not yet known, because mail for a known paused site is not even claimed.
      domain = service.givenDestination()
      id = await ann.send({ to: `later@${domain}` })
      const { recipients } = await ann.seen(id, ({ recipients: [one] }) => one.category !== null)
      return recipients[0].category
    }, POLL)
    .toBe('operator')
  const { recipients } = (await ann.get(`/emails/${id}`)).json
  expect(recipients[0]).toMatchObject({ attempts: 0, status: 'queued' })
  expect(recipients[0].advice).toMatch(/^An operator has stopped .* The next attempt is at .* UTC\.$/)
  const { data } = (await ann.get('/attention')).json
  expect(data).toMatchObject([{ kind: 'site_paused', subject: { name: domain } }])
  expect(data[0].message).toContain('Paused by an operator: A word with the provider \\x07first.')

  const queue = (await operator.get('/operator/queue')).json
  expect(queue).toMatchObject({
    object: 'queue',
    by_team: [{ team_id: ann.id, name: 'Acme', ready: 0 }],
    by_destination: [{ domain }],
    by_site: [{ name: site, paused_until: paused.json.paused_until }],
  })
  expect((await operator.post(`/sites/${site}/resume`)).status).toBe(200)
  expect((await ann.settled(id)).status).toBe('delivered')
  expect((await ann.get('/attention')).json.data).toEqual([])
})

test('a running process is listed, and removed after an orderly stop', async () => {
  const read = async () => (await operator.get('/operator/nodes')).json.data
  // Each heartbeat reports the current number of deliveries.
  await expect.poll(async () => (await read())[0].deliveries_held).toBe(0)
  const [before] = await read()
  expect(await read()).toMatchObject([
    {
      object: 'node',
      host: hostname(),
      process_id: process.pid,
      roles: ['api', 'deliver', 'scheduler'],
      version: VERSION,
      state: 'up',
      deliveries_held: 0,
    },
  ])
  await service.restart()
  operator = requester(service.url, OPERATOR)
  const after = await read()
  expect(after).toHaveLength(1)
  expect(after[0].id).not.toBe(before.id)
})

test('a process that died is listed as silent', async () => {
  await service.db.query(
    `insert into node (id, host, process_id, roles, version, started_at, seen_at, memory_bytes)
     values (gen_random_uuid(), 'gone', 1, '{api}', '0', now() - interval '1 day', now() - interval '1 minute', 0)`,
  )
  const { data } = (await operator.get('/operator/nodes')).json
  expect(data).toMatchObject([{ host: 'gone', state: 'silent', deliveries_held: null }, { state: 'up' }])
})

test('the rules in force are shown, with the error of an invalid file that changed nothing', async () => {
  const before = (await operator.get('/operator/shaping')).json
  expect(before).toMatchObject({ object: 'shaping', file: rules.path, failure: null })
  expect(before.loaded_at).toMatch(/^\d{4}-/)
  expect(before.rules).toHaveLength(1 + BUILT_IN.length)
  expect(before.rules[0]).toMatchObject({
    name: 'Ours',
    source: 'file',
    match: { mx: ['receiver.test'], domain: null },
    rate: '500/1s',
  })
  expect(before.rules[1]).toMatchObject({ name: 'Google', source: 'built_in', connections_max: 20 })
  rules.write({ shaping: [{ name: 'Ours', connections_max: 'many' }] })
  await service.reload()
  const after = (await operator.get('/operator/shaping')).json
  expect(after.rules).toEqual(before.rules)
  expect(after.failure.message).toContain('shaping[0].connections_max')
})

test('the health of the installation is shown', async () => {
  const { status, json } = await operator.get('/operator/health')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    object: 'health',
    version: VERSION,
    delivery: 'direct',
    database: { reachable: true, kind: 'external', in_recovery: false, replicas: [] },
    queue: { oldest_ready_seconds: expect.any(Number) },
    certificate_expires_at: null,
    last_backup: null,
  })
  expect(json.database.size_bytes).toBeGreaterThan(1_000_000)
  expect(json.disk.free_bytes).toBeGreaterThan(0)
  const checks = json.findings.map(({ check }: { check: string }) => check)
  expect(checks).toEqual(expect.arrayContaining(['database', 'queue', 'backup']))
})

test('an old backup is a warning, also beside one of a clock that was ahead', async () => {
  await service.db.query(
    "insert into backup_made (made_at, rows, bytes) values (now() - interval '30 days', 1, 1), ('2100-01-01', 1, 1)",
  )
  const findings = async () => (await operator.get('/operator/health')).json.findings
  // An answer is kept for five seconds.
  await expect.poll(findings).toContainEqual(expect.objectContaining({ check: 'backup', level: 'warning' }))
  await service.db.query('delete from backup_made')
})

test("allowed for the session of an operator only; the audit log shows the operator's action", async () => {
  const olga = await givenFirstOwner(service)
  const viewer = await givenMember(givenWhole(service), olga.teamId, 'viewer')
  const pause = { reason: 'A question first.' }
  const path = `/operator/teams/${olga.teamId}/pause`
  expect(await viewer.ask(`POST ${path}`, pause)).toMatchObject({
    status: 403,
    json: { name: 'operators_only' },
  })
  expect((await viewer.ask('GET /operator/queue')).status).toBe(403)
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  expect((await olga.ask(`POST ${path}`, pause, crossSite)).json.name).toBe('cross_site_request')
  expect(await olga.ask(`POST ${path}`, pause)).toMatchObject({ status: 200, json: { members: 2 } })
  const { data } = (await olga.inTeam(olga.teamId)('GET /audit')).json
  expect(data[0]).toMatchObject({ action: 'team.pause', fields: ['reason'], ip_address: null })
  expect(data[0].actor).toMatchObject({ type: 'operator' })

  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const key = { name: 'Secret name', expires_at: soon }
  expect((await olga.inTeam(olga.teamId)('POST /api-keys', key)).status).toBe(201)
  const kindsSeenBy = async (person: Browser) => {
    const { json } = await person.inTeam(olga.teamId)('GET /attention')
    return json.data.map(({ kind }: { kind: string }) => kind)
  }
  expect(await kindsSeenBy(olga)).toEqual(['sending_paused', 'api_key_expiring'])
  expect(await kindsSeenBy(viewer)).toEqual(['sending_paused'])
})

test("401 for a team's API key", async () => {
  for (const path of ['queue', 'nodes', 'health', 'shaping']) {
    expect((await asAnn().get(`/operator/${path}`)).status, path).toBe(401)
  }
})
