import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Role } from '../../../src/access/memberships-queries.ts'
import { findFreePort } from '../../support/ports.ts'
import type { Sender } from '../../support/sendwright.ts'
import { startTestSendwright, type TestSendwright } from '../../support/sendwright.ts'
import { isFull, seedOfToday } from '../../support/thorough.ts'
import { stopWithWorker } from '../../support/worker-stops.ts'
import { useBrowser } from './browser.ts'
import { type GivenPerson, givenPerson } from './people.ts'
import { createTabs, openContext, type Tab, type Tabs } from './tabs.ts'
import { type Watch, watchContext } from './watch.ts'

/** The processor draws each pixel, so the window is low; what is below it is scrolled to. */
const HEIGHTS = { wide: isFull ? 900 : 640, phone: 844 }
/** Below this width, the browser emulates a phone: touch, and a mobile viewport. */
const PHONE_WIDTH_MAX = 600

export interface Look {
  /** The role of the user; null: not logged in. Default `owner`. */
  role?: Role | null
  isOperator?: boolean
  /** CSS pixels; default 1440. */
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  /**
   * Whether the user asked the browser to save data, so that the page does not load the code of all others after some seconds,
   * which costs most of a second of processor time. Default true; `context` leaves it off.
   */
  savesData?: boolean
  /**
   * Whether `open` loads the page, or leads a page to it that a test returned. Default: a tenth of the pages, which differ by day,
   * are loaded, and all in a full run.
   */
  isLoaded?: boolean
  /** Default: the team of `dashboard.sender`. */
  teamId?: string
}

export interface Dashboard {
  /** `http://localhost:<port>` */
  readonly url: string
  readonly service: TestSendwright
  /** A team with a verified domain and an API key; `open` uses its members. */
  readonly sender: Sender
  readonly browser: Browser
  /**
   * Opens a page of the team, such as `/emails`, or any other that starts with `/app`, and waits until it is ready.
   * The page is alone in its browser context (cookies, storage), in which the member with that role is logged in.
   */
  open(path: string, look?: Look): Promise<Page>
  /** Returns an empty page that is alone in its browser context, without a login. */
  page(look?: Look): Promise<Page>
  /** Creates a separate browser context without a login. */
  context(look?: Look): Promise<BrowserContext>
  /** Returns the user with this role; the same one for the whole file. */
  person(role: Role, teamId?: string): Promise<GivenPerson>
  /** Expects such complaints of the browser until the end of the test. */
  allow(complaint: RegExp): void
  /** Returns the complaints of browsers since the last call, and closes all pages. */
  close(): Promise<string[]>
  stop(): Promise<void>
}

const LOADED_OUT_OF = 10
const ROLES = ['api', 'deliver', 'scheduler', 'webhooks'] as const

interface Running {
  url: string
  service: TestSendwright
  browser: Browser
  tabs: Tabs
}

let shared: Promise<Running> | null = null

/** Returns the service of this worker, which has a team for each file. */
function useService(): Promise<Running> {
  // Deferred email stays deferred during a test.
  shared ??= startService({ SENDWRIGHT_RETRY_SCHEDULE: '1h' }).then((running) => {
    stopWithWorker(() => running.service.stop())
    return running
  })
  return shared
}

async function startService(environment: Record<string, string>): Promise<Running> {
  const port = await findFreePort()
  // A name, not an address, because passkeys are bound to names.
  const url = `http://localhost:${port}`
  const [browser, service] = await Promise.all([
    useBrowser(),
    startTestSendwright({
      environment: { PORT: String(port), PUBLIC_URL: url, ...environment },
      // Few tests need SMTP, which requires a certificate.
      roles: [...ROLES, ...('SENDWRIGHT_SUBMISSION_PORT' in environment ? (['inbound'] as const) : [])],
    }),
  ])
  return { url, service, browser, tabs: createTabs(browser, url) }
}

/**
 * Opens the dashboard of a new team. Tests use `givenDashboard`.
 * @param environment starts a separate service with these settings, which has no users yet; by default the files of a worker
 *   share one
 */
export async function startDashboard(environment?: Record<string, string>): Promise<Dashboard> {
  const running = await (environment === undefined ? useService() : startService(environment))
  const { url, service, browser, tabs } = running
  const sender = await service.givenSender()
  const person = rememberPeople(service, sender.id)
  const contexts: BrowserContext[] = []
  const taken: Tab[] = []
  let watch: Watch = { complaints: [], allowed: [] }

  const context: Dashboard['context'] = async (look = {}) => {
    const made = await openContext(browser, url, lookOf(look))
    const ofThisTest = watch
    watchContext(made, url, () => ofThisTest)
    contexts.push(made)
    return made
  }
  const take = async (look: Look = {}, mayRest = false) => {
    const tab = await tabs.take(lookOf(look), look.savesData ?? true, watch, mayRest)
    taken.push(tab)
    return tab
  }
  return {
    url,
    service,
    sender,
    browser,
    context,
    person: (role, teamId) => person(role, teamId),
    async open(path, look = {}) {
      const { role = 'owner', teamId = sender.id, isOperator = false } = look
      const at = path.startsWith('/app') ? path : `/app/${teamId}${path === '/' ? '' : path}`
      const mayRest = role !== null && !(look.isLoaded ?? isLoadedToday(path))
      const { context: own, page, isResting } = await take(look, mayRest)
      if (role !== null) await logIn(own, url, await person(role, teamId, isOperator))
      if (mayRest && isResting) await visit(page, at)
      else await page.goto(at).then(() => ready(page))
      return page
    },
    page: async (look) => (await take(look)).page,
    allow: (complaint) => void watch.allowed.push(complaint),
    async close() {
      await Promise.all([
        ...contexts.splice(0).map((each) => each.close()),
        ...taken.splice(0).map((tab) => tabs.giveBack(tab)),
      ])
      const { complaints, allowed } = watch
      watch = { complaints: [], allowed: [] }
      return complaints.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint)))
    },
    async stop() {
      if (environment === undefined) return
      await tabs.closeAll()
      await service.stop()
    },
  }
}

/** Returns whether today, as always in a full run, this test loads the page. */
function isLoadedToday(path: string): boolean {
  const { currentTestName = '' } = expect.getState()
  const name = currentTestName + path.replaceAll(/[\da-f-]{36}/g, '')
  const sum = [...name].reduce((total, character) => total + character.charCodeAt(0), seedOfToday())
  return isFull || sum % LOADED_OUT_OF === 0
}

/** Returns a function that creates a person for each role, team and operator flag once. */
function rememberPeople(service: TestSendwright, ownTeamId: string) {
  const people = new Map<string, Promise<GivenPerson>>()
  return (role: Role, teamId: string | null = ownTeamId, isOperator = false) => {
    const id = `${role} ${teamId} ${isOperator}`
    const known = people.get(id) ?? givenPerson(service.db, teamId, { role, name: NAMES[role], isOperator })
    people.set(id, known)
    return known
  }
}

async function logIn(context: BrowserContext, url: string, person: GivenPerson): Promise<void> {
  const token = await person.logIn()
  await context.addCookies([
    { name: 'sendwright_session', value: token, url, httpOnly: true, sameSite: 'Strict' },
  ])
}

/**
 * Opens one dashboard for a test file (`startDashboard`). A test fails when its browser complained of anything, or contacted
 * another host.
 */
export function givenDashboard(environment?: Record<string, string>): Dashboard {
  let started: Dashboard | undefined
  beforeAll(async () => {
    started = await startDashboard(environment)
  })
  afterEach(async () => expect(((await started?.close()) ?? []).join('\n')).toBe(''))
  afterAll(() => started?.stop())
  return new Proxy({} as Dashboard, {
    get(_, name) {
      if (started === undefined) throw new Error('The dashboard is available only from the first test on.')
      return Reflect.get(started, name) as unknown
    },
  })
}

/** Waits until the page has its heading and no placeholders. */
export async function ready(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  // Not waitForFunction, which polls with eval, which the page's policy forbids.
  await page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => true)')
}

/**
 * Leads from a page of the dashboard to another one as a link does, and waits until it is ready. It costs a fifth of loading
 * the page, which is for tests of what a first load shows.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(VISIT, path)
  await ready(page)
}

/** Resolves when the router has rendered the page: until then, the page before is still there. */
const VISIT = (path: string) =>
  new Promise<void>((resolve) => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as { __TSR_ROUTER__: AnyRouter }
    const stop = router.subscribe('onRendered', () => {
      stop()
      resolve()
    })
    router.history.push(path)
  })

/** The part of TanStack Router that `visit` uses. */
interface AnyRouter {
  subscribe(event: 'onRendered', call: () => void): () => void
  history: { push(path: string): void }
}

const NAMES: Readonly<Record<Role, string>> = {
  owner: 'Olivia Berg',
  admin: 'Adam Cole',
  member: 'Mia Tanaka',
  viewer: 'Victor Lind',
}

function lookOf({ width = 1440, height, scheme = 'light' }: Look) {
  const isPhone = width <= PHONE_WIDTH_MAX
  return {
    viewport: { width, height: height ?? (isPhone ? HEIGHTS.phone : HEIGHTS.wide) },
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme: scheme,
    // Disable animations.
    reducedMotion: 'reduce' as const,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
  }
}
