import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { givenDashboard } from './support/dashboard.ts'

const dashboard = givenDashboard()

test('a request to another host is reported', async () => {
  const page = await dashboard.page()
  await page.goto('/app/login')
  await page.evaluate(() => fetch('https://elsewhere.test/').catch(() => null))
  await expect.poll(() => dashboard.close()).toContainEqual(expect.stringContaining('elsewhere.test'))
})

test('a page that is lent again has the size and color scheme that its test asks for', async () => {
  const lookOf = (page: Page) =>
    page.evaluate(() => [window.innerWidth, matchMedia('(prefers-color-scheme: dark)').matches])
  expect(await lookOf(await dashboard.page())).toEqual([1440, false])
  expect(await dashboard.close()).toEqual([])
  expect(await lookOf(await dashboard.page({ width: 800, scheme: 'dark' }))).toEqual([800, true])
  expect(await dashboard.close()).toEqual([])
  expect(await lookOf(await dashboard.page())).toEqual([1440, false])
})

test('a page that is lent again without a load has nothing of the test before, nor its user', async () => {
  const first = await dashboard.open('/lists?new=true', { isLoaded: true })
  await first.getByRole('dialog').getByLabel('Name').fill('Of the test before')
  await first.evaluate(() => {
    localStorage.setItem('left', 'behind')
    Object.assign(window, { isSame: true })
  })
  const [before] = await first.context().cookies()
  const heard: string[] = []
  first.on('request', (request) => heard.push(request.url()))
  await first.route('**/contacts*', (route) => route.abort())
  expect(await dashboard.close()).toEqual([])
  heard.length = 0

  const page = await dashboard.open('/contacts', { role: 'viewer', isLoaded: false })
  // At once, not only after the next request.
  expect(await page.getByRole('button', { name: 'You: Victor Lind' }).count()).toBe(1)
  expect(await page.evaluate('window.isSame === true')).toBe(true)
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Add contact' }).count()).toBe(0)
  expect(await page.evaluate(() => localStorage.getItem('left'))).toBeNull()
  const [after] = await page.context().cookies()
  expect(after?.value).not.toBe(before?.value)
  expect(heard).toEqual([])
})
