import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Returns the accessibility violations of the current page, one line each, with the first affected elements.
 * Evaluated by the browser's debugger, to which the page's Content-Security-Policy does not apply.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  // Once for each document: the browser takes as long to compile it as for some rules.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(SOURCE)
  const options = JSON.stringify({
    runOnly: RULES,
    resultTypes: ['violations'],
    iframes: false,
    preload: false,
  })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return violations.map(({ id, help, nodes }) => {
    const examples = nodes.slice(0, 3).map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`)
    return [`${id}: ${help} (${nodes.length})`, ...examples].join('\n')
  })
}
