import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What keeps people from using the page as it is now: a line a violation, with the first elements that are wrong. Evaluated
 * by the browser's debugger, which the page's Content-Security-Policy does not bind.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE)
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'], iframes: false })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return violations.map(({ id, help, nodes }) => {
    const examples = nodes.slice(0, 3).map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`)
    return [`${id}: ${help} (${nodes.length})`, ...examples].join('\n')
  })
}
