import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMembership, insertMembership } from '../../src/access/memberships-queries.ts'
import { insertInvitation } from '../../src/accounts/invitations/invitations-queries.ts'
import { makeResetLink } from '../../src/accounts/people/resets.ts'
import { admitSilently } from '../../src/accounts/sessions/login-attempts.ts'
import { makeLoginLink } from '../../src/accounts/single-sign-on/login-links.ts'
import { findUserByEmail } from '../../src/accounts/users/users-queries.ts'
import { newToken } from '../../src/lib/crypto/random-token.ts'
import { newId } from '../../src/lib/ids.ts'
import { type GivenUser, givenBrowser, givenUser, givenWhole } from '../support/browsing.ts'
import { CLIENT, startOidcProvider, type TestOidcProvider } from '../support/oidc-provider.ts'
import { openBrowser, PASSWORD, tokenOf } from '../support/people.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { readBase32, totpCode } from '../support/totp.ts'

/** Logins at a real OpenID provider (oidc-provider), followed by fetch as a browser does. */
const PUBLIC_URL = 'http://sendwright.test'
const HOURS_12_MS = 12 * 3_600_000

let provider: TestOidcProvider
let sendwright: TestSendwright
/** The oldest team, for groups without a team. */
let team: string
let other: string

const environment = () => ({
  PUBLIC_URL,
  SENDWRIGHT_DELIVERY: 'capture',
  SENDWRIGHT_OIDC_ISSUER: provider.issuer,
  SENDWRIGHT_OIDC_CLIENT_ID: CLIENT.id,
  SENDWRIGHT_OIDC_CLIENT_SECRET: CLIENT.secret,
  SENDWRIGHT_OIDC_SCOPES: 'openid email profile groups',
  SENDWRIGHT_OIDC_LABEL: 'Acme ID',
  SENDWRIGHT_OIDC_DOMAINS: 'people.test',
  SENDWRIGHT_OIDC_ROLES: 'staff=viewer;CN=Mail,OU=IT=admin;bosses=owner',
})

beforeAll(async () => {
  provider = await startOidcProvider()
  provider.register(`${PUBLIC_URL}/oidc/callback`)
  sendwright = await startTestSendwright({ environment: environment(), roles: ['api'] })
  team = (await sendwright.db.query<{ id: string }>('select id from team order by id limit 1'))[0]?.id ?? ''
  other = (await sendwright.givenTeam()).id
})
afterAll(async () => {
  await sendwright?.stop()
  await provider?.stop()
})

/** Describes a person at the provider, with an address and groups. */
function givenPerson(subject: string, claims: Record<string, unknown>): void {
  const all = { email: `${subject}@people.test`, email_verified: true, name: `Ms ${subject}`, ...claims }
  provider.people.set(subject, all)
}

/** Starts a login. Returns the URL at the provider and the cookie of the browser. */
async function start(next = '') {
  const response = await fetch(`${sendwright.url}/session/oidc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ next }),
  })
  const [set = ''] = response.headers.getSetCookie()
  return {
    status: response.status,
    set,
    cookie: set.split(';')[0] ?? '',
    json: (await response.json()) as { url: string },
  }
}

/** Follows the provider back to Sendwright. Returns where that leads, and the cookie of the session. */
async function finish(callback: URL, cookie: string) {
  const response = await fetch(`${sendwright.url}${callback.pathname}${callback.search}`, {
    redirect: 'manual',
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  })
  const cookies = response.headers.getSetCookie()
  const session = cookies.find((each) => each.startsWith('sendwright_session='))
  const location = new URL(response.headers.get('location') ?? '', PUBLIC_URL)
  return { status: response.status, location, cookies, session: session?.split(';')[0] ?? null }
}

async function logIn(subject: string, next = '') {
  const { json, cookie } = await start(next)
  return finish(await provider.logIn(json.url, subject), cookie)
}

const noticeOf = ({ location }: { location: URL }) => location.searchParams.get('notice')
const roleOf = async (email: string, teamId = team) => {
  const user = await findUserByEmail(sendwright.db, email)
  return user === null ? null : ((await findMembership(sendwright.db, teamId, user.id))?.role ?? null)
}
const sessionOf = (cookie: string | null) => openBrowser(() => sendwright.url, cookie).ask('GET /session')

/** Returns the token of an invitation to the oldest team. */
async function givenInvitation(email: string): Promise<string> {
  const { token, hash } = newToken()
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) }
  const invitation = { teamId: team, id: newId(), email, role: 'viewer' as const, invitedBy: null, ...times }
  await sendwright.db.transaction((tx) => insertInvitation(tx, invitation, hash))
  return token
}

describe('a person without a user', () => {
  test('becomes a user with the role of a group, and is logged in for twelve hours', async () => {
    givenPerson('nora', { groups: ['other', 'CN=Mail,OU=IT', 'staff'], name: 'No\u0000ra' })
    const done = await logIn('nora', '/app/usage')
    expect([done.status, done.location.pathname]).toEqual([303, '/app/login'])
    expect(done.location.searchParams.get('next')).toBe('/app/usage')
    const { json } = await sessionOf(done.session)
    expect(json).toMatchObject({
      user: { email: 'nora@people.test', name: 'No\\x00ra', has_password: false, is_operator: false },
      teams: [{ id: team, role: 'admin' }],
    })
    const rows = await sendwright.db.query<{ ms: number }>(
      `select extract(epoch from expires_at - created_at) * 1000 as ms from session where id = $1`,
      [json.id],
    )
    expect(Number(rows[0]?.ms)).toBe(HOURS_12_MS)
    const own = openBrowser(() => sendwright.url, done.session).inTeam(team)
    expect((await own('GET /audit?action=team.members.create')).json.data).toMatchObject([
      { actor: { type: 'user', id: json.user.id }, target_id: json.user.id, fields: ['sso_groups'] },
    ])
  })

  test('is rejected, and gets no user, when the only team of the groups is deleted', async () => {
    const roles = `staff=viewer@${newId()}`
    await sendwright.restart({ SENDWRIGHT_OIDC_ROLES: roles })
    givenPerson('otto', { groups: ['staff'] })
    expect(noticeOf(await logIn('otto'))).toBe('sso_no_access')
    expect(await findUserByEmail(sendwright.db, 'otto@people.test')).toBeNull()
    await sendwright.restart(environment())
  })

  test('is rejected without a group that has a role', async () => {
    givenPerson('nobody', { groups: ['other'] })
    expect(noticeOf(await logIn('nobody'))).toBe('sso_no_access')
    expect(await findUserByEmail(sendwright.db, 'nobody@people.test')).toBeNull()
  })

  test.each([
    ['an unverified address', { email_verified: false }],
    ['an address verified in text', { email_verified: 'true' }],
    ['an address of another domain', { email: 'eve@elsewhere.test' }],
    ['an address of a subdomain', { email: 'eve@sub.people.test' }],
    ['no address', { email: undefined }],
  ])('is rejected with %s', async (_, claims) => {
    givenPerson('eve', { groups: ['staff'], ...claims })
    expect(noticeOf(await logIn('eve'))).toBe('sso_no_address')
    expect(await findUserByEmail(sendwright.db, 'eve@people.test')).toBeNull()
  })

  test('becomes one user, by two simultaneous logins', async () => {
    givenPerson('twin', { groups: ['staff'] })
    const done = await Promise.all([logIn('twin'), logIn('twin')])
    const ids = await Promise.all(done.map(async ({ session }) => (await sessionOf(session)).json.user.id))
    expect(ids[0]).toBe(ids[1])
  })
})

describe('a person with a user', () => {
  let user: GivenUser
  const given = () => givenWhole(sendwright)
  const join = async (role: 'owner' | 'member', teamId = team) => {
    const now = new Date()
    const membership = { teamId, userId: user.id, role, createdAt: now, updatedAt: now }
    await sendwright.db.transaction((tx) => insertMembership(tx, membership))
  }

  test('keeps the role that people gave, and is known by the subject from then on', async () => {
    user = await givenUser(given(), 'olga@people.test')
    await join('member')
    givenPerson('olga', { groups: ['staff'] })
    expect((await sessionOf((await logIn('olga')).session)).json.user.id).toBe(user.id)
    expect(await roleOf('olga@people.test')).toBe('member')
    givenPerson('olga', { groups: [], email: 'renamed@people.test', email_verified: false })
    expect((await sessionOf((await logIn('olga')).session)).json.user).toMatchObject({ id: user.id })
  })

  test('loses earlier access when its owner logs in: password, sessions and links no longer work', async () => {
    // Made with the link of an invitation, by a person who does not own the address.
    user = await givenUser(given(), 'ceo@people.test')
    await join('member', other)
    const earlier = await givenBrowser(given(), user)
    const reset = tokenOf(await makeResetLink(sendwright.db, user.id, PUBLIC_URL, new Date()))
    givenPerson('ceo', { groups: ['CN=Mail,OU=IT'] })
    expect((await logIn('ceo')).session).not.toBeNull()
    expect(await roleOf('ceo@people.test')).toBe('admin')
    expect((await earlier.ask('GET /session')).status).toBe(401)
    const ask = openBrowser(() => sendwright.url).ask
    expect((await ask('POST /session', { email: user.email, password: PASSWORD })).status).toBe(401)
    const redeemed = await ask('POST /password-resets/redeem', { token: reset, password: `${PASSWORD}!` })
    expect(redeemed.status).toBe(410)
    // A later login is no link: it leaves a password that the person has set since.
    const again = tokenOf(await makeResetLink(sendwright.db, user.id, PUBLIC_URL, new Date()))
    await ask('POST /password-resets/redeem', { token: again, password: `${PASSWORD}!` })
    await logIn('ceo')
    expect((await ask('POST /session', { email: user.email, password: `${PASSWORD}!` })).status).toBe(201)
  })

  test('is not taken over by another person with the same address', async () => {
    givenPerson('thief', { email: 'olga@people.test', groups: ['bosses'] })
    expect(noticeOf(await logIn('thief'))).toBe('sso_taken')
    expect(await roleOf('olga@people.test')).toBe('member')
  })

  test('must pass the second factor, and the session is as short as without one', async () => {
    user = await givenUser(given(), 'tess@people.test')
    await join('member', other)
    const browser = await givenBrowser(given(), user)
    const { secret } = (await browser.ask('POST /account/totp')).json
    const code = totpCode(readBase32(secret), new Date())
    expect((await browser.ask('POST /account/totp/confirm', { code })).status).toBe(200)
    givenPerson('tess', { groups: ['staff'] })
    const done = await logIn('tess')
    expect(done.session).toBeNull()
    const fragment = new URLSearchParams(done.location.hash.slice(1))
    expect(fragment.get('methods')).toContain('totp')
    const next = totpCode(readBase32(secret), new Date(Date.now() + 30_000))
    const finished = await openBrowser(() => sendwright.url).ask('POST /session/second-factor', {
      challenge_id: fragment.get('challenge'),
      code: next,
    })
    expect(finished.status).toBe(201)
    const rows = await sendwright.db.query<{ ms: number }>(
      `select extract(epoch from expires_at - created_at) * 1000 as ms from session where id = $1`,
      [finished.json.id],
    )
    expect(Number(rows[0]?.ms)).toBe(HOURS_12_MS)
  })

  test('gets the roles of changed groups at the next login, and loses those of groups left', async () => {
    givenPerson('rita', { groups: ['staff'] })
    const first = await logIn('rita')
    expect(await roleOf('rita@people.test')).toBe('viewer')
    givenPerson('rita', { groups: ['CN=Mail,OU=IT'] })
    await logIn('rita')
    expect(await roleOf('rita@people.test')).toBe('admin')
    givenPerson('rita', { groups: [] })
    expect(noticeOf(await logIn('rita'))).toBe('sso_no_access')
    expect(await roleOf('rita@people.test')).toBeNull()
    // The session of the first login has no team any more.
    expect((await sessionOf(first.session)).json.teams).toEqual([])
  })

  test('stays the last owner of a team, whatever the groups are', async () => {
    const own = (await sendwright.givenTeam()).id
    await sendwright.restart({ SENDWRIGHT_OIDC_ROLES: `bosses=owner@${own};staff=viewer` })
    givenPerson('bea', { groups: ['bosses'] })
    await logIn('bea')
    expect(await roleOf('bea@people.test', own)).toBe('owner')
    givenPerson('bea', { groups: [] })
    await logIn('bea')
    expect(await roleOf('bea@people.test', own)).toBe('owner')
    await sendwright.restart(environment())
  })
})

describe('a forged or broken login', () => {
  beforeAll(() => givenPerson('mary', { groups: ['staff'] }))

  test('is rejected from a browser that has not started it, or has started another', async () => {
    const { json } = await start()
    const callback = await provider.logIn(json.url, 'mary')
    expect(noticeOf(await finish(callback, ''))).toBe('sso_expired')
    const strange = await start()
    expect(noticeOf(await finish(callback, strange.cookie))).toBe('sso_failed')
    const changed = `${strange.cookie.slice(0, -2)}xx`
    expect(noticeOf(await finish(callback, changed))).toBe('sso_expired')
    expect(noticeOf(await finish(callback, `${strange.cookie}; ${strange.cookie}`))).toBe('sso_expired')
  })

  test('is rejected with a code that was used, and with a code of another login', async () => {
    const { json, cookie } = await start()
    const callback = await provider.logIn(json.url, 'mary')
    expect((await finish(callback, cookie)).session).not.toBeNull()
    expect(noticeOf(await finish(callback, cookie))).toBe('sso_failed')
    const [one, two] = [await start(), await start()]
    const swapped = await provider.logIn(one.json.url, 'mary')
    const mine = await provider.logIn(two.json.url, 'mary')
    mine.searchParams.set('code', swapped.searchParams.get('code') ?? '')
    expect(noticeOf(await finish(mine, two.cookie))).toBe('sso_failed')
    const foreign = new URL(mine)
    foreign.searchParams.set('iss', 'https://evil.example')
    expect(noticeOf(await finish(foreign, two.cookie))).toBe('sso_failed')
  })

  test('redirects to the login page when the person cancels', async () => {
    const { json, cookie } = await start()
    const done = await finish(await provider.cancel(json.url), cookie)
    expect(noticeOf(done)).toBe('sso_denied')
    expect(done.cookies.join()).toContain('sendwright_sso=; Path=/; Max-Age=0')
  })

  test('403 to start it from another site; the cookie is for this browser and its scripts cannot read it', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const reply = await openBrowser(() => sendwright.url).ask('POST /session/oidc', {}, headers)
    expect(reply.status).toBe(403)
    const { set, json } = await start()
    expect(set).toMatch(/; HttpOnly; SameSite=Lax$/)
    const { searchParams } = new URL(json.url)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/oidc/callback`)
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)?.length).toBeGreaterThan(20)
  })
})

test('is rejected when the ID token is forged, although it came from the right address', async () => {
  provider.forge = (claims) => ({ ...claims, email: 'ann@people.test', email_verified: true })
  expect(noticeOf(await logIn('mary'))).toBe('sso_failed')
  provider.forge = null
  expect((await logIn('mary')).session).not.toBeNull()
})

test('people can log in where hundreds only began to; too many are rejected before the provider is called', async () => {
  await sendwright.db.query('update throttle set tries = 199')
  for (let count = 0; count < 2; count++) expect((await logIn('mary')).session).not.toBeNull()
  const { cookie } = await start()
  for (const what of ['single_sign_on', 'single_sign_on_end'] as const)
    while (await admitSilently(sendwright.db, { what, ipAddress: '127.0.0.1', account: '' }, new Date())) {}
  const callback = new URL(`${PUBLIC_URL}/oidc/callback?code=guessed&state=guessed`)
  expect(noticeOf(await finish(callback, cookie))).toBe('sso_limited')
  expect((await start()).status).toBe(429)
  await sendwright.db.query('delete from throttle')
})

// The tests below restart with settings of their own, each with all others as at first.

test('503 for a provider whose issuer is not the configured one', async () => {
  await sendwright.restart({ SENDWRIGHT_OIDC_ISSUER: `${provider.issuer}/` })
  expect((await start()).status).toBe(503)
})

test('login works with a provider that accepts the secret only in a header', async () => {
  const strict = await startOidcProvider()
  strict.register(`${PUBLIC_URL}/oidc/callback`, 'client_secret_basic')
  strict.people.set('hana', { email: 'hana@people.test', email_verified: true, groups: ['staff'] })
  await sendwright.restart({ SENDWRIGHT_OIDC_ISSUER: strict.issuer })
  const { json, cookie } = await start()
  expect((await finish(await strict.logIn(json.url, 'hana'), cookie)).session).not.toBeNull()
  await strict.stop()
})

test('503 while the provider is unavailable; passwords still work', async () => {
  await sendwright.restart({ SENDWRIGHT_OIDC_ISSUER: 'http://127.0.0.1:1' })
  expect((await start()).status).toBe(503)
  const user = await givenUser(givenWhole(sendwright))
  const login = { email: user.email, password: PASSWORD }
  expect((await openBrowser(() => sendwright.url).ask('POST /session', login)).status).toBe(201)
})

describe('without passwords', () => {
  beforeAll(() => sendwright.restart({ SENDWRIGHT_PASSWORD_LOGIN: 'off' }))

  test('403 for passwords, resets and passkeys; single sign-on works', async () => {
    const user = await givenUser(givenWhole(sendwright))
    const browser = openBrowser(() => sendwright.url)
    const reset = tokenOf(await makeResetLink(sendwright.db, user.id, PUBLIC_URL, new Date()))
    const invited = await givenInvitation('guest@elsewhere.test')
    for (const [path, body] of [
      ['/session', { email: user.email, password: PASSWORD }],
      ['/password-resets', { email: user.email }],
      ['/password-resets/redeem', { token: reset, password: PASSWORD }],
      ['/invitations/accept', { token: invited, name: 'Ann', password: PASSWORD }],
      ['/session/passkey/options', {}],
    ] as const) {
      const { status, json } = await browser.ask(`POST ${path}`, body)
      expect([path, status, json.name]).toEqual([path, 403, 'password_login_off'])
    }
    expect((await browser.ask('GET /installation')).json).toMatchObject({
      password_login: false,
      single_sign_on: 'Acme ID',
    })
    givenPerson('sam', { groups: ['staff'] })
    expect((await logIn('sam')).session).not.toBeNull()
  })

  test('201 with a link of the command line, once', async () => {
    const user = await givenUser(givenWhole(sendwright))
    const link = await makeLoginLink(sendwright.db, user.id, PUBLIC_URL, new Date())
    expect(link).toMatch(/^http:\/\/sendwright\.test\/app\/enter#token=/)
    const ask = () => openBrowser(() => sendwright.url).ask('POST /session/link', { token: tokenOf(link) })
    expect((await ask()).json).toMatchObject({ object: 'session', user: { id: user.id } })
    expect((await ask()).status).toBe(410)
  })
})

test('404 without a provider', async () => {
  const plain = await startTestSendwright({ roles: ['api'], environment: { SENDWRIGHT_DELIVERY: 'capture' } })
  const browser = openBrowser(() => plain.url)
  expect((await browser.ask('POST /session/oidc', {})).status).toBe(404)
  expect((await browser.ask('GET /oidc/callback?code=a&state=b')).status).toBe(404)
  expect((await browser.ask('GET /installation')).json).toMatchObject({
    password_login: true,
    single_sign_on: null,
  })
  await plain.stop()
})
