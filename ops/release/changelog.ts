/** Returns the text of a section of the changelog (`## [1.2.3] - 2027-01-31` or `## [Unreleased]`), or null. */
export function findSection(changelog: string, name: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find((section) => section.startsWith(`[${name}]`))
  const text = found?.slice(found.indexOf('\n')).trim()
  return text === undefined || text === '' ? null : `${text}\n`
}
