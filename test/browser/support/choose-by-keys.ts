import type { Locator, Page } from 'playwright-core'

/**
 * Searches `option` in a combobox and chooses it, with the keyboard alone.
 *
 * The list forgets its chosen option once, by a timer that starts when it opens. No person is faster than that
 * timer, but a test is: so a later timer of the page ends before the option is chosen.
 */
export async function chooseByKeys(page: Page, combobox: Locator, option: string): Promise<void> {
  await combobox.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(option)
  await page.getByRole('listbox').waitFor()
  await page.getByRole('option').filter({ visible: true }).nth(1).waitFor({ state: 'detached' })
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: option }).and(page.locator('[data-combobox-selected]')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}
