import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { givenDashboard, ready } from './support/dashboard.ts'

/** A service of its own, because it stops. */
const dashboard = givenDashboard({})

let isAway = false
async function stopApi(): Promise<void> {
  dashboard.allow(/ERR_CONNECTION_(REFUSED|RESET)|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED/)
  dashboard.allow(/dynamically imported|PageCodeError/)
  // A page that notices the end of its stream of events at once opens another one, which a stopping server refuses.
  dashboard.allow(/status 503: .*\/events|responded with a status of 503/)
  isAway = true
  await dashboard.service.restart({}, ['deliver'])
}
async function startApi(): Promise<void> {
  await dashboard.service.restart({}, ['api', 'deliver', 'scheduler', 'webhooks'])
  isAway = false
}
afterEach(async () => {
  if (isAway) await startApi()
})

const openMetrics = (page: Page) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Metrics' }).click()
const reconnecting = (page: Page) => page.getByRole('status').getByText('Reconnecting…')
/** The code of the dashboard that the page has not loaded. */
const missingCode = (page: Page) =>
  page.evaluate(() => {
    const files = document.querySelector<HTMLMetaElement>('meta[name="sendwright-code"]')?.content.split(' ')
    const loaded = new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))
    return files?.filter((file) => !loaded.has(file))
  })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('a page whose code is not loaded waits for the server, and opens without a click', async () => {
  const page = await dashboard.open('/emails')
  // A routed page has no cache, so nothing is prefetched.
  await page.route('**/*', (route) => route.continue())
  await stopApi()
  await openMetrics(page)
  await page.getByText('This page opens as soon as the server is back.').waitFor()
  await reconnecting(page).waitFor()
  // The frame stays, and so do the pages that are loaded.
  await page.getByRole('link', { name: 'Emails', exact: true }).click()
  await heading(page, 'Emails').waitFor()
  await openMetrics(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await startApi()
  await heading(page, 'Metrics').waitFor()
  await reconnecting(page).waitFor({ state: 'detached' })
})

test('when the browser is idle, it loads the code of all pages, which then open without the server', async () => {
  const page = await dashboard.open('/emails', { savesData: false })
  await expect.poll(() => missingCode(page)).toEqual([])
  await stopApi()
  await openMetrics(page)
  await heading(page, 'Metrics').waitFor()
})

test('for a user who saves data, the browser loads no code in advance', async () => {
  const page = await dashboard.page({ savesData: true })
  const loaded: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch' && request.url().includes('/assets/')) loaded.push(request.url())
  })
  await page.clock.install()
  await page.goto('/app/login')
  await ready(page)
  await page.clock.runFor(60_000)
  // The browser reports requests in order.
  expect(await page.evaluate(() => fetch('/healthz').then(({ status }) => status))).toBe(200)
  expect(loaded).toEqual([])
})

test('a page that is only looked at says that the server is away, and catches up', async () => {
  const page = await dashboard.open('/emails')
  expect(await reconnecting(page).count()).toBe(0)
  await stopApi()
  await reconnecting(page).waitFor()
  await startApi()
  await dashboard.sender.send({ subject: 'Accepted after the restart' })
  await page.getByRole('row', { name: /Accepted after the restart/ }).waitFor()
  expect(await reconnecting(page).count()).toBe(0)
})
