import type { Page } from 'playwright-core'

/** By how many pixels the page must be pushed sideways to be seen; 0 is what phones want. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}
