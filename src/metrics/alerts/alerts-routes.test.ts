import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { upsertPauses } from '../../delivery/sites/sites-queries.ts'
import { newId } from '../../lib/ids.ts'
import { addMetricCounts, noCounts } from '../counting/metric-counts-queries.ts'
import { alertsRoutes } from './alerts-routes.ts'

const NOW = new Date('2026-01-31T12:00:00Z')
const HOUR_MS = 3_600_000
const ago = (ms: number) => new Date(NOW.getTime() - ms)
let api: Api

beforeAll(async () => {
  api = await startApi({ routes: alertsRoutes, clock: { now: () => NOW } })
})
afterAll(() => api.stop())

interface Item {
  kind: string
  severity: string
  message: string
  subject: { type: string; id: string | null; name: string } | null
  since: string | null
}

async function itemsOf(team: GivenTeam): Promise<Item[]> {
  const { status, json } = await team.get('/attention')
  expect(status).toBe(200)
  return json.data
}

async function givenDomain(team: GivenTeam, status: string, reason: string | null): Promise<string> {
  const id = newId()
  await api.db.query(
    `insert into domain (team_id, id, name, status, captured, tls, open_tracking, click_tracking, checks,
       return_path_verified, reason, pending_since, failed_days, created_at, updated_at)
     values ($1, $2, $3, $4, false, 'opportunistic', false, false, '{}', false, $5, $6, 0, $7, $7)`,
    [team.id, id, `${id}.test`, status, reason, status === 'pending' ? ago(HOUR_MS) : null, ago(2 * HOUR_MS)],
  )
  return id
}

/** Creates an email with one unfinished recipient. */
async function givenWaiting(
  team: GivenTeam,
  {
    at,
    waitsFor = null,
    response = null,
    domainId = newId(),
  }: { at: Date; waitsFor?: string | null; response?: string | null; domainId?: string },
): Promise<string> {
  const id = newId(at.getTime())
  await api.db.query(
    `insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, recipient_count,
       status, last_event, size, created_at)
     values ($1, $2, $3, 'm', 'a@a.test', 'a@a.test', '{}', 'Your receipt', 1, 'queued', 'queued', 1, $4)`,
    [team.id, id, domainId, at],
  )
  await api.db.query(
    `insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, due_at, attempts,
       expires_at, response, waits_for, updated_at)
     values ($1, $2, 0, 'to', 'bob@down.test', 'bob@down.test', 'down.test', 'queued', false, $3, 0, $3, $4, $5, $6)`,
    [team.id, id, ago(-HOUR_MS), response, waitsFor, at],
  )
  return id
}

test('200 with an empty list without alerts', async () => {
  expect(await itemsOf(await api.givenTeam())).toEqual([])
})

test('200 with unverified and failed domains, failed ones first, with the reason', async () => {
  const team = await api.givenTeam()
  const pending = await givenDomain(team, 'pending', null)
  const failed = await givenDomain(team, 'failed', 'The DKIM record was not found.')
  await givenDomain(team, 'verified', null)
  expect(await itemsOf(team)).toMatchObject([
    {
      kind: 'domain_failing',
      severity: 'critical',
      subject: { type: 'domain', id: failed },
      message: expect.stringContaining('The DKIM record was not found.'),
    },
    {
      kind: 'domain_unverified',
      severity: 'warning',
      subject: { id: pending },
      since: '2026-01-31 11:00:00',
    },
  ])
})

test('200 with the site that this team’s mail waits for, without addresses, and not with sites that only other teams wait for', async () => {
  const [ann, eve] = [await api.givenTeam(), await api.givenTeam()]
  const pause = {
    state: 'paused' as const,
    pausedUntil: ago(-HOUR_MS),
    failures: 1,
    category: 'rate_limited',
    reason: 'x',
    changedAt: NOW,
  }
  await upsertPauses(api.db, [
    { ...pause, name: 'mx.down.test' },
    { ...pause, name: 'mx.other.test' },
  ])
  const response = '450 4.2.1 <carol@down.test> receives too much \u001b[31m'
  await givenWaiting(ann, { at: ago(60_000), waitsFor: 'mx.down.test', response })
  await givenWaiting(ann, { at: ago(60_000), waitsFor: 'mx.down.test', response })
  await givenWaiting(eve, { at: ago(60_000), waitsFor: 'mx.other.test', response: 'of Eve alone' })
  const [item, ...others] = await itemsOf(ann)
  expect(others).toEqual([])
  expect(item).toMatchObject({ kind: 'site_paused', subject: { type: 'site', id: null, name: 'down.test' } })
  expect(item?.message).toContain('2 recipients wait')
  expect(item?.message).toContain('2026-01-31 13:00:00')
  expect(item?.message).not.toMatch(/carol|Eve/)
  expect(item?.message).toContain('\\x1b[31m')
  const domainId = await givenDomain(ann, 'verified', null)
  const key = { ...ann, ...(await ann.givenKey({ domainId })) }
  expect(await itemsOf(key)).toEqual([])
  await givenWaiting(ann, { at: ago(60_000), waitsFor: 'mx.down.test', response: 'of the key', domainId })
  const [own] = await itemsOf(key)
  expect(own?.message).toContain('1 recipient waits')
  expect(own?.message).toContain('of the key')
})

test('200 with the oldest waiting email; the severity increases with its age', async () => {
  for (const [hours, severity] of [
    [0.2, null],
    [1, 'info'],
    [3, 'warning'],
    [30, 'critical'],
  ] as const) {
    const team = await api.givenTeam()
    await givenWaiting(team, { at: ago(60_000) })
    const id = await givenWaiting(team, { at: ago(hours * HOUR_MS) })
    const expected = { kind: 'email_waiting', severity, subject: { type: 'email', id, name: 'Your receipt' } }
    expect(await itemsOf(team)).toMatchObject(severity === null ? [] : [expected])
  }
})

test('200 with the oldest waiting email of its domain for a key of one domain, behind many of other domains', async () => {
  const team = await api.givenTeam()
  const domainId = await givenDomain(team, 'verified', null)
  for (let count = 0; count < 60; count++) await givenWaiting(team, { at: ago(3 * HOUR_MS) })
  const id = await givenWaiting(team, { at: ago(2 * HOUR_MS), domainId })
  await givenWaiting(team, { at: ago(HOUR_MS), domainId })
  const key = { ...team, ...(await team.givenKey({ domainId })) }
  expect(await itemsOf(key)).toMatchObject([{ kind: 'email_waiting', subject: { id } }])
})

test('200 with quotas from 80 %, and a warning before emails are rejected', async () => {
  for (const [used, severity] of [
    [79, null],
    [80, 'info'],
    [95, 'warning'],
    [100, 'critical'],
  ] as const) {
    const team = await api.givenTeam({ plan: 'free' })
    await api.db.query(
      `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
       values ($1, '2026-01-01', 100, '2026-01-31', $2, 1)`,
      [team.id, used],
    )
    expect(await itemsOf(team)).toMatchObject(severity === null ? [] : [{ kind: 'quota_day', severity }])
  }
})

test('200 with failing webhooks and those that the service disabled, not those that a user disabled', async () => {
  const team = await api.givenTeam()
  const add = (status: string, reason: string | null, disabledAt: Date | null, failingSince: Date | null) =>
    api.db.query(
      `insert into webhook (team_id, id, url, types, status, disabled_reason, disabled_at, sealed_secret, position,
         failing_since, created_at, updated_at)
       values ($1, $2, 'https://hooks.test/events', '{}', $3, $4, $5, '', 0, $6, $7, $7)`,
      [team.id, newId(), status, reason, disabledAt, failingSince, NOW],
    )
  await add('enabled', null, null, null)
  await add('enabled', null, null, ago(60_000))
  await add('enabled', null, null, ago(3 * HOUR_MS))
  await add('disabled', null, ago(HOUR_MS), null)
  await add('disabled', 'It failed for 5 days.', ago(HOUR_MS), null)
  expect(await itemsOf(team)).toMatchObject([
    {
      kind: 'webhook_disabled',
      severity: 'critical',
      message: expect.stringContaining('It failed for 5 days.'),
    },
    { kind: 'webhook_failing', severity: 'warning', message: expect.stringContaining('3 hours') },
  ])
})

test('200 with a pause and its author, rates near the limits, and keys that expire within a week', async () => {
  const team = await api.givenTeam()
  await api.db.query(
    `update team
     set sending_paused_at = $2, sending_paused_by = 'operator', sending_paused_reason = 'Please call us.'
     where id = $1`,
    [team.id, ago(HOUR_MS)],
  )
  const counts = { ...noCounts(), attempted: 1000, delivered: 930, bounced: 70, bounced_hard: 70 }
  await api.db.transaction((tx) =>
    addMetricCounts(tx, [
      {
        teamId: team.id,
        grain: 'hour',
        dimension: 'all',
        sinceMs: ago(HOUR_MS).getTime(),
        key: '',
        counts,
        delays: [],
      },
    ]),
  )
  await team.givenKey({ expiresAt: ago(-8 * 24 * HOUR_MS) })
  const { keyId } = await team.givenKey({ name: 'Shop', expiresAt: ago(-72 * HOUR_MS) })
  const items = await itemsOf(team)
  expect(items).toMatchObject([
    { kind: 'sending_paused', message: expect.stringMatching(/by an operator.*Please call us\./) },
    { kind: 'bounce_rate' },
    {
      kind: 'api_key_expiring',
      subject: { id: keyId, name: 'Shop' },
      message: expect.stringContaining('3 days'),
    },
  ])
})

test('403 for a key that may only send', async () => {
  const team = await api.givenTeam()
  const sender = await team.givenKey({ permission: 'send' })
  expect((await sender.get('/attention')).status).toBe(403)
})

test('200 with the campaigns that Sendwright paused, but not with those that a person paused', async () => {
  const [ann, eve] = [await api.givenTeam(), await api.givenTeam()]
  const id = newId()
  for (const [campaignId, teamId, reason] of [
    [id, ann.id, 'quota'],
    [newId(), ann.id, 'user'],
    [newId(), eve.id, 'domain'],
  ]) {
    await api.db.query(
      `insert into campaign (team_id, id, name, status, paused_reason, version, created_at, updated_at)
       values ($1, $2, 'Spring', 'paused', $3, 1, $4, $4)`,
      [teamId, campaignId, reason, ago(HOUR_MS)],
    )
  }
  expect(await itemsOf(ann)).toEqual([
    {
      object: 'attention_item',
      kind: 'campaign_paused',
      severity: 'critical',
      message:
        'The campaign "Spring" is paused: the quota of the account is used up. Resume it when the quota is renewed, or change the plan.',
      subject: { type: 'campaign', id, name: 'Spring' },
      since: '2026-01-31 11:00:00',
    },
  ])
})

test('200 without campaigns, automations and webhooks for a key of one domain', async () => {
  const team = await api.givenTeam()
  const [failing, ...others] = Array.from({ length: 4 }, () => newId())
  await api.db.query(
    `with paused as (
       insert into campaign (team_id, id, name, status, paused_reason, version, created_at, updated_at)
       values ($1, $3, 'Spring', 'paused', 'quota', 1, $6, $6)
     ), stopped as (
       insert into automation (team_id, id, name, status, graph, settings, paused_reason, created_at, updated_at)
       values ($1, $2, 'Failing', 'active', '{}', '{}', null, $6, $6),
         ($1, $4, 'Stopped', 'paused', '{}', '{}', 'It was restored.', $6, $6)
     ), failed as (
       insert into automation_run (team_id, id, automation_id, version, contact_id, state, outcome, reason, step, moves,
         entered_at, begun_after, heard_until, cause, payload, depth, started_at, ended_at)
       values ($1, $2, $2, 1, $2, 'ended', 'failed', 'No value.', 'a', 1, $6, 0, 0, '{}', '{}', 0, $6, $6)
     )
     insert into webhook (team_id, id, url, types, status, disabled_reason, disabled_at, sealed_secret, position,
       created_at, updated_at)
     values ($1, $5, 'https://hooks.test/events', '{}', 'disabled', 'It failed.', $6, '', 0, $6, $6)`,
    [team.id, failing, ...others, ago(HOUR_MS)],
  )
  const kinds = ['automation_failing', 'automation_paused', 'campaign_paused', 'webhook_disabled']
  expect((await itemsOf(team)).map(({ kind }) => kind).sort()).toEqual(kinds)
  const domainId = await givenDomain(team, 'verified', null)
  expect(await itemsOf({ ...team, ...(await team.givenKey({ domainId })) })).toEqual([])
})
