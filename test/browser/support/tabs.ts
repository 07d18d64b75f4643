import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { type Watch, watchContext } from './watch.ts'

/** A page that is alone in its browser context: cookies, storage, cache. */
export interface Tab {
  context: BrowserContext
  page: Page
  /** Whether it shows the dashboard, without a login and data. */
  isResting: boolean
}

/** How a page looks. A page may be lent with another look than its context was made with. */
interface Look {
  viewport: ViewportSize
  colorScheme: 'light' | 'dark'
}

type Options = BrowserContextOptions & Look

interface Held extends Tab {
  /** Everything else that the context was made with. */
  kind: string
  look: Look
  watch: Watch
  /** Whether a test changed something that cannot be taken back. */
  isMarked: boolean
  /** Remove what a test added: listeners, routes. */
  undo: (() => unknown)[]
}

/** A page of the server without scripts: there, nothing of the dashboard runs or requests. */
const QUIET_PATH = '/healthz'
/** A page of the dashboard that requests nothing and needs no login. */
const RESTING_PATH = '/app/reset'
/** Each leaves something behind in its page or context. */
const MARKS = new Set([
  'addInitScript',
  'emulateMedia',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'on',
  'once',
  'route',
  'routeWebSocket',
  'setExtraHTTPHeaders',
  'setOffline',
  'setViewportSize',
])
/** Of a page, `takeBack` undoes these. */
const UNDONE = new Set(['on', 'once', 'route'])
const CLOCK_MARKS = new Set(['install', 'pauseAt', 'setFixedTime', 'setSystemTime'])

/**
 * Lends pages of one server. A page of a new context costs two seconds of processor time, most of it for a new process that
 * compiles the dashboard again; one that was returned costs a third, and a fifth of that if it still shows the dashboard. So a
 * returned page is lent again, without cookies, storage and further pages, in another size or color scheme if need be. One that
 * a test marked is closed instead.
 */
export function createTabs(browser: Browser, url: string) {
  const free: Held[] = []
  const lent = new Map<Page, Held>()

  async function make(options: Options, savesData: boolean, watch: Watch): Promise<Held> {
    const context = await openContext(browser, url, options)
    const page = await context.newPage()
    const held: Held = {
      context,
      page,
      kind: kindOf(options, savesData),
      look: options,
      watch,
      isMarked: false,
      isResting: false,
      undo: [],
    }
    if (savesData) await saveData(page)
    // A further page may be closed before.
    if (savesData) context.on('page', (further) => void saveData(further).catch(() => null))
    watchContext(context, url, () => held.watch)
    markChanges(held)
    return held
  }
  /** Prefers a page that rests in the dashboard, or one that does not; among these, the one that was returned last. */
  function takeFree(kind: string, isResting: boolean): Held | undefined {
    const alike = free.filter((each) => each.kind === kind)
    const found = alike.findLast((each) => each.isResting === isResting) ?? alike.at(-1)
    if (found !== undefined) free.splice(free.indexOf(found), 1)
    return found
  }
  return {
    /**
     * Lends a page without cookies. Its complaints go to `watch`.
     * @param mayRest whether it may show the dashboard, in a place that requests nothing; otherwise it has no scripts
     */
    async take(options: Options, savesData: boolean, watch: Watch, mayRest: boolean): Promise<Tab> {
      const known = takeFree(kindOf(options, savesData), mayRest)
      const isUsable = known !== undefined && (mayRest || !known.isResting || (await quieten(known, url)))
      const held = isUsable ? known : await make(options, savesData, watch)
      if (known !== undefined && !isUsable) await known.context.close()
      await show(held, options)
      held.watch = watch
      lent.set(held.page, held)
      return held
    },
    /** Takes a page back. Afterwards it causes no complaints. */
    async giveBack({ page }: Tab): Promise<void> {
      const held = lent.get(page)
      lent.delete(page)
      if (held === undefined) return
      if (!held.isMarked && (await clean(held, url))) free.push(held)
      else await held.context.close()
    },
    async closeAll(): Promise<void> {
      await Promise.all([...lent.values(), ...free.splice(0)].map(({ context }) => context.close()))
    },
  }
}

/** Follows what a test changes in a page: listeners and routes to be undone, and marks. */
function markChanges(held: Held): void {
  const { context, page, undo } = held
  const mark = () => {
    held.isMarked = true
  }
  context.once('close', mark)
  callBefore(context, MARKS, mark)
  callBefore(page, new Set([...MARKS].filter((name) => !UNDONE.has(name))), mark)
  callBefore(page.clock, CLOCK_MARKS, mark)
  callBefore(page, UNDONE, (name, [event, listener]) => {
    if (name === 'route') undo.push(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
    else undo.push(() => page.off(event as 'close', listener as () => void))
  })
}

/** Returns what only a new context can change. */
const kindOf = ({ viewport: _viewport, colorScheme: _scheme, ...others }: Options, savesData: boolean) =>
  JSON.stringify({ ...others, savesData })

/** Sets in the browser that the user of a page saves data. */
async function saveData(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
}

/** Gives a page another size and color scheme, which costs little beside a new context. */
async function show(held: Held, { viewport, colorScheme }: Look): Promise<void> {
  const { page, look } = held
  if (viewport.width !== look.viewport.width || viewport.height !== look.viewport.height)
    await page.setViewportSize(viewport)
  if (colorScheme !== look.colorScheme) await page.emulateMedia({ colorScheme })
  held.look = { viewport, colorScheme }
  // Unlike what a test changes, this is known.
  held.isMarked = false
}

export type Tabs = ReturnType<typeof createTabs>

/** Creates a browser context for pages of the server. */
export async function openContext(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, ...options })
  context.setDefaultTimeout(15_000)
  return context
}

/** Returns whether the page could be made like new; not if its server is away. */
async function clean(held: Held, url: string): Promise<boolean> {
  const { context, page, undo } = held
  try {
    const others = context.pages().filter((each) => each !== page)
    await Promise.all([...others.map((each) => each.close()), ...undo.splice(0).map((each) => each())])
    // Whatever page comes next, nothing lies below the pointer and shows its hint.
    await page.mouse.move(-1, -1)
    held.isResting = await page.evaluate(REST, RESTING_PATH)
    if (!held.isResting) return await quieten(held, url)
    await context.clearCookies()
    return true
  } catch {
    return false
  }
}

/** Leads a page to one without scripts, and clears what it stored. Returns whether that was possible. */
async function quieten(held: Held, url: string): Promise<boolean> {
  const { context, page } = held
  try {
    const response = await page.goto(`${url}${QUIET_PATH}`)
    if (response?.ok() !== true) return false
    held.isResting = false
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await context.clearCookies()
    return true
  } catch {
    return false
  }
}

/**
 * Leads the dashboard to its resting place as a link does, and clears its data and what it stored. Returns false if it is not the
 * dashboard, or if something stays that only a load clears: an open notification or dialog, a chosen color scheme, an ended session,
 * the open palette.
 */
const REST = async (path: string): Promise<boolean> => {
  const { __TSR_ROUTER__: router } = globalThis as unknown as { __TSR_ROUTER__?: RestingRouter }
  const heads = [...document.querySelectorAll('[role="dialog"] h2')].map(({ textContent }) => textContent)
  const staysUntilLoad =
    localStorage.getItem('sendwright-colours') !== null ||
    heads.includes('Your session has ended') ||
    document.querySelector('.reconnecting:not([hidden]), .mantine-Spotlight-content') !== null
  if (router === undefined || location.pathname === path || staysUntilLoad) return false
  const within = (until: () => boolean) =>
    new Promise<boolean>((resolve) => {
      const endMs = performance.now() + 2_000
      const look = () => {
        if (until() || performance.now() > endMs) resolve(until())
        else setTimeout(look, 10)
      }
      look()
    })
  const areGone = (selector: string) => within(() => document.querySelector(selector) === null)
  for (const button of document.querySelectorAll<HTMLElement>('.mantine-Notification-closeButton'))
    button.click()
  const { client } = router.options.context
  // It asks nobody whether to leave a page with changes.
  router.history.push(path, {}, { ignoreBlocker: true })
  const isThere = () => {
    const { status, location: asked, resolvedLocation: shown } = router.state
    return status === 'idle' && asked.pathname === shown?.pathname && location.pathname === path
  }
  if (!(await within(isThere))) return false
  await client.cancelQueries()
  client.clear()
  if (!(await areGone('[role="dialog"], .mantine-Notification-root'))) return false
  localStorage.clear()
  sessionStorage.clear()
  return true
}

/** The parts of TanStack Router and Query that `REST` uses. */
interface RestingRouter {
  history: { push(path: string, state: object, options: { ignoreBlocker: boolean }): void }
  state: { status: string; location: { pathname: string }; resolvedLocation?: { pathname: string } }
  options: { context: { client: { cancelQueries(): Promise<void>; clear(): void } } }
}

/** Calls `call` before each call of a method of `object` that `names` has. */
function callBefore(
  object: object,
  names: ReadonlySet<string>,
  call: (name: string, args: readonly unknown[]) => void,
): void {
  for (const name of names) {
    const method: unknown = Reflect.get(object, name)
    if (typeof method !== 'function') continue
    Reflect.set(object, name, (...args: unknown[]) => {
      call(name, args)
      return Reflect.apply(method, object, args) as unknown
    })
  }
}
