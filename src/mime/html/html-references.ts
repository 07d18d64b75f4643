import { decodeHTMLAttribute } from 'entities'

/**
 * A numeric reference may end without a semicolon. So may a named one, unless a letter, a digit or an equals sign
 * follows.
 */
const REFERENCE = /&(?:#[xX][0-9A-Fa-f]+;?|#[0-9]+;?|[A-Za-z][A-Za-z0-9]*(?:;|(?![A-Za-z0-9=])))/g

/**
 * Decodes the character references in an attribute's value as browsers do (HTML, section 13.2.5.73). `?a=1&copy=2` and
 * `?a=1&parallel=2` contain none, although `&copy` and `&para` alone would be references.
 */
export function decodeReferences(value: string): string {
  if (!value.includes('&')) return value
  const texts = new Map<string, string>([['&amp;', '&']])
  return value.replace(REFERENCE, (reference) => {
    let text = texts.get(reference)
    if (text === undefined) {
      text = decodeHTMLAttribute(reference)
      texts.set(reference, text)
    }
    return text
  })
}
