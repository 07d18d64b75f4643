import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { type Authenticator, createAuthenticator } from '../../../test/support/authenticator.ts'
import { type GivenUser, givenBrowser, givenUser } from '../../../test/support/browsing.ts'
import { type Browser, openBrowser } from '../../../test/support/people.ts'
import { insertMembership } from '../../access/memberships-queries.ts'
import { newId } from '../../lib/ids.ts'
import { createPasswords } from '../passwords/password-hash.ts'
import { setPassword } from '../people/set-password.ts'
import { sessionRoutes } from '../sessions/session-routes.ts'
import { logInWithClaims } from '../single-sign-on/log-in-with-claims.ts'
import { passkeyRoutes } from './passkeys-routes.ts'

const ORIGIN = 'https://mail.acme.test'
const ISSUER = 'https://login.acme.test'
const passwords = createPasswords()

/** Has no provider: single sign-on is off again. */
let api: Api
let teamId: string
beforeAll(async () => {
  api = await startApi({
    routes: [...sessionRoutes, ...passkeyRoutes],
    environment: { PUBLIC_URL: ORIGIN },
    deps: { secret: Buffer.alloc(32, 7), passwords },
  })
  teamId = (await api.givenTeam()).id
})
afterAll(() => api?.stop())

async function requestCreation(browser: Browser) {
  const authenticator = createAuthenticator(ORIGIN)
  const { options } = (await browser.ask('POST /account/passkeys/options')).json
  return { authenticator, body: { name: 'Laptop', response: authenticator.create(options) } }
}

async function addPasskey(user: GivenUser): Promise<Authenticator> {
  const browser = await givenBrowser(api, user)
  const { authenticator, body } = await requestCreation(browser)
  expect((await browser.ask('POST /account/passkeys', body)).status).toBe(201)
  return authenticator
}

/** Logs in with single sign-on for the first time. */
async function link({ id: userId, email }: GivenUser): Promise<void> {
  const now = new Date()
  const membership = { teamId, userId, role: 'viewer', createdAt: now, updatedAt: now } as const
  await api.db.transaction((tx) => insertMembership(tx, membership))
  const deps = {
    ...api.deps,
    forgetAccess: () => {},
    config: { ...api.deps.config, oidcDomains: ['people.test'] },
  }
  const claims = { sub: userId, email, email_verified: true }
  const browser = { ipAddress: '192.0.2.7', userAgent: null }
  await logInWithClaims(deps, { issuer: ISSUER, claims, browser, requestId: newId() })
}

async function answer(browser: Browser, authenticator: Authenticator, challengeId?: string) {
  const { json } = await browser.ask('POST /session/passkey/options', { challenge_id: challengeId })
  const response = authenticator.get(json.options)
  const { status, json: answered } = await browser.ask('POST /session/passkey', {
    challenge_id: json.challenge_id,
    response,
  })
  return { status, name: answered.name }
}

const logInAlone = (authenticator: Authenticator, url = api.url) =>
  answer(
    openBrowser(() => url),
    authenticator,
  )

/** Sets the password as a reset does, then logs in with it and the passkey. */
async function logInSecond({ id: userId, email, password }: GivenUser, authenticator: Authenticator) {
  const given = { userId, passwordHash: await passwords.hash(password), keptSessionId: null }
  await api.db.transaction((tx) => setPassword(tx, given, new Date()))
  const browser = openBrowser(() => api.url)
  const { json } = await browser.ask('POST /session', { email, password })
  return answer(browser, authenticator, json.challenge_id)
}

test('403 alone while single sign-on is on; the passkey stays a second factor', async () => {
  const user = await givenUser(api)
  const authenticator = await addPasskey(user)
  await link(user)
  const { url } = await api.another({ oidcIssuer: ISSUER })
  expect(await logInAlone(authenticator, url)).toEqual({ status: 403, name: 'password_login_off' })
  expect((await logInSecond(user, authenticator)).status).toBe(201)
})

test('201 alone when single sign-on is off again; 403 for a passkey that is older than the link', async () => {
  const user = await givenUser(api)
  const older = await addPasskey(user)
  await link(user)
  const younger = await addPasskey(user)
  expect((await logInAlone(younger)).status).toBe(201)
  expect(await logInAlone(older)).toEqual({ status: 403, name: 'password_login_off' })
  expect((await logInSecond(user, older)).status).toBe(201)
  expect((await logInAlone(older)).status).toBe(403)
})

test('401 to add a passkey with a session that has just ended', async () => {
  const user = await givenUser(api)
  const browser = await givenBrowser(api, user)
  const { body } = await requestCreation(browser)
  // This process knows the session until it hears of the change.
  await api.db.query('delete from session where user_id = $1', [user.id])
  const reply = await browser.ask('POST /account/passkeys', body)
  expect([reply.status, reply.json.name]).toEqual([401, 'not_logged_in'])
  expect(await api.db.query('select 1 from passkey where user_id = $1', [user.id])).toEqual([])
})
