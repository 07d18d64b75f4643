import type { Locator, Page } from 'playwright-core'
import { isFull, seedOfToday } from '../../support/thorough.ts'
import { violationsOf } from './axe.ts'
import { type Dashboard, type Look, visit } from './dashboard.ts'
import { overflowOf } from './fit.ts'

/** The two looks that differ most. */
export const WIDE_OR_PHONE: readonly Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]

/** The limit of a test that checks many pages. A slow or busy machine must not reach it. */
export const MANY_PAGES_MS = 300_000

/** A path in the team, or one that starts with `/app`, and what is waited for if it appears late. */
export type CheckedPage = string | { path: string; shown: (page: Page) => Locator }

/**
 * Returns each page with the looks in which it is checked: all of them in a full run, otherwise one that changes with the day.
 * Pages beside each other get different looks, so that each look is checked every day if there are as many pages.
 */
export function inLooks<Each, Kind>(
  pages: readonly Each[],
  looks: readonly Kind[],
): { page: Each; look: Kind }[] {
  const seed = seedOfToday()
  return looks.flatMap((look, turn) =>
    pages
      .filter((_, index) => isFull || turn === (seed + index) % looks.length)
      .map((page) => ({ page, look })),
  )
}

/**
 * Visits the pages in the looks of the day, and returns what is wrong with them: violations of accessibility, and width that does
 * not fit. One page in the browser shows all pages of a look.
 */
export async function faultsOf(
  dashboard: Dashboard,
  pages: readonly CheckedPage[],
  looks: readonly Look[],
): Promise<string[]> {
  const faults: string[] = []
  const opened = new Map<Look, Page>()
  for (const { page: checked, look } of inLooks(pages, looks)) {
    const page = opened.get(look) ?? (await dashboard.open('/app/account', look))
    opened.set(look, page)
    const { path, shown } = typeof checked === 'string' ? { path: checked } : checked
    await visit(page, path.startsWith('/app') ? path : `/app/${dashboard.sender.id}${path}`)
    await shown?.(page).waitFor()
    const name = `${path} (${look.width}, ${look.scheme})`
    faults.push(...(await violationsOf(page)).map((violation) => `${name}: ${violation}`))
    const overflow = await overflowOf(page)
    if (overflow > 0) faults.push(`${name}: ${overflow} pixels too wide`)
  }
  return faults
}
