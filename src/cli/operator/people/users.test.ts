import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../../test/support/api.ts'
import { runCommand } from '../../../../test/support/command.ts'
import { openBrowser, PASSWORD, tokenOf } from '../../../../test/support/people.ts'
import { findTexts } from '../../../../test/support/personal-data.ts'
import { invitationRoutes } from '../../../accounts/invitations/invitations-routes.ts'
import { createPasswords } from '../../../accounts/passwords/password-hash.ts'
import { gettingInRoutes } from '../../../accounts/people/getting-in-routes.ts'
import { sessionRoutes } from '../../../accounts/sessions/session-routes.ts'
import { singleSignOnRoutes } from '../../../accounts/single-sign-on/single-sign-on-routes.ts'

let folder: string
let api: Api

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-users-'))
  api = await startApi({
    routes: [...gettingInRoutes, ...invitationRoutes, ...sessionRoutes, ...singleSignOnRoutes],
    deps: {
      passwords: createPasswords(),
      sendAccountMail: async () => 'unsendable',
      oidc: null,
      secret: Buffer.alloc(32, 7),
    },
  })
  await api.givenTeam()
})
afterAll(async () => {
  await api.stop()
  rmSync(folder, { recursive: true })
})

function user(...args: string[]) {
  const given = { DATABASE_URL: api.databaseUrl, SENDWRIGHT_DATA_DIR: folder, PUBLIC_URL: 'https://api.test' }
  return runCommand(['user', ...args], { environment: given })
}

const visitor = () => openBrowser(() => api.url)

test('0 for every step from the first owner to her removal, after which none of her data remains', async () => {
  const { link } = (await user('first-owner')).json()
  const owner = visitor()
  const given = { token: tokenOf(link), email: 'ann@people.test', name: 'Ann Onymous', password: PASSWORD }
  expect((await owner.ask('POST /first-owner', given)).status).toBe(201)

  const [again, made, asked] = await Promise.all([
    user('first-owner'),
    user('invite', 'Bob@people.test', '--role', 'admin'),
    user('reset-password', 'ANN@people.test'),
  ])
  expect(again.code).toBe(1)
  const invited = made.json()
  expect(invited).toMatchObject({ object: 'invitation', email: 'bob@people.test', role: 'admin' })
  const bob = visitor()
  const joining = { token: tokenOf(invited.link), name: 'Bob', password: PASSWORD }
  expect((await bob.ask('POST /invitations/accept', joining)).json.teams).toMatchObject([{ role: 'admin' }])

  const [operator, refused] = await Promise.all([
    user('operator', 'bob@people.test'),
    user('remove', 'ann@people.test'),
  ])
  expect(operator.json()).toMatchObject({ is_operator: true })
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('last owner of the team')])
  expect((await user('list')).json()).toMatchObject([
    { email: 'ann@people.test', is_operator: true, teams: [{ role: 'owner' }] },
    { email: 'bob@people.test', is_operator: true, teams: [{ role: 'admin' }] },
  ])

  const reset = asked.json()
  expect(reset.link).toMatch(/^https:\/\/api\.test\/app\/reset#token=/)
  // Anybody may ask for a reset, which cannot be sent here. The link of the operator stays.
  await visitor().ask('POST /password-resets', { email: 'ann@people.test' })
  const links = () => api.db.query("select from account_link where kind = 'reset'")
  await expect.poll(links).toHaveLength(2)
  const redeemed = { token: tokenOf(reset.link), password: 'a later password' }
  expect((await visitor().ask('POST /password-resets/redeem', redeemed)).status).toBe(200)

  const login = (await user('login-link', 'Ann@people.test')).json()
  expect(login).toMatchObject({ object: 'login_link', email: 'ann@people.test' })
  const entered = await visitor().ask('POST /session/link', { token: tokenOf(login.link) })
  expect(entered.json).toMatchObject({ object: 'session', user: { email: 'ann@people.test' } })

  expect((await user('remove', 'ann@people.test', '--even-last-owner')).json()).toMatchObject({
    deleted: true,
  })
  expect(await findTexts(api.db, ['ann@people.test', 'Ann Onymous'])).toEqual([])
})
