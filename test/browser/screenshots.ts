import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, test } from 'vitest'
import { type Dashboard, givenDashboard, type Look } from './support/dashboard.ts'
import { CAPTURE_PAGES, PAGES } from './support/pages.ts'
import { fillTeam, type Sample } from './support/sample.ts'
import { ORDER_MAIL } from './support/sample-emails.ts'

const FOLDER = join(import.meta.dirname, '../screenshots')
const WIDTHS = [1440, 390]
const SCHEMES = ['light', 'dark'] as const

beforeAll(() => void mkdirSync(FOLDER, { recursive: true }))

describe('where mail is delivered', () => {
  const dashboard = givenDashboard()
  let sample: Sample
  beforeAll(async () => {
    sample = await fillTeam(dashboard)
  })
  test.each(PAGES)('$name', ({ name, path, look = {} }) =>
    takeScreenshots(dashboard, name, typeof path === 'string' ? path : path(sample), look),
  )
})

describe('in capture mode', () => {
  const dashboard = givenDashboard({ SENDWRIGHT_DELIVERY: 'capture' })
  const list = async () => (await dashboard.sender.get('/captured')).json.data
  beforeAll(async () => {
    const { sender } = dashboard
    const from = `Harbour Coffee <orders@${sender.domain}>`
    for (const name of ['finn', 'cleo', 'bob', 'ann'])
      await sender.settled(await sender.send({ from, to: `${name}@there.test`, ...ORDER_MAIL }))
  })
  test.each(CAPTURE_PAGES)('$name', async ({ name, path }) => {
    const [newest] = await list()
    await takeScreenshots(dashboard, name, path(newest.id), {})
  })
})

/** Takes screenshots for desktop and phone, light and dark. */
async function takeScreenshots(dashboard: Dashboard, name: string, path: string, look: Look): Promise<void> {
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      const page = await dashboard.open(path, { ...look, width, scheme })
      await unroll(page, width)
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${scheme}.png`) })
      await page.context().close()
    }
  }
}

/** Resizes the viewport to the height of the page, so that fixed elements are in place. */
async function unroll(page: Page, width: number): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
}
