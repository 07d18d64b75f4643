import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { givenDashboard, ready } from './support/dashboard.ts'

const dashboard = givenDashboard()
const SCRIPT_BYTES_MAX = 300 * 1024

/** Returns the size of all scripts that a page loads, as transferred. */
async function weigh(page: Page, path: string): Promise<number> {
  const lengths: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    lengths.push(response.headerValue('content-length').then(Number))
  })
  await page.goto(path)
  await ready(page)
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0)
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
