import { formatOutcome, type Outcome, type SteadyFigure } from './outcome.ts'

const HEADING = '## Fair and steady'
const LISTS = '\n## Lists\n'

/** Splits the page around the section, which ends before the section about lists or with the page. */
function splitPage(page: string): { before: string; section: string; after: string } {
  const listsAt = page.indexOf(LISTS)
  const end = listsAt === -1 ? page.length : listsAt
  const at = page.indexOf(`\n${HEADING}\n`)
  if (at === -1)
    return { before: page.slice(0, end).trimEnd(), section: `\n${HEADING}\n`, after: page.slice(end) }
  return { before: page.slice(0, at).trimEnd(), section: page.slice(at, end), after: page.slice(end) }
}

/** Returns the section, to keep it when the page is rewritten, or '' if the page has none. */
export function readSteadySection(page: string): string {
  return page.includes(`\n${HEADING}\n`) ? splitPage(page).section : ''
}

/** Returns the page of results with a new part of the section, which replaces an older one. */
export function replacePart(
  page: string,
  { name, title, note }: SteadyFigure,
  outcome: Outcome,
  machine: readonly [string, string][],
): string {
  const { before, section, after } = splitPage(page)
  const kept = machine.filter(([what]) => ['date', 'commit', 'CPU', 'memory'].includes(what))
  const part = `### ${name}: ${title}

By \`npm run bench -- ${name}\`, ${kept.map(([what, value]) => `${what} ${value}`).join(', ')}. ${note}

${formatOutcome(outcome)}
`
  const [head = '', ...parts] = section.split(/^(?=### )/m)
  const others = parts.filter((one) => !one.startsWith(`### ${name}:`)).map((one) => `${one.trim()}\n`)
  return `${before}\n${head.trimEnd()}\n\n${[...others, part].join('\n')}${after}`
}
