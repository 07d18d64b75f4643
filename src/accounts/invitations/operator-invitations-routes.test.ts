import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { Requester } from '../../../test/support/client.ts'
import { listAudit } from '../../audit/audit-queries.ts'
import { newId } from '../../lib/ids.ts'
import { invitationRoutes } from './invitations-routes.ts'
import { operatorInvitationRoutes } from './operator-invitations-routes.ts'

const TOKEN = 'a-token-of-the-operator-with-enough-characters'
let api: Api
let operator: Requester

beforeAll(async () => {
  api = await startApi({
    routes: [...operatorInvitationRoutes, ...invitationRoutes],
    environment: { SENDWRIGHT_OPERATOR_TOKEN: TOKEN },
    deps: { sendAccountMail: async () => 'unsendable' },
  })
  operator = api.as(TOKEN)
})
afterAll(() => api.stop())

test("201 with a link for the owner of a team, recorded in the team's audit log", async () => {
  const team = await api.givenTeam({ name: 'Fresh' })
  const path = `/operator/teams/${team.id}/invitations`
  const { status, json } = await operator.post(path, { email: 'Ann@Example.com', role: 'owner' })
  expect(status).toBe(201)
  expect(json).toMatchObject({
    object: 'invitation',
    email: 'ann@example.com',
    role: 'owner',
    status: 'pending',
    emailed: false,
  })
  const [, token] = String(json.link).split('#token=')
  const seen = await api.as(null).post('/invitations/inspect', { token })
  expect(seen.json).toMatchObject({ team: { name: 'Fresh' }, role: 'owner' })
  const { rows } = await listAudit(api.db, team.id, {}, { size: 10, offset: 0, after: null, before: null })
  expect(rows.map(({ actorKind, action, fields }) => ({ actorKind, action, fields }))).toEqual([
    { actorKind: 'operator', action: 'team.invitations.create', fields: ['email', 'role'] },
  ])
})

test("404 for an unknown team, and 401 for a team's API key", async () => {
  const body = { email: 'ann@example.com', role: 'owner' }
  expect((await operator.post(`/operator/teams/${newId()}/invitations`, body)).status).toBe(404)
  const team = await api.givenTeam()
  expect((await team.post(`/operator/teams/${team.id}/invitations`, body)).status).toBe(401)
})
