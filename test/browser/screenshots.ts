import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { givenDashboard } from './support/dashboard.ts'
import { PAGES } from './support/pages.ts'
import { fillTeam, type Sample } from './support/sample.ts'

const FOLDER = join(import.meta.dirname, '../screenshots')
const WIDTHS = [1440, 390]
const SCHEMES = ['light', 'dark'] as const

const dashboard = givenDashboard()
let sample: Sample
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true })
  sample = await fillTeam(dashboard)
})

for (const { name, path, look = {} } of PAGES) {
  test(name, async () => {
    const at = typeof path === 'string' ? path : path(sample)
    for (const width of WIDTHS) {
      for (const scheme of SCHEMES) {
        const page = await dashboard.open(at, { ...look, width, scheme })
        await unroll(page, width)
        await page.screenshot({ path: join(FOLDER, `${name}-${width}-${scheme}.png`) })
        await page.context().close()
      }
    }
  })
}

/** As high as the page is: what stands still while people scroll is in its place then. */
async function unroll(page: Page, width: number): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
}
