import { isDeceptive, isDisplayName, type Mailbox, parseAddress } from '../address.ts'
import { decodeJoinedWords, readWords } from '../joined-words.ts'

const VALUE_CHARS_MAX = 2000
/**
 * Atoms, quoted strings and spaces (RFC 5322 section 3.2.5), with the dots of obs-phrase (section 4.1), which are
 * common.
 */
const WORD = /"(?:[^"\\\p{Cc}]|\\[ -~])*"|[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\u{10ffff}]+| +/gsuy

/**
 * Parses the single mailbox of a From or Sender field. Returns null if it is invalid. Its address and decoded name (RFC
 * 2047) follow the policy of `parseAddress` and `isDisplayName`, as in JSON. The field is sent unchanged, so its syntax
 * must follow RFC 5322: no comments, groups, routes or lists, and no bare comma or @, which JSON accepts and quotes.
 */
export function parseHeaderMailbox(value: string): Mailbox | null {
  if (value.length > VALUE_CHARS_MAX) return null
  const phrase = value.endsWith('>') ? readPhrase(value) : null
  if (phrase === null && value.endsWith('>')) return null
  const mailbox = parseAddress(phrase === null ? value : value.slice(phrase.end + 1, -1))
  if (mailbox === null) return null
  return phrase === null ? mailbox : { ...mailbox, name: phrase.name }
}

/** Returns the decoded display name and the offset of the `<` after it. */
function readPhrase(value: string): { name: string; end: number } | null {
  let text = ''
  let end = 0
  for (const [word] of value.matchAll(WORD)) {
    end += word.length
    text += word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/gs, '$1') : word
  }
  if (value[end] !== '<') return null
  const name = readWords(text.trim())
  return isDisplayName(name) && isDisplayName(decodeJoinedWords(text)) ? { name: name.trim(), end } : null
}

/**
 * Returns whether an unparsed address field (To, Cc, Reply-To) contains deceptive characters, before or after decoding.
 */
export function isDeceptiveField(value: string): boolean {
  if (isDeceptive(value)) return true
  return value.includes('=?') && (isDeceptive(readWords(value)) || isDeceptive(decodeJoinedWords(value)))
}

const SUBJECT_CHARS_MAX = 998
/** Encoded words are longer than their text. Text beyond this limit would be cut off anyway. */
const ENCODED_CHARS_MAX = 16_000

/** Returns a Subject's text for lists: decoded (RFC 2047), on one line, at most 998 characters. */
export function decodeSubject(value: string): string {
  const text = readWords(value.slice(0, ENCODED_CHARS_MAX)).toWellFormed()
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length <= SUBJECT_CHARS_MAX ? line : Array.from(line).slice(0, SUBJECT_CHARS_MAX).join('')
}
