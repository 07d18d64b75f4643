import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { givenBrowser, givenMember as givenMemberOf, givenUser } from '../../../test/support/browsing.ts'
import { openBrowser, PASSWORD, tokenOf } from '../../../test/support/people.ts'
import type { Role } from '../../access/roles.ts'
import { auditRoutes } from '../../audit/audit-routes.ts'
import { invitationRoutes } from '../invitations/invitations-routes.ts'
import { teamInvitationRoutes } from '../invitations/team-invitations-routes.ts'
import { createPasswords } from '../passwords/password-hash.ts'
import { sessionRoutes } from '../sessions/session-routes.ts'
import type { AccountMail } from '../users/mail-texts.ts'
import { makeFirstOwnerLink } from './first-owner.ts'
import { gettingInRoutes } from './getting-in-routes.ts'
import { teamMemberRoutes } from './team-members-routes.ts'

let api: Api
let teamId: string
const mails: AccountMail[] = []

beforeAll(async () => {
  api = await startApi({
    routes: [
      ...gettingInRoutes,
      ...invitationRoutes,
      ...sessionRoutes,
      ...teamInvitationRoutes,
      ...teamMemberRoutes,
      ...auditRoutes,
    ],
    deps: {
      passwords: createPasswords(),
      async sendAccountMail(mail) {
        mails.push(mail)
        return 'accepted'
      },
    },
  })
  teamId = (await api.givenTeam()).id
})
afterAll(() => api.stop())

const visitor = () => openBrowser(() => api.url)

async function givenMember(role: Role) {
  const browser = await givenMemberOf(api, teamId, role)
  return { id: browser.id, email: browser.email, browser, ask: browser.inTeam(teamId) }
}

test('201 for one first owner of many who follow the link at once in two processes, then 410', async () => {
  const { url } = await api.another()
  const dead = await makeFirstOwnerLink(api.db, 'https://api.test', new Date())
  const link = await makeFirstOwnerLink(api.db, 'https://api.test', new Date())
  expect(link).toMatch(/^https:\/\/api\.test\/app\/welcome#token=[\w-]{43}$/)
  expect((await visitor().ask('GET /installation')).json).toMatchObject({ needs_owner: true })
  const claim = (base: string, token: string | null, no: number) =>
    openBrowser(() => base).ask('POST /first-owner', {
      token: tokenOf(token ?? ''),
      email: `first${no}@people.test`,
      name: 'Ann',
      password: PASSWORD,
      team_name: 'Renamed',
    })
  expect((await claim(api.url, dead, 0)).json.name).toBe('invalid_link')
  expect((await claim(api.url, `${link}x`, 0)).json.name).toBe('invalid_link')
  const claims = await Promise.all([0, 1, 2, 3].map((no) => claim(no % 2 === 0 ? api.url : url, link, no)))
  expect(claims.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410])
  const won = claims.find(({ status }) => status === 201)
  expect(won?.json.user).toMatchObject({ is_operator: true })
  expect(won?.json.teams).toMatchObject([{ id: teamId, name: 'Renamed', role: 'owner' }])
  expect(await api.db.query('select 1 from user_account')).toHaveLength(1)
  expect(await makeFirstOwnerLink(api.db, 'https://api.test', new Date())).toBeNull()
  // Nothing is computed for strangers any more.
  const late = await visitor().ask('POST /first-owner', {
    token: 'a-guess',
    email: 'late@people.test',
    name: 'Eve',
    password: 'short',
  })
  expect(late.status).toBe(410)
  expect((await visitor().ask('GET /installation')).json).toMatchObject({ needs_owner: false })
})

test('201 for a new person, once; the link is made from PUBLIC_URL, whatever the Host header says', async () => {
  const { ask } = await givenMember('owner')
  const email = 'Neu@Öl.test'
  const invited = await ask(
    'POST /team/invitations',
    { email, role: 'member' },
    { 'x-forwarded-host': 'evil.example' },
  )
  expect(invited.json).toMatchObject({
    email: 'neu@xn--l-0ga.test',
    role: 'member',
    status: 'pending',
    emailed: true,
  })
  expect(invited.json.link).toMatch(/^https:\/\/api\.test\/app\/invitation#token=[\w-]{43}$/)
  expect(mails.at(-1)?.text).toContain(invited.json.link)
  expect(mails.at(-1)?.html).toContain(`href="${invited.json.link}"`)
  expect((await ask('POST /team/invitations', { email, role: 'member' })).status).toBe(409)
  const token = tokenOf(invited.json.link)
  expect((await visitor().ask('POST /invitations/inspect', { token })).json).toMatchObject({
    team: { name: 'Renamed' },
    invited_by: 'Ann',
    has_account: false,
    role: 'member',
  })
  const given = { token, name: 'Neu', password: PASSWORD }
  const bad = await visitor().ask('POST /invitations/accept', {
    ...given,
    name: undefined,
    password: 'short',
  })
  expect(bad.status).toBe(422)
  const joins = await Promise.all([1, 2, 3].map(() => visitor().ask('POST /invitations/accept', given)))
  expect(joins.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(joins.filter(({ status }) => status === 409 || status === 410)).toHaveLength(2)
  expect((await visitor().ask('POST /invitations/inspect', { token })).json.name).toBe('invalid_link')
  expect((await ask('GET /audit?action=team.invitations.accept')).json.data).toMatchObject([
    { actor: { type: 'user', name: 'Neu' }, target_id: invited.json.id },
  ])
})

test('409 for a person with an account who is not logged in to it, then 200 with the team', async () => {
  const { ask } = await givenMember('owner')
  const known = await givenUser(api)
  const invited = await ask('POST /team/invitations', { email: known.email, role: 'viewer' })
  const token = tokenOf(invited.json.link)
  const mine = { token, name: 'x', password: 'a password of mine' }
  expect((await visitor().ask('POST /invitations/accept', mine)).status).toBe(409)
  const stranger = await givenBrowser(api, await givenUser(api))
  expect((await stranger.ask('POST /invitations/accept', { token })).status).toBe(409)
  const browser = await givenBrowser(api, known)
  const joined = await browser.ask('POST /invitations/accept', { token })
  expect(joined.json.teams).toMatchObject([{ id: teamId, role: 'viewer' }])
  expect((await browser.ask('POST /invitations/accept', { token })).status).toBe(410)
})

test('410 for an invitation that is an hour old, was resent or revoked, or whose inviter lost the right', async () => {
  const [owner, admin] = [await givenMember('owner'), await givenMember('admin')]
  let counter = 0
  const invite = async (from: typeof owner, role: Role) => {
    const reply = await from.ask('POST /team/invitations', { email: `inv${++counter}@people.test`, role })
    return { id: reply.json.id as string, token: tokenOf(reply.json.link) }
  }
  const follow = (token: string) =>
    visitor().ask('POST /invitations/accept', { token, name: 'x', password: PASSWORD })

  const old = await invite(owner, 'member')
  await api.db.query("update invitation set expires_at = expires_at - interval '1 hour' where id = $1", [
    old.id,
  ])
  expect((await owner.ask('GET /team/invitations')).json.data[0]).toMatchObject({
    id: old.id,
    status: 'expired',
  })
  expect((await follow(old.token)).status).toBe(410)
  const again = await owner.ask(`POST /team/invitations/${old.id}/resend`)
  expect(again.json).toMatchObject({ id: old.id, status: 'pending', emailed: true })
  expect((await follow(old.token)).status).toBe(410)

  const withdrawn = await invite(owner, 'member')
  expect((await owner.ask(`DELETE /team/invitations/${withdrawn.id}`)).json.deleted).toBe(true)
  expect((await follow(withdrawn.token)).status).toBe(410)

  const [asAdmin, asMember] = [await invite(admin, 'admin'), await invite(admin, 'member')]
  await api.db.query("update membership set role = 'member' where user_id = $1", [admin.id])
  expect((await follow(asAdmin.token)).status).toBe(410)
  await api.db.query("update membership set role = 'admin' where user_id = $1", [admin.id])
  await owner.ask(`PATCH /team/members/${admin.id}`, { role: 'viewer' })
  expect((await follow(asMember.token)).status).toBe(410)
  expect((await follow(tokenOf(again.json.link))).status).toBe(201)
})

test('429 for many guessed links from one network; valid links do not count', async () => {
  await api.db.query('delete from throttle')
  const owner = await givenMember('owner')
  const invited = await owner.ask('POST /team/invitations', { email: 'course@people.test', role: 'viewer' })
  const inspect = (token: string) => visitor().ask('POST /invitations/inspect', { token })
  const refusedOf = async (token: string) => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => inspect(token)))
    return replies.filter(({ status }) => status === 429).length
  }
  for (let time = 0; time < 35; time++)
    expect((await inspect(tokenOf(invited.json.link))).status, `time ${time}`).toBe(200)
  expect(await refusedOf('a-guess')).toBeGreaterThan(0)
  await api.db.query('delete from throttle')
})

test('chosen names are escaped and shortened in a mail', async () => {
  const { ask, id } = await givenMember('owner')
  const name = `<img src=x onerror=alert(1)>\r\nBcc: x@evil.example ${'buy '.repeat(100)}`
  await api.db.query('update user_account set name = $2 where id = $1', [id, name])
  await ask('POST /team/invitations', { email: 'html@people.test', role: 'viewer' })
  const { html, text, subject } = mails.at(-1) as AccountMail
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img')
  expect(text).not.toContain('\r')
  expect(text).not.toMatch(/(buy ){20}/)
  expect(subject).toBe('Join Renamed on Sendwright')
})
