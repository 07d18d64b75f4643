import { makeFirstOwnerLink } from '../../src/accounts/people/first-owner.ts'
import type { Db } from '../../src/db/db-types.ts'
import { type ApiReply, exchange } from './client.ts'

export const PASSWORD = 'correct horse battery staple'

/** A browser, which keeps its cookie and marks its requests as coming from the dashboard. */
export interface Browser {
  /** `name=value`; null when it is not logged in. */
  cookie: string | null
  ask(route: string, json?: unknown, headers?: Record<string, string>): Promise<ApiReply>
  /** Returns a function for requests on behalf of a team. */
  inTeam(teamId: string): Ask
}

export type Ask = (route: string, json?: unknown, headers?: Record<string, string>) => Promise<ApiReply>

export function openBrowser(url: () => string, cookie: string | null = null): Browser {
  const browser: Browser = {
    cookie,
    async ask(route, json, headers = {}) {
      const [method = 'GET', path = '/'] = route.split(' ')
      const reply = await exchange(url() + path, {
        method,
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(browser.cookie === null ? {} : { cookie: browser.cookie }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      const set = reply.headers.get('set-cookie')
      if (set !== null) browser.cookie = set.includes('Max-Age=0') ? null : (set.split(';')[0] as string)
      return reply
    },
    inTeam: (teamId) => (route, json, headers) =>
      browser.ask(route, json, { 'x-sendwright-team': teamId, ...headers }),
  }
  return browser
}

export interface Person extends Browser {
  id: string
  email: string
}

/** The parts of a running service that tests of users need. */
interface Running {
  readonly url: string
  db: Db
}

export const tokenOf = (link: string): string => link.slice(link.indexOf('#token=') + 7)

/** Creates the first owner, logged in, with the id of the first team. */
export async function givenFirstOwner(service: Running, email = 'owner@people.test') {
  const link = await makeFirstOwnerLink(service.db, service.url, new Date())
  const browser = openBrowser(() => service.url)
  const given = { token: tokenOf(link ?? ''), email, name: 'Olga', password: PASSWORD }
  const reply = await browser.ask('POST /first-owner', given)
  if (reply.status !== 201) throw new Error(`POST /first-owner answered ${reply.text}`)
  const teamId = reply.json.teams[0].id as string
  return Object.assign(asPerson(browser, reply, email), { teamId })
}

/** Adds the user to the browser, which keeps the cookie. */
function asPerson(browser: Browser, reply: ApiReply, email: string): Person {
  return Object.assign(browser, { id: reply.json.user.id as string, email })
}
