/** Browsers compare each element with all open elements: 100,000 of them block a page for 20 seconds. */
const OPEN_MAX = 5_000
/** Elements without an end tag, or with an optional one. */
const ENDLESS = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track'],
  ...['wbr', 'dd', 'dt', 'li', 'option', 'p', 'td', 'th', 'tr'],
])

/**
 * Returns whether the HTML has too many elements open at once to be parsed quickly. Ordinary emails stay far below the
 * limit.
 */
export function isTooDeep(html: string): boolean {
  const open = new Map<string, number>()
  let count = 0
  for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = tag.toLowerCase()
    if (ENDLESS.has(name)) continue
    const openCount = open.get(name) ?? 0
    // An end tag without a start tag closes nothing.
    const step = slash === '' ? 1 : -Math.min(1, openCount)
    open.set(name, openCount + step)
    count += step
    if (count > OPEN_MAX) return true
  }
  return false
}
