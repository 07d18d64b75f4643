import { fitsOnLines, foldTokens, splitAtSpaces, textField } from './header.ts'
import { readWords } from './joined-words.ts'

const PRINTABLE = /^[ -~]*$/
/** Between the URLs of List-Unsubscribe and its kind (RFC 2369), where a space changes nothing. */
const LIST_NAME = /^list-/i
const BETWEEN_URLS = />,(?=<)/g

/** Unfolds a value (RFC 5322 section 2.2.3). A tab is white space; all other control characters stay. */
export function unfold(value: string): string {
  return value.replace(/\r?\n(?=[ \t])/g, '').replaceAll('\t', ' ')
}

/**
 * Formats a field that the caller names, including its CRLF. Its ASCII stays as it is: encoded words are not encoded
 * again, and URLs never. Returns null if a line would be longer than 998 octets.
 */
export function customField(name: string, value: string, utf8: boolean): string | null {
  const text = value.trim()
  if (!PRINTABLE.test(text)) return textField(name, readWords(text), utf8)
  if (text === '') return `${name}:\r\n`
  const tokens = splitAtSpaces(LIST_NAME.test(name) ? text.replace(BETWEEN_URLS, '>, ') : text)
  return fitsOnLines(tokens, name.length) ? foldTokens(name, tokens) : null
}
