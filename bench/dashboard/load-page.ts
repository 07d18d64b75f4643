import type { Browser, BrowserContext } from 'playwright-core'

/** What somebody with a slow phone sees: Lighthouse's "Slow 4G", and a processor a quarter as fast as this one. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}
const CPU_RATE = 4

export interface Load {
  /** First paint of anything (First Contentful Paint), and the page's own heading. */
  firstContentMs: number
  headingMs: number
  /** As they come over the wire, with their headers. */
  scriptKb: number
  allKb: number
}

export interface Visit {
  url: string
  /** Of a session; null: nobody is logged in. */
  cookie: string | null
}

/** Loads a page in a browser that has seen nothing yet, to the last request. */
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
