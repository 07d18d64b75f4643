import type { Page, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { givenDashboard, ready } from './support/dashboard.ts'

const dashboard = givenDashboard()
const SCRIPT_BYTES_MAX = 300 * 1024

/** Returns the size of all scripts that a page loads, as transferred. */
async function weigh(page: Page, path: string): Promise<number> {
  const scripts: Response[] = []
  const note = (response: Response) => {
    if (response.request().resourceType() === 'script') scripts.push(response)
  }
  page.on('response', note)
  await page.goto(path)
  await ready(page)
  // The code of other pages, which is loaded in advance from now on, may not arrive before the page closes.
  page.off('response', note)
  const lengths = await Promise.all(scripts.map((script) => script.headerValue('content-length')))
  return lengths.reduce((sum, length) => sum + Number(length), 0)
}

test.each(['', '/emails', '/templates', '/contacts', '/domains'])(
  'at most 300 KB of scripts for the first load of the page %j of a team',
  async (path) => {
    const page = await dashboard.open('/smtp')
    const fresh = await page.context().newPage()
    const bytes = await weigh(fresh, `/app/${dashboard.sender.id}${path}`)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThanOrEqual(SCRIPT_BYTES_MAX)
  },
)

test('scripts are compressed, and cached by browsers for a year', async () => {
  const page = await dashboard.page()
  const loaded = page.waitForResponse((response) => response.url().endsWith('.js'))
  await page.goto('/app/login')
  const headers = await (await loaded).allHeaders()
  expect(headers).toMatchObject({ 'content-encoding': 'br', 'x-content-type-options': 'nosniff' })
  expect(headers['cache-control']).toContain('immutable')
})
