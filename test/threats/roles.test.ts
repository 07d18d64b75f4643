import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { AREAS } from '../../src/access/permissions.ts'
import { ROLES, type Role } from '../../src/access/roles.ts'
import { API_ROUTES, OPERATOR_ROUTES } from '../../src/app/routes.ts'
import type { Route } from '../../src/http/route/route.ts'
import { newId } from '../../src/lib/ids.ts'
import { givenMember as givenMemberOf, givenWhole } from '../support/browsing.ts'
import { type ApiReply, exchange } from '../support/client.ts'
import { inLanes } from '../support/lanes.ts'
import { openBrowser } from '../support/people.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender
let eve: Sender

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
  eve = await service.givenSender()
})

const givenMember = (teamId: string, role: Role) => givenMemberOf(givenWhole(service), teamId, role)

/** The table from the documentation, not from the code. */
const TABLE = new Map(
  readFileSync(join(import.meta.dirname, '../../docs/permissions.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| [A-Z]/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, area = '', read = '', change = '']) => [area, { read, change }]),
)

/** The rules of docs/permissions.md outside its table. */
const BEYOND: Readonly<Record<string, Role>> = {
  'POST /team/leave': 'viewer',
  'GET /team/invitations': 'admin',
  'PATCH /team/notifications': 'viewer',
  'POST /team/notifications/test': 'viewer',
}

function documentedRole({ method, path, area, changesNothing }: Route): Role {
  const row = TABLE.get(AREAS[area].tag)
  const isRead = method === 'GET' || changesNothing === true
  return BEYOND[`${method} ${path}`] ?? ((isRead ? row?.read : row?.change) as Role)
}

const pathOf = ({ path }: Route) => path.replace(/:[A-Za-z]+/g, () => newId())
const emptyBodyOf = ({ method, upload }: Route) => (method === 'GET' || upload !== undefined ? undefined : {})
const hasTeam = ({ permission }: Route) => ['send', 'full', 'member'].includes(permission)
const nameOf = ({ statusCode, name }: ApiReply['json']) => `${statusCode} ${name}`

/** Requests that have an effect even with an empty body. */
const HAS_EFFECT = new Set(['POST /team/leave', 'DELETE /captured'])

describe('every route, by every role', () => {
  for (const role of ROLES) {
    test(`403 for a ${role} exactly as documented`, async () => {
      const browser = await givenMember(ann.id, role)
      let refused = 0
      await inLanes(API_ROUTES.filter(hasTeam), async (route) => {
        const name = `${route.method} ${route.path}`
        const may = ROLES.indexOf(role) >= ROLES.indexOf(documentedRole(route))
        if (may && HAS_EFFECT.has(name)) return
        const reply = await browser.inTeam(ann.id)(`${route.method} ${pathOf(route)}`, emptyBodyOf(route))
        if (!may) refused++
        const isForbidden = reply.status === 403 && reply.json.name === 'forbidden_role'
        expect([name, isForbidden, reply.text.slice(0, 200)]).toEqual([name, !may, expect.anything()])
        expect([name, reply.status]).not.toEqual([name, 401])
        expect(reply.status, name).toBeLessThan(500)
      })
      if (role === 'viewer') expect(refused).toBeGreaterThan(40)
      if (role === 'owner') expect(refused).toBe(0)
    })
  }

  test('403 for non-operators on every operator route; 200 for an operator', async () => {
    const browser = await givenMember(ann.id, 'owner')
    for (const route of OPERATOR_ROUTES) {
      const reply = await browser.ask(
        `${route.method} ${pathOf(route)}`,
        route.method === 'GET' ? undefined : {},
      )
      expect([route.path, nameOf(reply.json)]).toEqual([route.path, '403 operators_only'])
    }
    await service.db.query('update user_account set is_operator = true where id = $1', [browser.id])
    await expect.poll(async () => (await browser.ask('GET /sites')).status, { timeout: 60_000 }).toBe(200)
  })

  test('403 for an API key and 401 without a login on every user route', async () => {
    for (const route of API_ROUTES.filter(
      ({ permission }) => permission === 'user' || permission === 'member',
    )) {
      const path = pathOf(route)
      const init = { method: route.method, headers: { authorization: `Bearer ${ann.token}` } }
      const byKey = await exchange(service.url + path, init)
      expect([route.path, nameOf(byKey.json)]).toEqual([route.path, '403 session_required'])
      const byNobody = await openBrowser(() => service.url).ask(`${route.method} ${path}`)
      expect([route.path, nameOf(byNobody.json)]).toEqual([route.path, '401 not_logged_in'])
    }
  })
})

test('404 for a team of others on every team route, with the same bytes as for an unknown team', async () => {
  const browser = await givenMember(eve.id, 'owner')
  const bare = ({ status, headers, text }: ApiReply) => [status, [...headers.keys()].sort(), text]
  await inLanes(API_ROUTES.filter(hasTeam), async (route) => {
    const ask = `${route.method} ${pathOf(route)}`
    const foreign = await browser.inTeam(ann.id)(ask, emptyBodyOf(route))
    expect(foreign.status, ask).toBe(404)
    expect(bare(foreign), ask).toEqual(bare(await browser.inTeam(newId())(ask, emptyBodyOf(route))))
  })
  const without = await browser.ask('GET /emails')
  expect(without.status).toBe(404)
  expect((await browser.ask('GET /emails', undefined, { 'x-sendwright-team': "' or 1=1" })).status).toBe(404)
})

describe('members of a team', () => {
  test('404 for members and invitations of another team, as for unknown ones', async () => {
    const [owner, other] = [await givenMember(ann.id, 'owner'), await givenMember(eve.id, 'owner')]
    const invited = await other.inTeam(eve.id)('POST /team/invitations', {
      email: 'x@people.test',
      role: 'viewer',
    })
    const ask = owner.inTeam(ann.id)
    for (const make of [
      (id: string) => ask(`PATCH /team/members/${id}`, { role: 'viewer' }),
      (id: string) => ask(`DELETE /team/members/${id}`),
      (id: string) => ask(`DELETE /team/invitations/${id}`),
      (id: string) => ask(`POST /team/invitations/${id}/resend`),
    ]) {
      for (const id of [other.id, invited.json.id as string]) {
        const [foreign, unknown] = [await make(id), await make(newId())]
        expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
      }
    }
    const members = (await other.inTeam(eve.id)('GET /team/members')).json.data
    expect(members.map(({ id }: { id: string }) => id)).toContain(other.id)
  })

  test('403 for an admin who creates, changes, removes or invites owners', async () => {
    const [owner, admin, member] = [
      await givenMember(ann.id, 'owner'),
      await givenMember(ann.id, 'admin'),
      await givenMember(ann.id, 'member'),
    ]
    const ask = admin.inTeam(ann.id)
    for (const reply of [
      await ask(`PATCH /team/members/${member.id}`, { role: 'owner' }),
      await ask(`PATCH /team/members/${admin.id}`, { role: 'owner' }),
      await ask(`PATCH /team/members/${owner.id}`, { role: 'viewer' }),
      await ask(`DELETE /team/members/${owner.id}`),
      await ask('POST /team/invitations', { email: 'o@people.test', role: 'owner' }),
    ]) {
      expect(nameOf(reply.json)).toBe('403 forbidden_role')
    }
    expect((await ask(`PATCH /team/members/${member.id}`, { role: 'admin' })).json.role).toBe('admin')
    const asOwner = owner.inTeam(ann.id)
    expect((await asOwner(`PATCH /team/members/${admin.id}`, { role: 'owner' })).status).toBe(200)
    expect((await asOwner(`DELETE /team/members/${admin.id}`)).status).toBe(200)
  })

  test('409 for the last owner in any way of leaving; of two concurrent departures, one fails', async () => {
    const team = await service.givenTeam()
    const [one, other] = [await givenMember(team.id, 'owner'), await givenMember(team.id, 'owner')]
    const left = await Promise.all([
      one.inTeam(team.id)('POST /team/leave'),
      other.inTeam(team.id)(`PATCH /team/members/${other.id}`, { role: 'member' }),
    ])
    expect(left.map(({ status }) => status).sort()).toEqual([200, 409])
    const owners = await service.db.query<{ userId: string }>(
      "select user_id from membership where team_id = $1 and role = 'owner'",
      [team.id],
    )
    expect(owners).toHaveLength(1)
    const last = owners[0]?.userId === one.id ? one : other
    const ask = last.inTeam(team.id)
    const message = 'A team must have an owner. Make another member an owner first.'
    for (const reply of [
      await ask('POST /team/leave'),
      await ask(`DELETE /team/members/${last.id}`),
      await ask(`PATCH /team/members/${last.id}`, { role: 'admin' }),
    ]) {
      expect(reply.json).toEqual({ statusCode: 409, name: 'conflict', message })
    }
    expect((await ask(`PATCH /team/members/${last.id}`, { role: 'owner' })).status).toBe(200)
  })

  test('a removed or demoted member loses access with the next request', async () => {
    const [owner, member] = [await givenMember(ann.id, 'owner'), await givenMember(ann.id, 'member')]
    const list = () => member.inTeam(ann.id)('POST /lists', { name: 'x' })
    expect((await list()).status).toBe(201)
    await owner.inTeam(ann.id)(`PATCH /team/members/${member.id}`, { role: 'viewer' })
    expect((await list()).status).toBe(403)
    await owner.inTeam(ann.id)(`DELETE /team/members/${member.id}`)
    expect((await list()).status).toBe(404)
    expect((await member.ask('GET /session')).json.teams).toEqual([])
  })

  test("a user's actions are in the audit log under that user", async () => {
    const owner = await givenMember(ann.id, 'owner')
    const made = await owner.inTeam(ann.id)('POST /lists', { name: 'Audited' })
    const { data } = (await owner.inTeam(ann.id)(`GET /audit?target_id=${made.json.id}`)).json
    expect(data).toMatchObject([
      { actor: { type: 'user', id: owner.id, name: 'Ann' }, action: 'lists.create', fields: ['name'] },
    ])
    const invited = await owner.inTeam(ann.id)('POST /team/invitations', {
      email: 'a@people.test',
      role: 'viewer',
    })
    const { id } = invited.json
    await owner.inTeam(ann.id)(`POST /team/invitations/${id}/resend`)
    await owner.inTeam(ann.id)(`DELETE /team/invitations/${id}`)
    const member = await givenMember(ann.id, 'viewer')
    await owner.inTeam(ann.id)(`PATCH /team/members/${member.id}`, { role: 'member' })
    await owner.inTeam(ann.id)(`DELETE /team/members/${member.id}`)
    await owner.inTeam(ann.id)('PATCH /team', { name: 'Renamed' })
    expect((await owner.inTeam(ann.id)('PATCH /team', { name: '' })).status).toBe(422)
    const byActor = (await owner.inTeam(ann.id)(`GET /audit?actor_id=${owner.id}`)).json
    expect(byActor.data.map((entry: { action: string }) => entry.action)).toEqual([
      'team.update',
      'team.members.delete',
      'team.members.update',
      'team.invitations.delete',
      'team.invitations.resend',
      'team.invitations.create',
      'lists.create',
    ])
  })
})
