import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
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
        await page.screenshot({ path: join(FOLDER, `${name}-${width}-${scheme}.png`), fullPage: true })
        await page.context().close()
      }
    }
  })
}
