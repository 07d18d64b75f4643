import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import {
  type Authenticator,
  createAuthenticator,
  type Deviations,
} from '../../../test/support/authenticator.ts'
import { type GivenUser, givenBrowser, givenUser } from '../../../test/support/browsing.ts'
import type { ApiReply } from '../../../test/support/client.ts'
import { type Browser, openBrowser } from '../../../test/support/people.ts'
import { newId } from '../../lib/ids.ts'
import { createPasswords } from '../passwords/password-hash.ts'
import { sessionRoutes } from '../sessions/session-routes.ts'
import { deleteUser } from '../users/users-queries.ts'
import { passkeyRoutes } from './passkeys-routes.ts'

const ORIGIN = 'https://mail.acme.test'
const MINUTE_MS = 60_000
const clock = { at: new Date('2026-03-01T12:00:10Z'), now: () => new Date(clock.at) }
const later = (ms: number) => {
  clock.at = new Date(clock.at.getTime() + ms)
}

let api: Api
beforeAll(async () => {
  api = await startApi({
    routes: [...sessionRoutes, ...passkeyRoutes],
    clock,
    environment: { PUBLIC_URL: ORIGIN },
    deps: { secret: Buffer.alloc(32, 7), passwords: createPasswords() },
  })
})
afterAll(() => api?.stop())

interface Person {
  user: GivenUser
  browser: Browser
  authenticator: Authenticator
  /** The passkey's own value. */
  id: string
}

async function logIn({ email, password }: GivenUser) {
  const browser = openBrowser(() => api.url)
  const reply = await browser.ask('POST /session', { email, password })
  return { browser, reply, challengeId: reply.json.challenge_id as string }
}

async function givenPerson(): Promise<Pick<Person, 'user' | 'browser'>> {
  const user = await givenUser(api)
  return { user, browser: await givenBrowser(api, user) }
}

async function register(
  browser: Browser,
  authenticator: Authenticator,
  deviations?: Deviations,
  name = 'Laptop',
) {
  const { options } = (await browser.ask('POST /account/passkeys/options')).json
  return browser.ask('POST /account/passkeys', { name, response: authenticator.create(options, deviations) })
}

async function givenPasskey(settings = {}): Promise<Person> {
  const person = await givenPerson()
  const authenticator = createAuthenticator(ORIGIN, settings)
  const made = await register(person.browser, authenticator)
  expect(made.status, made.text).toBe(201)
  return { ...person, authenticator, id: made.json.id }
}

/** Logs in with a passkey alone. */
async function logInAlone(authenticator: Authenticator, deviations?: Deviations): Promise<ApiReply> {
  const browser = openBrowser(() => api.url)
  const { challenge_id, options } = (await browser.ask('POST /session/passkey/options')).json
  return browser.ask('POST /session/passkey', {
    challenge_id,
    response: authenticator.get(options, deviations),
  })
}

/** Logs in with a password, then a passkey. */
async function logInSecond(user: GivenUser, authenticator: Authenticator, deviations?: Deviations) {
  const { browser, challengeId } = await logIn(user)
  const asked = await browser.ask('POST /session/passkey/options', { challenge_id: challengeId })
  const response = authenticator.get(asked.json.options, deviations)
  return { asked, reply: await browser.ask('POST /session/passkey', { challenge_id: challengeId, response }) }
}

describe('a passkey', () => {
  test('201 with recovery codes the first time; listed, renamed and deleted', async () => {
    const { user, browser } = await givenPerson()
    const asked = await browser.ask('POST /account/passkeys/options')
    expect(asked.json).toMatchObject({
      object: 'passkey_options',
      challenge_id: null,
      options: {
        rp: { id: 'mail.acme.test', name: 'Sendwright' },
        user: { name: user.email, displayName: 'Ann' },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        excludeCredentials: [],
      },
    })
    const first = createAuthenticator(ORIGIN)
    const response = first.create(asked.json.options)
    const made = await browser.ask('POST /account/passkeys', { name: 'Laptop', response })
    expect([made.status, made.json.recovery_codes.length]).toEqual([201, 10])
    const second = await register(browser, createAuthenticator(ORIGIN), {}, 'Key in the safe')
    expect([second.status, second.json.recovery_codes]).toEqual([201, null])

    const { data } = (await browser.ask('GET /account/passkeys')).json
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Key in the safe'])
    expect(data[0]).toMatchObject({
      transports: ['internal', 'hybrid'],
      is_backed_up: false,
      last_used_at: null,
    })
    const again = (await browser.ask('POST /account/passkeys/options')).json.options
    expect(again.excludeCredentials[0].id).toBe(first.credentialId)

    const path = `/account/passkeys/${made.json.id}`
    expect((await browser.ask(`PATCH ${path}`, { name: 'Old laptop' })).json.name).toBe('Old laptop')
    expect((await browser.ask('GET /session')).json.user).toMatchObject({
      passkey_count: 2,
      recovery_codes_left: 10,
    })
    expect((await browser.ask(`DELETE ${path}`)).json).toEqual({
      object: 'passkey',
      id: made.json.id,
      deleted: true,
    })
    expect((await logInAlone(first)).json.name).toBe('invalid_code')
    expect((await browser.ask(`DELETE /account/passkeys/${second.json.id}`)).status).toBe(200)
    expect((await browser.ask('GET /session')).json.user).toMatchObject({
      passkey_count: 0,
      recovery_codes_left: 0,
    })
    expect((await logIn(user)).reply.status).toBe(201)
  })

  test('202 for the password, then 201 for the passkey without user verification', async () => {
    const { user, authenticator, browser } = await givenPasskey()
    expect((await logIn(user)).reply.json.methods).toEqual(['passkey', 'recovery_code'])
    const { asked, reply } = await logInSecond(user, authenticator, { isVerified: false, userHandle: null })
    expect(asked.json.options).toMatchObject({
      rpId: 'mail.acme.test',
      userVerification: 'preferred',
      allowCredentials: [
        { type: 'public-key', id: authenticator.credentialId, transports: ['internal', 'hybrid'] },
      ],
    })
    expect([reply.status, reply.json.object]).toEqual([201, 'session'])
    const { data } = (await browser.ask('GET /account/passkeys')).json
    expect(data[0].last_used_at).toBe('2026-03-01 12:00:10')
  })

  test('201 without a password if the passkey verifies the person; 401 if not, or without a user handle', async () => {
    const { authenticator, user } = await givenPasskey()
    const browser = openBrowser(() => api.url)
    const { challenge_id, options } = (await browser.ask('POST /session/passkey/options')).json
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required' })
    const response = authenticator.get(options)
    expect((await browser.ask('POST /session/passkey', { challenge_id, response })).status).toBe(201)
    expect((await browser.ask('GET /session')).json.user.email).toBe(user.email)
    for (const deviations of [
      { isVerified: false },
      { userHandle: null },
      { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
    ])
      expect((await logInAlone(authenticator, deviations)).json.name).toBe('invalid_code')
  })

  test('201 each time from an authenticator that does not count', async () => {
    const { authenticator } = await givenPasskey({ counts: false })
    for (let time = 0; time < 3; time++) expect((await logInAlone(authenticator)).status).toBe(201)
  })
})

describe('401', () => {
  test('for another origin, host or type, a frame, no user presence, and any other signature', async () => {
    const { authenticator } = await givenPasskey()
    const stranger = createAuthenticator(ORIGIN)
    const wrong: Deviations[] = [
      { origin: 'https://mail.acme.test.evil.test' },
      { origin: 'http://mail.acme.test' },
      { origin: 'https://acme.test' },
      { rpId: 'acme.test' },
      { type: 'webauthn.create' },
      { crossOrigin: true },
      { isPresent: false },
    ]
    for (const deviations of wrong) {
      const reply = await logInAlone(authenticator, deviations)
      expect([reply.status, reply.json.name, reply.headers.get('set-cookie')]).toEqual([
        401,
        'invalid_code',
        null,
      ])
    }
    const lent = { credentialId: authenticator.credentialId, userHandle: '' }
    expect((await logInAlone(stranger, lent)).status).toBe(401)
    expect((await logInAlone(authenticator)).status).toBe(201)
  })

  test('for an answer that was used before, even from an authenticator that does not count, twenty at a time', async () => {
    const { authenticator } = await givenPasskey({ counts: false })
    const browser = openBrowser(() => api.url)
    const { challenge_id, options } = (await browser.ask('POST /session/passkey/options')).json
    const response = authenticator.get(options)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        openBrowser(() => api.url).ask('POST /session/passkey', { challenge_id, response }),
      ),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test('for a challenge that is five minutes old, has another purpose, or is not ours', async () => {
    const { authenticator, browser, user } = await givenPasskey()
    const page = openBrowser(() => api.url)
    const { challenge_id, options } = (await page.ask('POST /session/passkey/options')).json
    const bring = (id: string, deviations?: Deviations) =>
      page.ask('POST /session/passkey', {
        challenge_id: id,
        response: authenticator.get(options, deviations),
      })
    expect((await bring(newId())).status).toBe(401)
    const registration = (await browser.ask('POST /account/passkeys/options')).json.options
    const half = await logIn(user)
    const second = (
      await half.browser.ask('POST /session/passkey/options', { challenge_id: half.challengeId })
    ).json
    for (const challenge of [registration.challenge, second.options.challenge, 'AAAA', ''])
      expect((await bring(challenge_id, { challenge })).status).toBe(401)
    later(5 * MINUTE_MS)
    expect((await bring(challenge_id)).status).toBe(401)
  })

  test('for a copy, because its counter is behind', async () => {
    const { authenticator } = await givenPasskey()
    expect((await logInAlone(authenticator)).status).toBe(201)
    const copy = authenticator.copy()
    expect((await logInAlone(copy)).status).toBe(201)
    expect((await logInAlone(authenticator)).json.name).toBe('invalid_code')
  })

  test('for another user’s passkey as the second step of a login', async () => {
    const ann = await givenPasskey()
    const bob = await givenPasskey()
    const { reply } = await logInSecond(ann.user, bob.authenticator)
    expect([reply.status, reply.json.name]).toEqual([401, 'invalid_code'])
    expect((await logInSecond(ann.user, ann.authenticator)).reply.status).toBe(201)
  })

  test('for a deleted user, and for an unknown login', async () => {
    const { user, authenticator } = await givenPasskey()
    await api.db.transaction((tx) => deleteUser(tx, user.id))
    expect((await logInAlone(authenticator)).status).toBe(401)
    const unknown = await openBrowser(() => api.url).ask('POST /session/passkey/options', {
      challenge_id: newId(),
    })
    expect([unknown.status, unknown.json.name]).toEqual([401, 'login_expired'])
  })
})

describe('rejected', () => {
  test('422 for another origin, host or type, for another user’s challenge, and for one that was answered', async () => {
    const { browser } = await givenPerson()
    const bob = await givenPerson()
    for (const deviations of [
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { type: 'webauthn.get' },
      { crossOrigin: true },
      { isPresent: false },
      { challenge: (await bob.browser.ask('POST /account/passkeys/options')).json.options.challenge },
    ]) {
      const reply = await register(browser, createAuthenticator(ORIGIN), deviations)
      expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ['response']])
    }
    const { options } = (await browser.ask('POST /account/passkeys/options')).json
    const add = () =>
      browser.ask('POST /account/passkeys', {
        name: 'x',
        response: createAuthenticator(ORIGIN).create(options),
      })
    expect((await add()).status).toBe(201)
    expect((await add()).status).toBe(422)
  })

  test('422 for an attestation with a certificate, whose addresses the library would fetch', async () => {
    const { browser } = await givenPerson()
    // { alg: -7, sig: h'00', x5c: [h'00'] }
    const statement = Buffer.from('a363616c672663736967410063783563814100', 'hex')
    for (const format of ['packed', 'fido-u2f', 'tpm', 'apple']) {
      const attestation = { format, statement }
      expect((await register(browser, createAuthenticator(ORIGIN), { attestation })).status).toBe(422)
    }
  })

  test('409 for a passkey that another user has, and for the twenty-first', async () => {
    const { browser, authenticator } = await givenPasskey()
    expect((await register(browser, authenticator)).status).toBe(409)
    expect((await register((await givenPerson()).browser, authenticator)).status).toBe(409)
    const asked = await Promise.all(
      Array.from({ length: 25 }, () =>
        browser.ask('POST /account/passkeys/options').then(({ json }) => json.options),
      ),
    )
    const replies = await Promise.all(
      asked.map((options) =>
        browser.ask('POST /account/passkeys', {
          name: 'x',
          response: createAuthenticator(ORIGIN).create(options),
        }),
      ),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(19)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(6)
    expect((await browser.ask('POST /account/passkeys/options')).status).toBe(409)
  })

  test('403 a quarter of an hour after the login unless the password is given, also to delete one', async () => {
    const { user, browser, id } = await givenPasskey()
    later(15 * MINUTE_MS)
    expect((await browser.ask('POST /account/passkeys/options')).json.name).toBe('recent_login_required')
    expect((await browser.ask(`DELETE /account/passkeys/${id}`)).json.name).toBe('recent_login_required')
    expect((await browser.ask('POST /account/passkeys/options', { password: user.password })).status).toBe(
      200,
    )
    expect((await browser.ask(`DELETE /account/passkeys/${id}`, { password: 'nonsense!!' })).status).toBe(422)
    expect((await browser.ask(`DELETE /account/passkeys/${id}`, { password: user.password })).status).toBe(
      200,
    )
  })
})

test('404 for another user’s passkey, byte for byte the same as for an unknown one', async () => {
  const ann = await givenPasskey()
  const { browser } = await givenPerson()
  for (const ask of [
    (id: string) => browser.ask(`PATCH /account/passkeys/${id}`, { name: 'mine' }),
    (id: string) => browser.ask(`DELETE /account/passkeys/${id}`),
  ]) {
    const [foreign, unknown] = [await ask(ann.id), await ask(newId())]
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  }
  expect((await ann.browser.ask('GET /account/passkeys')).json.data[0].name).toBe('Laptop')
})

test('422 for malformed answers, never 500', async () => {
  const { browser, authenticator } = await givenPasskey()
  const { challenge_id, options } = (await browser.ask('POST /session/passkey/options')).json
  const good = authenticator.get(options) as { response: object }
  const e30 = Buffer.from('{}').toString('base64url')
  for (const clientDataJSON of [
    'AAAA',
    e30,
    Buffer.from('null').toString('base64url'),
    Buffer.from('[1]').toString('base64url'),
  ]) {
    const response = { ...good, response: { ...good.response, clientDataJSON } }
    expect((await browser.ask('POST /session/passkey', { challenge_id, response })).status).toBe(401)
    const made = authenticator.create(options) as { response: object }
    const registration = { ...made, response: { ...made.response, clientDataJSON } }
    expect((await browser.ask('POST /account/passkeys', { name: 'x', response: registration })).status).toBe(
      422,
    )
  }
  for (const response of [
    {},
    { ...good, id: '' },
    { ...good, id: 'a'.repeat(2000) },
    { ...good, response: null },
  ])
    expect((await browser.ask('POST /session/passkey', { challenge_id, response })).status).toBe(422)
  const deep = Buffer.alloc(6000, 0x81).toString('base64url')
  const made = authenticator.create((await browser.ask('POST /account/passkeys/options')).json.options) as {
    response: object
  }
  for (const attestationObject of [deep, 'oA', 'AAAA', Buffer.alloc(6000, 0xff).toString('base64url')]) {
    const response = { ...made, response: { ...made.response, attestationObject } }
    expect((await browser.ask('POST /account/passkeys', { name: 'x', response })).status).toBe(422)
  }
})
