import type { Browser, CDPSession, Page } from 'playwright-core'
import type { Visit } from './load-page.ts'

export const ROWS = 100_000
const FRAMES = 300
/** Somewhere in the middle of the loaded rows. */
const START_PX = 200_000
/** About three rows a frame, as a fast wheel scrolls. */
const STEP_PX = 120

export interface Scroll {
  /** Times between frames, which other programs on the machine lengthen. */
  frameMs: readonly number[]
  /** The processor time of the page's main thread for each frame. */
  cpuMsPerFrame: number
  /** Rows in the document while all are loaded. */
  drawnRows: number
  heapMb: number
}

/** Loads 100,000 rows into the list of emails page by page, and scrolls through them. The API's pages are made up. */
export async function scrollList(browser: Browser, { url, cookie }: Visit): Promise<Scroll> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'sendwright_session', value: cookie ?? '', url: new URL(url).origin }])
  try {
    const page = await context.newPage()
    await page.route(
      ({ pathname }) => pathname === '/emails',
      (route) => route.fulfill({ json: pageOfEmails(new URL(route.request().url())) }),
    )
    await page.goto(url)
    await page.locator('tr[data-key]').first().waitFor()
    const protocol = await context.newCDPSession(page)
    await protocol.send('Performance.enable', { timeDomain: 'threadTicks' })
    await loadAll(page)
    return await measure(page, protocol)
  } finally {
    await context.close()
  }
}

const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`

function pageOfEmails({ searchParams }: URL): object {
  const after = searchParams.get('after')
  const first = after === null ? 0 : Number(after.slice(-12)) + 1
  const count = Math.min(Number(searchParams.get('limit')), ROWS - first)
  const data = Array.from({ length: count }, (_, at) => emailAt(first + at))
  return { object: 'list', data, has_more: first + count < ROWS, meta: { total: ROWS } }
}

function emailAt(index: number): object {
  return {
    object: 'email',
    id: idOf(index),
    created_at: '2026-11-20 10:00:00',
    from: 'Orders <orders@example.test>',
    to: [`person-${index}@customers.test`],
    cc: [],
    bcc: [],
    reply_to: [],
    subject: `Your order ${index} is on its way`,
    status: index % 7 === 0 ? 'bounced' : 'delivered',
    last_event: 'delivered',
    tags: index % 3 === 0 ? [{ name: 'kind', value: 'order' }] : [],
    domain: { id: idOf(1), name: 'example.test' },
    template: null,
    scheduled_at: null,
  }
}

/** Scrolls to the end until the last page is loaded. Scripts of the page are text, because the bench knows no DOM. */
async function loadAll(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const step = () => {
      window.scrollTo(0, document.body.scrollHeight)
      if (document.querySelector('tr[data-index="${ROWS - 1}"]') === null) requestAnimationFrame(step)
      else resolve()
    }
    step()
  })`)
}

async function measure(page: Page, protocol: CDPSession): Promise<Scroll> {
  await page.evaluate(`window.scrollTo(0, ${START_PX})`)
  await page.waitForTimeout(500)
  const before = await readMetric(protocol, 'TaskDuration')
  const frameMs = await page.evaluate<number[]>(`new Promise((resolve) => {
    const times = []
    let last = performance.now()
    const onFrame = (now) => {
      times.push(now - last)
      last = now
      window.scrollBy(0, ${STEP_PX})
      if (times.length <= ${FRAMES}) requestAnimationFrame(onFrame)
      else resolve(times.slice(1))
    }
    requestAnimationFrame(onFrame)
  })`)
  const taskSeconds = (await readMetric(protocol, 'TaskDuration')) - before
  return {
    frameMs,
    cpuMsPerFrame: (taskSeconds * 1_000) / frameMs.length,
    drawnRows: await page.locator('tr[data-key]').count(),
    heapMb: (await readMetric(protocol, 'JSHeapUsedSize')) / 1024 ** 2,
  }
}

async function readMetric(protocol: CDPSession, name: string): Promise<number> {
  const { metrics } = await protocol.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
}
