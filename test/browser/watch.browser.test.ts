import { expect, test } from 'vitest'
import { givenDashboard } from './support/dashboard.ts'

const dashboard = givenDashboard()

test('a request to another host is reported', async () => {
  const page = await dashboard.page()
  await page.goto('/app/login')
  await page.evaluate(() => fetch('https://elsewhere.test/').catch(() => null))
  await expect.poll(() => dashboard.close()).toContainEqual(expect.stringContaining('elsewhere.test'))
})
