import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { Requester } from '../../test/support/client.ts'
import { listAudit } from '../audit/audit-queries.ts'
import { newId } from '../lib/ids.ts'
import { operatorPlanRoutes } from './operator-plans-routes.ts'
import { operatorTeamRoutes } from './operator-teams-routes.ts'
import { usageRoutes } from './usage-routes.ts'

const TOKEN = 'a-token-of-the-operator-with-enough-characters'
const NOW = new Date('2026-01-31T12:00:00Z')
let api: Api
let operator: Requester

beforeAll(async () => {
  api = await startApi({
    routes: [...operatorTeamRoutes, ...operatorPlanRoutes, ...usageRoutes],
    environment: { SENDWRIGHT_OPERATOR_TOKEN: TOKEN },
    clock: { now: () => NOW },
  })
  operator = api.as(TOKEN)
})
afterAll(() => api.stop())

async function auditOf(teamId: string) {
  const range = { size: 10, offset: 0, after: null, before: null }
  const { rows } = await listAudit(api.db, teamId, {}, range)
  return rows.map(({ actorKind, actorId, action, targetId, fields, ipAddress }) => ({
    actorKind,
    actorId,
    action,
    targetId,
    fields,
    ipAddress,
  }))
}
const change = (teamId: string, action: string, fields: string[]) => ({
  actorKind: 'operator',
  actorId: null,
  action,
  targetId: teamId,
  fields,
  ipAddress: null,
})

test("201 for a new team, 200 when it is changed, paused and resumed; the team's audit log has each change", async () => {
  const made = await operator.post('/operator/teams', { name: 'Fresh', plan: 'free' })
  expect(made).toMatchObject({
    status: 201,
    json: {
      object: 'operator_team',
      name: 'Fresh',
      plan: 'free',
      members: 0,
      month: { used: 0, limit: 3000 },
      day: { used: 0, limit: 100 },
      sending_paused_at: null,
    },
  })
  const { id } = made.json
  const path = `/operator/teams/${id}`
  expect((await operator.patch(path, { plan: '50k' })).json).toMatchObject({ name: 'Fresh', plan: '50k' })
  expect((await operator.patch(path, { name: 'Fresher' })).json).toMatchObject({
    name: 'Fresher',
    plan: '50k',
  })
  expect((await operator.patch(path, {})).status).toBe(200)
  expect((await operator.post(`${path}/pause`, { reason: ' Call us. ' })).json).toMatchObject({
    sending_paused_at: '2026-01-31 12:00:00',
    sending_paused_by: 'operator',
    sending_paused_reason: 'Call us.',
  })
  expect((await operator.post(`${path}/resume`)).json).toMatchObject({
    sending_paused_at: null,
    sending_paused_reason: null,
    guard_until: '2026-02-01 12:00:00',
  })
  expect(await auditOf(id)).toEqual([
    change(id, 'team.resume', []),
    change(id, 'team.pause', ['reason']),
    change(id, 'team.update', ['name']),
    change(id, 'team.update', ['plan']),
    change(id, 'team.create', ['name', 'plan']),
  ])
})

test('200 with teams, newest first, filtered by the start of the name and by pause', async () => {
  const names = ['Zebra 1', 'zebra 2', 'Zebra% 3', 'Not a zebra']
  const teams = []
  for (const name of names) teams.push(await api.givenTeam({ name, plan: 'free' }))
  const [first, second] = teams
  await operator.post(`/operator/teams/${second?.id}/pause`, { reason: 'x' })
  await api.db.query(
    `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
     values ($1, '2026-01-01', 70, '2026-01-30', 30, 60)`,
    [first?.id],
  )
  await api.db.query(
    `insert into membership (team_id, user_id, role, created_at, updated_at)
     values ($1, $2, 'owner', $3, $3)`,
    [first?.id, newId(), NOW],
  )
  const found = async (query: string) => {
    const { status, json } = await operator.get(`/operator/teams?${query}`)
    expect(status).toBe(200)
    return json
  }
  const namesOf = (json: { data: { name: string }[] }) => json.data.map(({ name }) => name)
  expect(namesOf(await found('q=ZEBRA'))).toEqual(['Zebra% 3', 'zebra 2', 'Zebra 1'])
  expect(namesOf(await found('q=zebra%25'))).toEqual(['Zebra% 3'])
  expect(namesOf(await found('q=zebra&paused=true'))).toEqual(['zebra 2'])
  expect(namesOf(await found('q=zebra&paused=false'))).toEqual(['Zebra% 3', 'Zebra 1'])
  const page = await found('q=zebra&limit=2')
  expect(page.has_more).toBe(true)
  const rest = await found(`q=zebra&limit=2&after=${page.data[1].id}`)
  expect(rest).toMatchObject({
    has_more: false,
    data: [
      {
        id: first?.id,
        members: 1,
        month: { used: 70, limit: 3000 },
        day: { used: 0, limit: 100 },
        emails_this_month: 60,
      },
    ],
  })
})

test('200 with the list of plans', async () => {
  const { json } = await operator.get('/operator/plans')
  expect(json.data).toHaveLength(14)
  expect(json.data[0]).toMatchObject({ id: 'free', month_recipients: 3000, day_recipients: 100 })
  expect(json.data.at(-1)).toMatchObject({ id: 'unlimited', month_recipients: null })
})

test('404 for an unknown team, and nothing is written', async () => {
  const unknown = newId()
  const path = `/operator/teams/${unknown}`
  const replies = [
    await operator.get(path),
    await operator.patch(path, { name: 'x' }),
    await operator.post(`${path}/pause`, { reason: 'x' }),
    await operator.post(`${path}/resume`),
    await operator.get('/operator/teams/none'),
  ]
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect(await auditOf(unknown)).toEqual([])
})

test('422 for an unknown plan, a name that is too long, and a pause without a reason', async () => {
  const { id } = await api.givenTeam()
  expect((await operator.post('/operator/teams', { name: 'x', plan: 'gold' })).status).toBe(422)
  expect((await operator.patch(`/operator/teams/${id}`, { name: 'x'.repeat(256) })).status).toBe(422)
  expect((await operator.post(`/operator/teams/${id}/pause`, {})).status).toBe(422)
  expect((await operator.post(`/operator/teams/${id}/pause`, { reason: '  ' })).status).toBe(422)
})

test("401 for a team's API key", async () => {
  const team = await api.givenTeam()
  for (const path of ['/operator/teams', `/operator/teams/${team.id}`, '/operator/plans']) {
    expect((await team.get(path)).status).toBe(401)
  }
  expect((await team.post(`/operator/teams/${team.id}/resume`)).status).toBe(401)
})
