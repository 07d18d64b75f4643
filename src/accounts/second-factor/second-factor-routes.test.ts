import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { type GivenUser, givenBrowser, givenUser } from '../../../test/support/browsing.ts'
import { type Browser, openBrowser, tokenOf } from '../../../test/support/people.ts'
import { readBase32, totpCode } from '../../../test/support/totp.ts'
import { openDb } from '../../db/db.ts'
import { createPasswords } from '../passwords/password-hash.ts'
import { gettingInRoutes } from '../people/getting-in-routes.ts'
import { makeResetLink } from '../people/resets.ts'
import { sessionRoutes } from '../sessions/session-routes.ts'
import { secondFactorRoutes } from './second-factor-routes.ts'
import { spendTotpCode } from './totp.ts'

const ORIGIN = 'https://api.test'
const STEP_MS = 30_000
const clock = { at: new Date('2026-03-01T12:00:10Z'), now: () => new Date(clock.at) }
const later = (ms: number) => {
  clock.at = new Date(clock.at.getTime() + ms)
}

let api: Api
let other: { url: string }
beforeAll(async () => {
  const secret = Buffer.alloc(32, 7)
  const routes = [...sessionRoutes, ...gettingInRoutes, ...secondFactorRoutes]
  api = await startApi({ routes, clock, deps: { secret, passwords: createPasswords() } })
  other = await api.another()
})
afterAll(() => api?.stop())

async function logIn({ email, password }: GivenUser, url = api.url) {
  const browser = openBrowser(() => url)
  const reply = await browser.ask('POST /session', { email, password })
  return { browser, reply, challengeId: reply.json.challenge_id as string }
}

/** Returns a user whose logins need a code, and who has only used the code that confirmed the app. */
async function givenTotp(): Promise<{ user: GivenUser; browser: Browser; secret: Buffer; codes: string[] }> {
  const user = await givenUser(api)
  const browser = await givenBrowser(api, user)
  const secret = readBase32((await browser.ask('POST /account/totp')).json.secret)
  const confirmed = await browser.ask('POST /account/totp/confirm', { code: totpCode(secret, clock.now()) })
  expect(confirmed.status).toBe(200)
  later(STEP_MS)
  return { user, browser, secret, codes: confirmed.json.recovery_codes }
}

const codeOf = (secret: Buffer) => totpCode(secret, clock.now())
const wrongCode = (secret: Buffer) => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0')

describe('an authenticator app', () => {
  test('201 with a secret, which has no effect until its first code', async () => {
    const user = await givenUser(api)
    const browser = await givenBrowser(api, user)
    const begun = await browser.ask('POST /account/totp')
    expect([begun.status, begun.json.object]).toEqual([201, 'totp'])
    expect(begun.json.uri).toContain(`secret=${begun.json.secret}`)
    const secret = readBase32(begun.json.secret)
    const wrong = await browser.ask('POST /account/totp/confirm', { code: wrongCode(secret) })
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ['code']])
    expect((await logIn(user)).reply.status).toBe(201)

    const again = readBase32((await browser.ask('POST /account/totp')).json.secret)
    expect((await browser.ask('POST /account/totp/confirm', { code: codeOf(secret) })).status).toBe(422)
    const confirmed = await browser.ask('POST /account/totp/confirm', { code: codeOf(again) })
    expect([confirmed.status, confirmed.json.recovery_codes.length]).toEqual([200, 10])
    expect((await browser.ask('GET /session')).json.user).toMatchObject({
      totp_enabled: true,
      passkey_count: 0,
      recovery_codes_left: 10,
    })
    expect((await browser.ask('POST /account/totp/confirm', { code: codeOf(again) })).status).toBe(409)
    expect((await browser.ask('POST /account/totp')).status).toBe(409)
  })

  test('401 for the first code in a session that has just ended; logins need none', async () => {
    const user = await givenUser(api)
    const browser = await givenBrowser(api, user)
    const secret = readBase32((await browser.ask('POST /account/totp')).json.secret)
    // This process knows the session until it hears of the change.
    await api.db.query('delete from session where user_id = $1', [user.id])
    const reply = await browser.ask('POST /account/totp/confirm', { code: codeOf(secret) })
    expect([reply.status, reply.json.name]).toEqual([401, 'not_logged_in'])
    expect((await logIn(user)).reply.status).toBe(201)
  })

  test('202 for the password, then 201 for the code once: 401 for the same code in that login and in another', async () => {
    const { user, secret } = await givenTotp()
    const first = await logIn(user)
    expect([first.reply.status, first.reply.json.object]).toEqual([202, 'login_challenge'])
    expect(first.reply.json.methods).toEqual(['totp', 'recovery_code'])
    expect(first.reply.headers.get('set-cookie')).toBeNull()
    const code = codeOf(secret)
    const half = { challenge_id: first.challengeId, code }
    const done = await first.browser.ask('POST /session/second-factor', half)
    expect([done.status, done.json.object]).toEqual([201, 'session'])
    expect((await first.browser.ask('GET /session')).json.user.email).toBe(user.email)

    expect((await first.browser.ask('POST /session/second-factor', half)).json.name).toBe('login_expired')
    const second = await logIn(user)
    const replay = { challenge_id: second.challengeId, code }
    expect((await second.browser.ask('POST /session/second-factor', replay)).json.name).toBe('invalid_code')
    later(STEP_MS)
    const next = { challenge_id: second.challengeId, code: codeOf(secret) }
    expect((await second.browser.ask('POST /session/second-factor', next)).status).toBe(201)
  })

  test('201 once for 20 simultaneous requests with the same code, in four logins over two processes', async () => {
    const { user, secret } = await givenTotp()
    const code = codeOf(secret)
    const logins = await Promise.all([api, other, api, other].map(({ url }) => logIn(user, url)))
    const replies = await Promise.all(
      logins.flatMap(({ challengeId }, index) =>
        Array.from({ length: 5 }, () =>
          openBrowser(() => (index % 2 === 0 ? other.url : api.url)).ask('POST /session/second-factor', {
            challenge_id: challengeId,
            code,
          }),
        ),
      ),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.every(({ status }) => [201, 401, 429].includes(status))).toBe(true)
  })

  test('true once of 20, without the attempt limit in front', async () => {
    const { user, secret } = await givenTotp()
    const second = openDb(api.databaseUrl, { connectionsMax: 10, timeoutMs: 10_000, name: 'test' })
    const given = { userId: user.id, code: codeOf(secret) }
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        spendTotpCode(index % 2 === 0 ? api.db : second, api.deps.secret, given, clock.now()),
      ),
    )
    await second.close()
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('401 after five wrong codes even for the correct one; after several such logins, 429', async () => {
    const { user, secret } = await givenTotp()
    const { browser, challengeId } = await logIn(user)
    const bring = (id: string, code: string) =>
      browser.ask('POST /session/second-factor', { challenge_id: id, code })
    const names: string[] = []
    for (let at = 0; at < 5; at++) names.push((await bring(challengeId, wrongCode(secret))).json.name)
    expect(names).toEqual(Array(5).fill('invalid_code'))
    expect((await bring(challengeId, codeOf(secret))).json.name).toBe('login_expired')
    const next = await logIn(user)
    await bring(next.challengeId, wrongCode(secret))
    const early = await bring(next.challengeId, codeOf(secret))
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    later(60 * 60_000)
  })

  test('disabled with the password only; logins then need no code, and no recovery code is left', async () => {
    const { user, browser } = await givenTotp()
    expect((await browser.ask('POST /account/totp/disable')).json.errors).toHaveProperty('password')
    expect((await browser.ask('POST /account/totp/disable', { password: 'nonsense!!' })).status).toBe(422)
    expect((await logIn(user)).reply.status).toBe(202)
    const off = await browser.ask('POST /account/totp/disable', { password: user.password })
    expect([off.status, off.json]).toEqual([200, { object: 'totp', enabled: false }])
    const { reply } = await logIn(user)
    expect(reply.status).toBe(201)
    expect((await browser.ask('GET /session')).json.user).toMatchObject({
      totp_enabled: false,
      recovery_codes_left: 0,
    })
    expect((await browser.ask('POST /account/totp/disable', { password: user.password })).status).toBe(409)
    expect((await browser.ask('POST /account/recovery-codes', { password: user.password })).status).toBe(409)
  })
})

describe('recovery codes', () => {
  test('201 once per code in any spelling; the remaining ones are counted', async () => {
    const { user, codes } = await givenTotp()
    const [code = ''] = codes
    const bring = async (recoveryCode: string) => {
      const { browser, challengeId } = await logIn(user)
      const half = { challenge_id: challengeId, recovery_code: recoveryCode }
      return { browser, reply: await browser.ask('POST /session/second-factor', half) }
    }
    const done = await bring(code.toUpperCase().replaceAll('-', ' '))
    expect(done.reply.status).toBe(201)
    expect((await done.browser.ask('GET /session')).json.user.recovery_codes_left).toBe(9)
    expect((await bring(code)).reply.json.name).toBe('invalid_code')
  })

  test('401 for replaced codes, and for those of another user', async () => {
    const { user, browser, codes } = await givenTotp()
    const stranger = await givenTotp()
    expect((await browser.ask('POST /account/recovery-codes')).status).toBe(422)
    const made = await browser.ask('POST /account/recovery-codes', { password: user.password })
    expect([made.status, made.json.recovery_codes.length]).toEqual([201, 10])
    const { challengeId, browser: next } = await logIn(user)
    for (const code of [codes[1], stranger.codes[0]]) {
      const half = { challenge_id: challengeId, recovery_code: code }
      expect((await next.ask('POST /session/second-factor', half)).json.name).toBe('invalid_code')
    }
    const half = { challenge_id: challengeId, recovery_code: made.json.recovery_codes[9] }
    expect((await next.ask('POST /session/second-factor', half)).status).toBe(201)
  })
})

test('422 for both codes and for none; 401 for an unknown login', async () => {
  const { challengeId, browser } = await logIn((await givenTotp()).user)
  for (const codes of [{}, { code: '123456', recovery_code: 'aaaa-aaaa-aaaa' }]) {
    const reply = await browser.ask('POST /session/second-factor', { challenge_id: challengeId, ...codes })
    expect(reply.status).toBe(422)
  }
  const unknown = { challenge_id: '01900000-0000-7000-8000-000000000000', code: '123456' }
  expect((await browser.ask('POST /session/second-factor', unknown)).json.name).toBe('login_expired')
})

test('202 even after a password reset, which ends all pending logins', async () => {
  const { user, secret } = await givenTotp()
  const before = await logIn(user)
  const link = await makeResetLink(api.db, user.id, ORIGIN, clock.now())
  const password = 'another good password'
  const reset = await before.browser.ask('POST /password-resets/redeem', { token: tokenOf(link), password })
  expect([reset.status, reset.headers.get('set-cookie')]).toEqual([200, null])
  const code = codeOf(secret)
  const half = { challenge_id: before.challengeId, code }
  expect((await before.browser.ask('POST /session/second-factor', half)).json.name).toBe('login_expired')
  const after = await logIn({ ...user, password })
  expect([after.reply.status, after.reply.json.methods]).toEqual([202, ['totp', 'recovery_code']])
  const next = { challenge_id: after.challengeId, code }
  expect((await after.browser.ask('POST /session/second-factor', next)).status).toBe(201)
})

test('403 to set up an app a quarter of an hour after the login, unless the password is given', async () => {
  const user = await givenUser(api)
  const browser = await givenBrowser(api, user)
  later(15 * 60_000)
  expect((await browser.ask('POST /account/totp')).json.name).toBe('recent_login_required')
  expect((await browser.ask('POST /account/totp', { password: user.password })).status).toBe(201)
})

test('stored in neither form: the secret of an app or any recovery code', async () => {
  const { secret, codes } = await givenTotp()
  for (const table of ['user_totp', 'user_recovery_code']) {
    const rows = await api.db.query<{ row: string }>(`select t::text as row from ${table} t`)
    const text = rows.map(({ row }) => row).join('\n')
    expect(text).not.toContain(secret.toString('hex'))
    for (const code of codes)
      expect(text).not.toContain(Buffer.from(code.replaceAll('-', '')).toString('hex'))
  }
})
