import type { Browser } from 'playwright-core'
import type { Visit } from './load-page.ts'

/** The places of the sidebar that people change between. */
const PLACES = ['Emails', 'Metrics', 'Templates', 'Home'] as const
const ROUNDS = 3
/** Pointing at a link loads the code of its page. */
const CODE_MS = 700

export interface Change {
  name: string
  /** The processor time of scripts, from the click until the page is complete. The first visit also loads its code. */
  scriptMs: readonly number[]
}

/** Changes between pages by their links in the sidebar. */
export async function changePages(browser: Browser, { url, cookie }: Visit): Promise<Change[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'sendwright_session', value: cookie ?? '', url: new URL(url).origin }])
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const protocol = await context.newCDPSession(page)
    await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
    const read = async () => {
      const { metrics } = await protocol.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN) * 1_000
    }
    const changes = PLACES.map((name) => ({ name, scriptMs: [] as number[] }))
    for (let round = 0; round < ROUNDS; round++)
      for (const { name, scriptMs } of changes) {
        const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
        await link.hover()
        // Not until the network is idle: the event stream of live updates stays open.
        await page.waitForTimeout(CODE_MS)
        const before = await read()
        await link.click()
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        await page.waitForTimeout(200)
        scriptMs.push((await read()) - before)
      }
    return changes
  } finally {
    await context.close()
  }
}
