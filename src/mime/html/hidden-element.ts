/** The attributes that hide an element, with their values. */
export type HidingAttributes = ReadonlyMap<string, string>

const HIDES: ReadonlySet<string> = new Set([
  'display:none',
  'visibility:hidden',
  'visibility:collapse',
  'opacity:0',
  'mso-hide:all',
])
const NO_HEIGHT = ['max-height:0', 'height:0']
/** `0px`, `0.0em`, and `0%` are 0. */
const ZERO = /^0*\.?0+(?:px|em|rem|pt|%)?$/

/**
 * Returns whether an element and all that it contains is hidden from readers, as the preview texts of newsletters are.
 * Outlook alone does not show a link with `mso-hide:all`: such links are the buttons of all other mail programs.
 */
export function isHiddenElement(name: string, attributes: HidingAttributes): boolean {
  if (attributes.has('hidden')) return true
  const skip = attributes.get('data-skip-in-text')
  if (skip !== undefined && skip.trim().toLowerCase() !== 'false') return true
  const styles = readStyles(attributes.get('style') ?? '')
  if (name === 'a') styles.delete('mso-hide')
  const has = (style: string) => {
    const [property = '', value] = style.split(':')
    return styles.get(property) === value
  }
  if ([...HIDES].some(has)) return true
  return has('overflow:hidden') && NO_HEIGHT.some(has)
}

/** Returns the properties that apply: the last of each name, but before all others those that are `!important`. */
function readStyles(style: string): Map<string, string> {
  const styles = new Map<string, string>()
  const important = new Set<string>()
  for (const declaration of style.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const property = declaration.slice(0, colon).trim()
    const [value = '', ...flags] = declaration.slice(colon + 1).split('!')
    if (flags.some((flag) => flag.trim() === 'important')) important.add(property)
    else if (important.has(property)) continue
    styles.set(property, ZERO.test(value.trim()) ? '0' : value.trim())
  }
  return styles
}
