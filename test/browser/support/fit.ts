import type { Page } from 'playwright-core'

/**
 * Returns by how many pixels the page is wider than the window; 0 when it fits. It does not use `innerWidth`, because phones
 * zoom out until a page that is too wide fits, and `innerWidth` grows with that.
 */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
