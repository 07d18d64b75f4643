import { describe, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'

const dashboard = givenDashboard({ SENDWRIGHT_DELIVERY: 'capture', SENDWRIGHT_HOSTNAME: 'localhost' })

describe('the page Go live', () => {
  test('is linked from the strip of capture mode, and says how to leave it', async () => {
    const page = await dashboard.open('/emails', { isOperator: true })
    await page
      .getByRole('complementary', { name: 'Capture mode' })
      .getByRole('link', { name: 'Go live' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Go live' }).waitFor()
    await page.getByText('SENDWRIGHT_DELIVERY=direct').waitFor()
    await page.getByText('Only capture mode accepted it.').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('runs the checks of the server for an operator, and shows what to do', async () => {
    const page = await dashboard.open('/go-live', { isOperator: true })
    const checks = page.getByRole('list', { name: 'Checks of the server' })
    await expect.poll(() => checks.getByText('Not checked').count()).toBe(7)
    await page.getByRole('button', { name: 'Check the server' }).click()
    await checks.getByText('It is not a public DNS name.').waitFor()
    await checks.getByText(/Set SENDWRIGHT_HOSTNAME to a full name/).waitFor()
    await page.getByText(/You can check again in \d+ s/).waitFor({ timeout: 30_000 })
    expect(await page.getByRole('button', { name: 'Check again' }).isDisabled()).toBe(true)
  })

  test('shows a member the result of the server, but no finding', async () => {
    const page = await dashboard.open('/go-live', { role: 'viewer' })
    await page.getByText('An operator of this installation checks the server.').waitFor()
    expect(await page.getByRole('button', { name: /Check/ }).count()).toBe(0)
    expect(await page.getByText('SENDWRIGHT_DELIVERY').count()).toBe(0)
  })

  for (const scheme of ['light', 'dark'] as const) {
    test(`fits a phone in ${scheme}`, async () => {
      const page = await dashboard.open('/go-live', { isOperator: true, width: 390, scheme })
      await page.getByText('SENDWRIGHT_DELIVERY=direct').waitFor()
      expect(await overflowOf(page)).toBe(0)
      // The list clips what is too wide, so the page alone does not show it.
      const clipped =
        '[...document.querySelectorAll(".checks")].filter((list) => list.scrollWidth > list.clientWidth).length'
      expect(await page.evaluate(clipped)).toBe(0)
      expect(await violationsOf(page)).toEqual([])
    })
  }
})
