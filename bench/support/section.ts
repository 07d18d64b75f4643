/** The sections that follow all others, in this order. */
const LAST = ['Fair and steady', 'Lists']

/** Returns a section of the page of results from the line break before its heading, or '' if the page has none. */
export function readSection(page: string, heading: string): string {
  const at = page.indexOf(`\n## ${heading}\n`)
  if (at === -1) return ''
  const next = page.indexOf('\n## ', at + heading.length)
  return page.slice(at, next === -1 ? page.length : next)
}

/** Returns the page with a section in place of an older one of the same heading. `text` has no heading. */
export function replaceSection(page: string, heading: string, text: string): string {
  const section = `\n## ${heading}\n\n${text.trim()}\n`
  const old = readSection(page, heading)
  if (old !== '') return page.replace(old, () => section)
  const later = LAST.slice(LAST.indexOf(heading) + 1)
  const starts = later.map((each) => page.indexOf(`\n## ${each}\n`)).filter((at) => at !== -1)
  const end = Math.min(page.length, ...starts)
  return `${page.slice(0, end).trimEnd()}\n${section}${page.slice(end)}`
}

/** Returns all sections but those of these headings, as they follow the others on the page. */
export function readOtherSections(page: string, headings: readonly string[]): string {
  const [, ...sections] = page.split(/^(?=## )/m)
  const others = sections.filter((section) => !headings.some((each) => section.startsWith(`## ${each}\n`)))
  return others.map((section) => `\n${section.trimEnd()}\n`).join('')
}
