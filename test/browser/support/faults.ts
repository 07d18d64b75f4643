import { basename } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
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

/** Returns the pages of the day: one of `outOf`, or all in a full run. */
export function ofToday<Each>(pages: readonly Each[], outOf: number): Each[] {
  const seed = seedOfToday()
  return pages.filter((_, index) => isFull || (seed + index) % outOf === 0)
}

/** Returns each page with the looks in which it is checked: all in a full run, otherwise one, and pages beside each other differ. */
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
 * Returns the look of the day for this test file, because each look costs a page of its own; all looks in a full run. Names of
 * files differ in length, so most files have another look than the next.
 */
function looksOfToday(looks: readonly Look[]): readonly Look[] {
  if (isFull) return looks
  const { testPath = '' } = expect.getState()
  return looks.slice((seedOfToday() + basename(testPath).length) % looks.length).slice(0, 1)
}

/**
 * Visits the pages in the look of the day, and returns what is wrong with them: violations of accessibility, and width that does
 * not fit. One page in the browser shows all pages of a look.
 */
export async function faultsOf(
  dashboard: Dashboard,
  pages: readonly CheckedPage[],
  looks: readonly Look[],
): Promise<string[]> {
  const faults: string[] = []
  for (const look of looksOfToday(looks)) {
    const page = await dashboard.open('/app/account', look)
    for (const checked of pages) faults.push(...(await faultsIn(page, dashboard.sender.id, look, checked)))
  }
  return faults
}

async function faultsIn(page: Page, teamId: string, look: Look, checked: CheckedPage): Promise<string[]> {
  const { path, shown } = typeof checked === 'string' ? { path: checked } : checked
  await visit(page, path.startsWith('/app') ? path : `/app/${teamId}${path}`)
  await shown?.(page).waitFor()
  const name = `${path} (${look.width}, ${look.scheme})`
  const faults = (await violationsOf(page)).map((violation) => `${name}: ${violation}`)
  const overflow = await overflowOf(page)
  if (overflow > 0) faults.push(`${name}: ${overflow} pixels too wide`)
  return faults
}
