import { ADDRESS_CHARS_MAX } from '../../http/route/schemas.ts'
import { isLongerThan } from '../../lib/text/is-longer-than.ts'
import { readAddressKey } from '../../mime/address.ts'
import { problemOf, type RowProblem } from './import-kind.ts'

/** Enough for a display name and an address. Longer cells are not searched. */
const CELL_CHARS_MAX = 2_000
/** White space, and characters that nobody sees: zero-width, bidirectional, soft hyphens, byte order marks. */
const AROUND = /[\s\p{Default_Ignorable_Code_Point}]/u
/**
 * Characters that programs insert into copied addresses to break or join lines. Others, such as bidirectional controls,
 * change how an address looks, so an address that contains them stays invalid.
 */
const WITHIN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const ASCII = /^[ -~]*$/
const MAILTO = /^mailto:([^?]*)/i
/** `Name <address>`, or `<address>`. */
const NAMED = /^(.*)<([^<>]*)>$/s
/** Outlook writes apostrophes around addresses, other programs quotes. No domain ends in one. */
const QUOTED = /^(?:'(.*)'|"([^"]*)")$/s
/** Mail programs end a copied recipient with it, even the last one. */
const LAST_SEPARATOR = /[,;]$/
/** More words are not searched for further addresses. */
const WORDS_MAX = 20
const SEPARATORS = /[\s<>,;"()[\]]+/

/**
 * Returns the address of a cell, in canonical form, without invisible characters, quotes around it, the display name of
 * `Name <address>`, one separator after it, and the rest of a `mailto:` URL. Returns a problem if the cell has no address, or several.
 */
export function readAddressCell(cell: string): { email: string } | RowProblem {
  if (cell.length > CELL_CHARS_MAX) return invalid(cell)
  const text = trimInvisible(trimInvisible(cell).replace(LAST_SEPARATOR, ''))
  if (text === '') return problemOf('The email field is required.')
  const single = unquote(text)
  const [, name = '', inner = single] = NAMED.exec(single) ?? []
  const email = readKey(inner)
  if (email !== null && !name.includes('@')) return { email }
  const words = text.split(SEPARATORS).filter((word) => /@|%40/.test(word))
  const keys = new Set([email, ...words.slice(0, WORDS_MAX).map(readKey)])
  keys.delete(null)
  if (keys.size > 1)
    return problemOf(
      `The email field has ${words.length > WORDS_MAX ? 'many' : keys.size} addresses. A row must have one.`,
      cell,
    )
  return email === null ? invalid(cell) : { email }
}

const invalid = (cell: string) => problemOf('The email field must be a valid email address.', cell)

function trimInvisible(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && AROUND.test(text[start] as string)) start++
  while (end > start && AROUND.test(text[end - 1] as string)) end--
  return text.slice(start, end)
}

function unquote(text: string): string {
  const [, byApostrophes, byQuotes] = QUOTED.exec(text) ?? []
  return byApostrophes ?? byQuotes ?? text
}

/** Outside of ASCII, such characters may be part of a word. */
function removeWithin(text: string): string {
  const plain = text.replaceAll(WITHIN, '')
  return ASCII.test(plain) ? plain : text
}

/** Returns the canonical form of an address, or of that of a `mailto:` URL (RFC 6068); null if it is invalid. */
function readKey(text: string): string | null {
  const plain = removeWithin(unquote(trimInvisible(text)))
  const target = MAILTO.exec(plain)?.[1]
  const address = target === undefined ? plain : decodePercent(target)
  return isLongerThan(address, ADDRESS_CHARS_MAX) ? null : readAddressKey(address)
}

/** Returns an empty text, which is no address, if the encoding is invalid. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
