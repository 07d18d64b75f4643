import { decodeWords } from 'postal-mime'
import { type Mailbox, parseAddress } from './address.ts'

const VALUE_CHARS_MAX = 2000
/** RFC 5322 section 3.2.5 with the dots of obs-phrase (section 4.1), which people write: atoms, quoted strings, spaces. */
const WORD = /"(?:[^"\\\p{Cc}]|\\[ -~])*"|[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\u{10ffff}]+| +/gsuy
/** Local parts that readers decode, or take apart once their quotes are off. */
const MISREAD_LOCAL = /=\?|^".*[@,;:<>()\\]/s
const UNFIT_IN_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}<>]/u

/**
 * The one mailbox of a From or Sender field, or null. Stricter than what is taken in JSON, because the field goes out
 * as it is: no comments, groups, routes or lists, no bare comma, and no name that holds another address in brackets
 * once it is decoded (RFC 2047).
 */
export function parseHeaderMailbox(value: string): Mailbox | null {
  if (value.length > VALUE_CHARS_MAX) return null
  const phrase = value.endsWith('>') ? readPhrase(value) : null
  if (phrase === null && value.endsWith('>')) return null
  const mailbox = parseAddress(phrase === null ? value : value.slice(phrase.end + 1, -1))
  if (mailbox === null || MISREAD_LOCAL.test(mailbox.local)) return null
  return phrase === null ? mailbox : { ...mailbox, name: phrase.name }
}

/** The display name, decoded, and where its `<` stands. */
function readPhrase(value: string): { name: string; end: number } | null {
  let text = ''
  let end = 0
  for (const [word] of value.matchAll(WORD)) {
    end += word.length
    text += word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/gs, '$1') : word
  }
  if (value[end] !== '<') return null
  const name = decodeWords(text.trim()).trim()
  return UNFIT_IN_NAME.test(name) ? null : { name, end }
}

const SUBJECT_CHARS_MAX = 998
/** Encoded words are longer than what they say; beyond this nothing of it would be kept. */
const ENCODED_CHARS_MAX = 16_000

/** A Subject's text as lists show it: decoded (RFC 2047), in one line, at most 998 characters. */
export function decodeSubject(value: string): string {
  const text = decodeWords(value.slice(0, ENCODED_CHARS_MAX)).toWellFormed()
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length <= SUBJECT_CHARS_MAX ? line : Array.from(line).slice(0, SUBJECT_CHARS_MAX).join('')
}
