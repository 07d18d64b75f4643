import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSession } from '../../src/access/session-access.ts'
import { type Sendwright, startSendwright } from '../../src/app/start/start-sendwright.ts'
import { createLog } from '../../src/lib/log.ts'
import { givenBrowser, givenMember, givenWhole } from '../support/browsing.ts'
import {
  type Browser,
  givenFirstOwner,
  openBrowser,
  PASSWORD,
  type Person,
  tokenOf,
} from '../support/people.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
let other: Sendwright
let owner: Person & { teamId: string }
let bob: Person
const logged: string[] = []
/** Secrets that only users may have. */
const secrets = new Set<string>([PASSWORD])
/** Tokens of links that capture mode prints once in the log. */
const printed = new Set<string>()

beforeAll(async () => {
  const stream = new PassThrough()
  stream.on('data', (bytes: Buffer) => logged.push(bytes.toString()))
  service = await startTestSendwright({
    environment: { SENDWRIGHT_DELIVERY: 'capture' },
    log: createLog('trace', stream),
  })
  other = await startSendwright({ ...service.config, port: 0 }, { roles: ['api'], log: createLog('silent') })
  owner = await givenFirstOwner(service)
  bob = await givenMember(givenWhole(service), owner.teamId, 'member', 'bob@people.test')
})
afterAll(async () => {
  await other?.stop()
  await service?.stop()
})

/** For changes that take up to a second, on a busy machine. */
const PATIENT = { timeout: 60_000 }
const here = () => service.url
const there = () => other.url ?? ''
const cookieOf = (browser: Browser) => (browser.cookie ?? '').split('=')[1] as string

async function logIn(email: string, password = PASSWORD): Promise<Browser> {
  const browser = openBrowser(here)
  const reply = await browser.ask('POST /session', { email, password })
  expect(reply.status, reply.text).toBe(201)
  secrets.add(cookieOf(browser))
  return browser
}

/** Creates another session of a user, without the cost of a password check. */
async function givenSession(person: Person, url = here): Promise<Browser> {
  const browser = openBrowser(url, (await givenBrowser(givenWhole(service), person)).cookie)
  secrets.add(cookieOf(browser))
  return browser
}

/** Returns the last link that capture mode printed for an address. */
async function linkTo(email: string): Promise<string> {
  const read = () =>
    logged
      .join('')
      .split('\n')
      .filter((line) => line.includes('"account_mail"'))
      .map((line) => JSON.parse(line))
      .filter(({ recipient }) => recipient === email)
      .at(-1)?.link ?? ''
  await expect.poll(read, PATIENT).toMatch(/^https:\/\/api\.test\/app\/reset#token=[\w-]{43}$/)
  return read()
}

describe('the cookie', () => {
  test('is new at each login, and not available to scripts, other hosts and other sites', async () => {
    const browser = await logIn('bob@people.test')
    const before = browser.cookie
    const again = await browser.ask('POST /session', { email: 'BOB@people.test', password: PASSWORD })
    expect(again.status).toBe(201)
    expect(again.headers.get('set-cookie')).toMatch(
      /^__Host-sendwright_session=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
    )
    expect(browser.cookie).not.toBe(before)
    expect((await openBrowser(here, before).ask('GET /session')).status).toBe(401)
    expect((await browser.ask('GET /session')).json.user).toMatchObject({ email: 'bob@people.test' })
  })

  test('is ignored with an Authorization header, and when it is sent twice', async () => {
    const bearer = await bob.ask('GET /session', undefined, { authorization: 'Bearer sw_nobody' })
    expect(bearer.json.name).toBe('invalid_api_key')
    const cookie = `${bob.cookie}; ${bob.cookie?.replace(/.$/, 'x')}`
    expect((await bob.ask('GET /session', undefined, { cookie })).json.name).toBe('not_logged_in')
  })

  test('403 for reads and changes from another site', async () => {
    const ask = bob.inTeam(owner.teamId)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://api.test' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: 'null', 'content-type': 'text/plain' },
    ]) {
      const reply = await ask('POST /lists', { name: 'forged' }, headers)
      expect(reply.json).toMatchObject({ statusCode: 403, name: 'cross_site_request' })
    }
    expect((await ask('GET /lists', undefined, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await ask('GET /lists')).json.meta.total).toBe(0)
    const login = { email: 'bob@people.test', password: PASSWORD }
    const forced = await openBrowser(here).ask('POST /session', login, { 'sec-fetch-site': 'cross-site' })
    expect([forced.status, forced.headers.get('set-cookie')]).toEqual([403, null])
  })
})

describe('a session ends in every process', () => {
  test('after a logout', async () => {
    const browser = await givenSession(bob)
    const elsewhere = openBrowser(there, browser.cookie)
    expect((await elsewhere.ask('GET /session')).status).toBe(200)
    const stolen = openBrowser(here, browser.cookie)
    expect((await browser.ask('DELETE /session')).headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await stolen.ask('GET /session')).status).toBe(401)
    await expect.poll(async () => (await elsewhere.ask('GET /session')).status, PATIENT).toBe(401)
  })

  test('after the password was changed in another session, which continues', async () => {
    const carol = await givenMember(givenWhole(service), owner.teamId, 'viewer', 'carol@people.test')
    const elsewhere = await givenSession(carol, there)
    const change = (current: string, next: string) =>
      carol.ask('POST /account/password', { current_password: current, new_password: next })
    expect((await change('something else', 'another good one')).json.errors).toHaveProperty(
      'current_password',
    )
    expect((await change(PASSWORD, 'short')).json.errors).toHaveProperty('new_password')
    secrets.add('another good one')
    expect((await change(PASSWORD, 'another good one')).status).toBe(200)
    expect((await carol.ask('GET /session')).status).toBe(200)
    await expect.poll(async () => (await elsewhere.ask('GET /session')).status, PATIENT).toBe(401)
    const old = await openBrowser(here).ask('POST /session', { email: carol.email, password: PASSWORD })
    expect(old.json.name).toBe('invalid_credentials')
  })

  test('when it is ended from the list, but not by another user', async () => {
    const browser = await givenSession(bob, there)
    const { data } = (await bob.ask('GET /account/sessions')).json
    const { id } = (await browser.ask('GET /session')).json
    expect(data.map((one: { id: string }) => one.id)).toContain(id)
    expect((await owner.ask(`DELETE /account/sessions/${id}`)).status).toBe(404)
    expect((await bob.ask(`DELETE /account/sessions/${id}`)).status).toBe(200)
    await expect.poll(async () => (await browser.ask('GET /session')).status, PATIENT).toBe(401)
    expect((await bob.ask('DELETE /account/sessions')).json.deleted).toBeGreaterThanOrEqual(0)
    expect((await bob.ask('GET /account/sessions')).json.data).toHaveLength(1)
  })

  test('after 14 days without use, or 90 days', async () => {
    const DAY_MS = 24 * 3_600_000
    /** Returns the status for a session with this age and time since last use. */
    const statusOf = async (startedDays: number, seenDays: number) => {
      const [started, seen] = [startedDays, seenDays].map((days) => new Date(Date.now() - days * DAY_MS))
      const { token, session } = await startSession(
        service.db,
        { userId: bob.id, ipAddress: '192.0.2.1', userAgent: null },
        started as Date,
      )
      await service.db.query('update session set last_seen_at = $2 where id = $1', [session.id, seen])
      return (await openBrowser(here, `__Host-sendwright_session=${token}`).ask('GET /session')).status
    }
    expect([await statusOf(89.9, 13.9), await statusOf(89.9, 14), await statusOf(90, 1)]).toEqual([
      200, 401, 401,
    ])
  })

  test('for its team, when the member is removed in another process', async () => {
    const dave = await givenMember(givenWhole(service), owner.teamId, 'member', 'dave@people.test')
    const elsewhere = openBrowser(there, dave.cookie)
    expect((await elsewhere.inTeam(owner.teamId)('GET /lists')).status).toBe(200)
    await owner.inTeam(owner.teamId)(`DELETE /team/members/${dave.id}`)
    expect((await dave.inTeam(owner.teamId)('GET /lists')).status).toBe(404)
    await expect
      .poll(async () => (await elsewhere.inTeam(owner.teamId)('GET /lists')).status, PATIENT)
      .toBe(404)
  })
})

test("rate limits count users separately from their team's API keys", async () => {
  const count = () =>
    service.db.query<{ teamId: string }>('select team_id from rate_window where team_id = any($1::uuid[])', [
      [bob.id, owner.teamId],
    ])
  await service.db.query('delete from rate_window')
  const reply = await bob.inTeam(owner.teamId)('GET /lists')
  expect(reply.headers.get('ratelimit-limit')).toBe('3000')
  expect(await count()).toEqual([{ teamId: bob.id }])
})

describe('a login', () => {
  test('401 with the same bytes for a wrong password and an unknown address; 429 after five, over two processes', async () => {
    const answers = async (email: string) => {
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          openBrowser(index % 2 === 0 ? here : there).ask('POST /session', {
            email,
            password: 'wrong password',
          }),
        ),
      )
      for (const { status, headers } of replies) {
        if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      return replies.map(({ status, text }) => `${status} ${text.replaceAll(/\d+ seconds/g, '')}`).sort()
    }
    const known = new Set(await answers('bob@people.test'))
    expect([...known].map((answer) => answer.slice(0, 3))).toEqual(['401', '429'])
    expect(new Set(await answers('nobody@people.test'))).toEqual(known)
    await service.db.query('delete from throttle')
  })
})

describe('a reset', () => {
  const ask = (email: string, headers = {}) =>
    openBrowser(here).ask('POST /password-resets', { email }, headers)
  const redeem = (link: string, password: string) =>
    openBrowser(here).ask('POST /password-resets/redeem', { token: tokenOf(link), password })

  test('202 for any address; the link uses PUBLIC_URL, works once, and ends all sessions', async () => {
    const erin = await givenMember(givenWhole(service), owner.teamId, 'viewer', 'erin@people.test')
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const [known, nobody] = [await ask('Erin@people.test', forged), await ask('nobody@people.test')]
    expect([known.status, known.text]).toEqual([202, nobody.text])
    const link = await linkTo('erin@people.test')
    printed.add(tokenOf(link))
    expect((await redeem(link, 'erin@people.test')).status).toBe(422)
    secrets.add('a new password of erin')
    const done = await redeem(link, 'a new password of erin')
    expect(done.json).toEqual({ object: 'password_reset', email: 'erin@people.test' })
    expect((await erin.ask('GET /session')).status).toBe(401)
    expect((await redeem(link, 'yet another password')).json.name).toBe('invalid_link')
    await logIn('erin@people.test', 'a new password of erin')
  })

  test('410 for a link that is an hour old or was replaced', async () => {
    await givenMember(givenWhole(service), owner.teamId, 'viewer', 'frank@people.test')
    await ask('frank@people.test')
    const first = await linkTo('frank@people.test')
    await ask('frank@people.test')
    let second = first
    await expect.poll(async () => (second = await linkTo('frank@people.test')), PATIENT).not.toBe(first)
    // The first one ends once the mail with the second is accepted.
    const links = () =>
      service.db.query(
        "select from account_link l join user_account u on u.id = l.user_id where u.email = 'frank@people.test'",
      )
    await expect.poll(links, PATIENT).toHaveLength(1)
    expect((await redeem(first, 'a good new password')).status).toBe(410)
    await service.db.query("update account_link set expires_at = expires_at - interval '1 hour'")
    expect((await redeem(second, 'a good new password')).status).toBe(410)
  })

  /** The remaining wait of the most requested address. */
  const HELD_BACK = `select extract(epoch from next_at - $1) / 60 as minutes from throttle order by next_at desc limit 1`

  test('at most three links in half an hour from all requesters; the response stays the same', async () => {
    await givenMember(givenWhole(service), owner.teamId, 'viewer', 'gina@people.test')
    const mailCount = () => logged.join('').split('"recipient":"gina@people.test"').length - 1
    for (let count = 0; count < 6; count++) expect((await ask('gina@people.test')).status).toBe(202)
    await expect.poll(mailCount, PATIENT).toBe(3)
    const [held] = await service.db.query<{ minutes: number }>(HELD_BACK, [new Date()])
    expect(Number(held?.minutes)).toBeGreaterThan(25)
  })
})

test('no password, session or link is in the database or the log, except the links that capture mode prints', async () => {
  secrets.add(cookieOf(owner)).add(cookieOf(bob))
  const tables = await service.db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname not in ('captured', 'email_content')`,
  )
  expect(tables.length).toBeGreaterThan(30)
  const rows = await Promise.all(
    tables.map(({ name }) => service.db.query<{ row: string }>(`select t::text as row from "${name}" t`)),
  )
  const text = rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
  const log = logged.join('')
  expect(log).toContain('a user logged in')
  expect(secrets.size).toBeGreaterThan(8)
  for (const secret of secrets) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    expect(log).not.toContain(secret)
  }
  expect(printed.size).toBeGreaterThan(0)
  for (const token of printed) {
    expect(text).not.toContain(token)
    expect(log.split(token)).toHaveLength(2)
  }
})
