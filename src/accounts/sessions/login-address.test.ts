import { afterEach, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { openBrowser } from '../../../test/support/people.ts'
import type { Passwords } from '../passwords/password-hash.ts'
import { sessionRoutes } from './session-routes.ts'

const REFUSING: Passwords = {
  requireRoom: () => {},
  hash: async () => '',
  verify: async () => false,
  isOutdated: () => false,
}
/** Half a minute of an attacker who claims another client address and another account each time. */
const LOGINS = 60
const FREE_LOGINS = 50

let api: Api
afterEach(() => api.stop())

async function statusesOf(environment: Record<string, string>, forwarded: (no: number) => string) {
  api = await startApi({ routes: sessionRoutes, environment, deps: { passwords: REFUSING } })
  const statuses: number[] = []
  for (let no = 1; no <= LOGINS; no++) {
    const body = { email: `nobody${no}@people.test`, password: 'a wrong password' }
    const headers = { 'x-forwarded-for': forwarded(no) }
    const { status } = await openBrowser(() => api.url).ask('POST /session', body, headers)
    statuses.push(status)
  }
  return { unauthorized: statuses.filter((status) => status === 401).length, last: statuses.at(-1) }
}

test("429 by the peer's address for logins with changing X-Forwarded-For headers", async () => {
  const { unauthorized, last } = await statusesOf({}, (no) => `198.51.100.${no}`)
  expect([unauthorized, last]).toEqual([FREE_LOGINS, 429])
})

test("429 by the client's address behind a trusted proxy, whatever clients add in front", async () => {
  const environment = { SENDWRIGHT_TRUSTED_PROXIES: '127.0.0.0/8,::1' }
  const several = await statusesOf(environment, (no) => `198.51.100.${no}`)
  expect(several).toEqual({ unauthorized: LOGINS, last: 401 })
  await api.stop()
  const { unauthorized, last } = await statusesOf(environment, (no) => `203.0.113.${no}, 198.51.100.7`)
  expect([unauthorized, last]).toEqual([FREE_LOGINS, 429])
})
