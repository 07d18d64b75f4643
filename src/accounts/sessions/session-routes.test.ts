import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { givenBrowser, givenUser } from '../../../test/support/browsing.ts'
import { openBrowser, PASSWORD } from '../../../test/support/people.ts'
import { insertMembership } from '../../access/memberships-queries.ts'
import { createPasswords } from '../passwords/password-hash.ts'
import { accountRoutes } from '../people/account-routes.ts'
import { sessionRoutes } from './session-routes.ts'

const passwords = createPasswords()
let api: Api

beforeAll(async () => {
  api = await startApi({ routes: [...sessionRoutes, ...accountRoutes], deps: { passwords } })
})
afterAll(() => api.stop())

test('503 while strangers use up the password queue: it counts as no attempt, and a later login succeeds', async () => {
  const user = await givenUser(api)
  const browser = await givenBrowser(api, user)
  let isOver = false
  const strangers = Array.from({ length: 42 }, async () => {
    while (!isOver) await passwords.verify('a guess', null)
  })
  const asks = await Promise.all([
    openBrowser(() => api.url).ask('POST /session', { email: user.email, password: PASSWORD }),
    browser.ask('POST /account/password', {
      current_password: PASSWORD,
      new_password: 'another good password',
    }),
  ])
  isOver = true
  expect(asks.map(({ status }) => status)).toEqual([503, 503])
  expect(await api.db.query('select 1 from throttle')).toEqual([])
  await Promise.all(strangers)
  const again = await openBrowser(() => api.url).ask('POST /session', {
    email: user.email,
    password: PASSWORD,
  })
  expect(again.status).toBe(201)
})

test('200 for one of several simultaneous password changes: none overwrites another', async () => {
  const user = await givenUser(api)
  const browsers = await Promise.all([1, 2, 3, 4].map(() => givenBrowser(api, user)))
  const changes = await Promise.all(
    browsers.map((browser, no) =>
      browser.ask('POST /account/password', {
        current_password: PASSWORD,
        new_password: `a password of browser ${no}`,
      }),
    ),
  )
  // A late request may also find its session ended.
  const others = changes.map(({ status }) => status).filter((status) => status !== 200)
  expect(others).toHaveLength(3)
  for (const status of others) expect([401, 422]).toContain(status)
  const set = changes.findIndex(({ status }) => status === 200)
  const password = `a password of browser ${set}`
  const login = await openBrowser(() => api.url).ask('POST /session', { email: user.email, password })
  expect(login.status).toBe(201)
})

test('200 with the teams of each user, and 401 without a session, for simultaneous requests', async () => {
  const teamId = (await api.givenTeam()).id
  const users = await Promise.all([1, 2, 3].map(() => givenUser(api)))
  const times = { createdAt: new Date(), updatedAt: new Date() }
  const [first] = users
  await api.db.transaction((tx) =>
    insertMembership(tx, { teamId, userId: first?.id ?? '', role: 'viewer', ...times }),
  )
  const browsers = await Promise.all(users.map((user) => givenBrowser(api, user)))
  const nobody = openBrowser(() => api.url, browsers[0]?.cookie?.replace(/.{8}$/, 'AAAAAAAA'))
  const replies = await Promise.all(
    [...browsers, nobody, ...browsers].map((browser) => browser.ask('GET /session')),
  )
  const answers = replies.map(({ json }) => json.user?.id ?? json.name)
  const ids = users.map(({ id }) => id)
  expect(answers).toEqual([...ids, 'not_logged_in', ...ids])
  expect(replies.map(({ json }) => json.teams?.length ?? 0)).toEqual([1, 0, 0, 0, 1, 0, 0])
})
