import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core'
import { type Watch, watchContext } from './watch.ts'

/** A page that is alone in its browser context: cookies, storage, cache. */
export interface Tab {
  context: BrowserContext
  page: Page
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
 * storage and further pages, in another size or color scheme if need be. One that a test marked is closed instead.
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
    }
    if (savesData) await saveData(page)
    // A further page may be closed before.
    if (savesData) context.on('page', (further) => void saveData(further).catch(() => null))
    watchContext(context, url, () => held.watch)
    const mark = () => {
      held.isMarked = true
    }
    context.once('close', mark)
    for (const each of [context, page]) callBefore(each, MARKS, mark)
    return held
  }
  function takeFree(kind: string): Held | undefined {
    const index = free.findIndex((each) => each.kind === kind)
    return index < 0 ? undefined : free.splice(index, 1)[0]
  }
  return {
    /** Lends a page without cookies. Its complaints go to `watch`. */
    async take(options: Options, savesData: boolean, watch: Watch): Promise<Tab> {
      const held = takeFree(kindOf(options, savesData)) ?? (await make(options, savesData, watch))
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
