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
