/** The section that a new one is placed before, because its parts come from runs of their own. */
const LAST_SECTIONS = '\n## Fair and steady\n'

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
  const at = page.indexOf(LAST_SECTIONS)
  const end = at === -1 ? page.length : at
  return `${page.slice(0, end).trimEnd()}\n${section}${page.slice(end)}`
}
