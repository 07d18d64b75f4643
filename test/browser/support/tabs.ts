import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Watch, watchContext } from './watch.ts'

/** A page that is alone in its browser context: cookies, storage, cache. */
export interface Tab {
  context: BrowserContext
  page: Page
}

interface Held extends Tab {
  look: string
  watch: Watch
  /** Whether a test changed something that `clean` cannot take back. */
  isMarked: boolean
}

/** A page of the server without scripts: there, nothing of the dashboard runs or requests. */
const QUIET_PATH = '/healthz'
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

/**
 * Lends pages of one server. A page of a new context costs two seconds of processor time, most of it for a new process that
 * compiles the dashboard again; one that was returned costs a third. So a returned page is lent again, without cookies,
 * storage and further pages. One that a test marked is closed instead.
 */
export function createTabs(browser: Browser, url: string) {
  const free: Held[] = []
  const lent = new Map<Page, Held>()

  async function make(
    look: string,
    options: BrowserContextOptions,
    watch: Watch,
    savesData: boolean,
  ): Promise<Held> {
    const context = await openContext(browser, url, options)
    const held: Held = { context, page: await context.newPage(), look, watch, isMarked: false }
    if (savesData) {
      const session = await context.newCDPSession(held.page)
      await session.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
    }
    watchContext(context, url, () => held.watch)
    const mark = () => {
      held.isMarked = true
    }
    context.once('close', mark)
    for (const each of [context, held.page]) callBefore(each, MARKS, mark)
    return held
  }
  return {
    /** Lends a page without cookies. Its complaints go to `watch`. */
    async take(options: BrowserContextOptions, watch: Watch, savesData: boolean): Promise<Tab> {
      const look = JSON.stringify({ ...options, savesData })
      const index = free.findIndex((each) => each.look === look)
      const held = index < 0 ? await make(look, options, watch, savesData) : free.splice(index, 1)[0]
      if (held === undefined) throw new Error('A free page disappeared.')
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
async function clean({ context, page }: Held, url: string): Promise<boolean> {
  try {
    const others = context.pages().filter((each) => each !== page)
    await Promise.all(others.map((each) => each.close()))
    const response = await page.goto(`${url}${QUIET_PATH}`)
    if (response?.ok() !== true) return false
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

/** Calls `call` before each call of a method of `object` that `names` has. */
function callBefore(object: object, names: ReadonlySet<string>, call: () => void): void {
  for (const name of names) {
    const method: unknown = Reflect.get(object, name)
    if (typeof method !== 'function') continue
    Reflect.set(object, name, (...args: unknown[]) => {
      call()
      return Reflect.apply(method, object, args) as unknown
    })
  }
}
