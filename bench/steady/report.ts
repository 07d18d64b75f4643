import { readSection, replaceSection } from '../support/section.ts'
import { formatOutcome, type Outcome, type SteadyFigure } from './outcome.ts'

const HEADING = 'Fair and steady'

/**
 * Returns the page of results with a new part of the section, which replaces an older one.
 * @param by the sentence about the run
 */
export function replacePart(
  page: string,
  { name, title, note }: SteadyFigure,
  outcome: Outcome,
  by: string,
): string {
  const part = `### ${name}: ${title}\n\n${by} ${note}\n\n${formatOutcome(outcome)}\n`
  const old = readSection(page, HEADING).replace(`\n## ${HEADING}\n`, '')
  const [head = '', ...parts] = old.split(/^(?=### )/m)
  const others = parts.filter((one) => !one.startsWith(`### ${name}:`)).map((one) => `${one.trim()}\n`)
  return replaceSection(page, HEADING, [`${head.trim()}\n`, ...others, part].join('\n'))
}
