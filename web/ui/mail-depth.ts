/** At each element browsers look through all that are open: 100,000 of them hold a page up for 20 seconds. */
const OPEN_MAX = 5_000
/** They have no end, or it may be left out. */
const ENDLESS = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track'],
  ...['wbr', 'dd', 'dt', 'li', 'option', 'p', 'td', 'th', 'tr'],
])

/** Whether so much is open at once in the html that to parse it takes long; no email of people comes near. */
export function isTooDeep(html: string): boolean {
  const open = new Map<string, number>()
  let count = 0
  for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = tag.toLowerCase()
    if (ENDLESS.has(name)) continue
    const known = open.get(name) ?? 0
    // An end of what never began ends nothing.
    const step = slash === '' ? 1 : -Math.min(1, known)
    open.set(name, known + step)
    count += step
    if (count > OPEN_MAX) return true
  }
  return false
}
