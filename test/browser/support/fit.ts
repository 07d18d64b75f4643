import type { Page } from 'playwright-core'

/** Returns by how many pixels the page is wider than the window; 0 when it fits. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}
