import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_ROUTES, OPERATOR_ROUTES } from '../../src/app/routes.ts'
import type { Route } from '../../src/http/route/route.ts'
import { exchange } from '../support/client.ts'
import { type Browser, givenFirstOwner } from '../support/people.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

/**
 * Requests every literal path of the route table with every method. An unsupported method returns 405 with the
 * supported ones, even when a neighboring `/{id}` route supports it.
 */
const OPERATOR = 'the-token-of-the-operator-of-this-test'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const routes: readonly Route[] = [...API_ROUTES, ...OPERATOR_ROUTES]
const byPath = Map.groupBy(
  routes.filter(({ path }) => !path.includes(':')),
  ({ path }) => path,
)

/** Returns the methods that a literal path supports. GET includes HEAD. */
function methodsOf(path: string): string[] {
  const methods = (byPath.get(path) ?? []).map(({ method }) => method as string)
  return (methods.includes('GET') ? [...methods, 'HEAD'] : methods).sort()
}

let service: TestSendwright
let owner: Browser
let key: string

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api'],
    environment: { SENDWRIGHT_DELIVERY: 'capture', SENDWRIGHT_OPERATOR_TOKEN: OPERATOR },
  })
  owner = await givenFirstOwner(service)
  key = (await service.givenTeam()).token
})
afterAll(() => service?.stop())

/** Sends the request as a caller who may use the path, because only those get 405. */
function send(method: string, path: string, { permission }: Pick<Route, 'permission'>) {
  const isForPeople = permission === 'user' || permission === 'member'
  const session = { cookie: owner.cookie ?? '', 'sec-fetch-site': 'same-origin' }
  const bearer = { authorization: `Bearer ${permission === 'operator' ? OPERATOR : key}` }
  return exchange(service.url + path, { method, headers: isForPeople ? session : bearer })
}

describe.each([...byPath].map(([path, [first]]) => [path, first as Route] as const))('%s', (path, route) => {
  const refused = METHODS.filter((method) => !methodsOf(path).includes(method))

  test.each(refused)('405 with the allowed methods for %s, also under /v1', async (method) => {
    for (const asked of [path, `/v1${path}`, `${path}?page=1`]) {
      const reply = await send(method, asked, route)
      expect(reply.status, asked).toBe(405)
      expect(reply.headers.get('allow'), asked).toBe(methodsOf(path).join(', '))
    }
  })
})

describe('a literal path next to /{id}', () => {
  const id = (path: string) => `${path.slice(0, path.lastIndexOf('/'))}/:id`
  const beside = [...byPath.keys()].filter((path) => routes.some((route) => route.path === id(path)))

  test('exists for the tests below', () => {
    expect(beside).toEqual(expect.arrayContaining(['/emails/mime', '/segments/count', '/templates/preview']))
  })

  test.each(beside)('is the same path when escaped: %s', async (path) => {
    const escaped = path.replace(/[^/]$/, (last) => `%${last.charCodeAt(0).toString(16)}`)
    const [first] = byPath.get(path) as [Route]
    const method = METHODS.find((each) => !methodsOf(path).includes(each)) as string
    const reply = await send(method, escaped, first)
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe(methodsOf(path).join(', '))
  })

  test.each(beside)('404 with a trailing slash: %s', async (path) => {
    const [first] = byPath.get(path) as [Route]
    for (const method of METHODS) expect((await send(method, `${path}/`, first)).status, method).toBe(404)
  })
})

test('401 without a key, before the method is checked', async () => {
  expect((await exchange(`${service.url}/emails/mime`)).status).toBe(401)
  expect((await exchange(`${service.url}/emails/mime`, { method: 'PUT' })).status).toBe(401)
})
