import type { Browser, BrowserContext } from 'playwright-core'

/** The conditions of a slow phone: Lighthouse's "Slow 4G", and a quarter of this processor's speed. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}
const CPU_RATE = 4

export interface Load {
  /** The first paint (First Contentful Paint), and the paint of the page's heading. */
  firstContentMs: number
  headingMs: number
  /** The transferred sizes, including headers. */
  scriptKb: number
  allKb: number
}

export interface Visit {
  url: string
  /** The session cookie; null to visit without a login. */
  cookie: string | null
}

/** Loads a page with an empty cache, and waits for the last request. */
export async function loadPage(browser: Browser, { url, cookie }: Visit): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  if (cookie !== null)
    await context.addCookies([{ name: 'sendwright_session', value: cookie, url: new URL(url).origin }])
  try {
    return await measure(context, url)
  } finally {
    await context.close()
  }
}

async function measure(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('Network.enable')
  await protocol.send('Network.emulateNetworkConditions', NETWORK)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
  const kinds = new Map<string, string>()
  const bytes = { script: 0, all: 0 }
  protocol.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength
    if (kinds.get(requestId) === 'Script') bytes.script += encodedDataLength
  })
  const startedMs = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor()
  const headingMs = performance.now() - startedMs
  await page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  const firstContentMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime",
  )
  return { firstContentMs, headingMs, scriptKb: bytes.script / 1024, allKb: bytes.all / 1024 }
}
