import { cutText } from '../../lib/text/cut-text.ts'
import { isDeceptive, isDisplayName, type Mailbox, parseAddress } from '../address.ts'
import { decodeJoinedWords, readWords } from '../joined-words.ts'
import { tokensOf } from './header-tokens.ts'
import type { MailboxFault } from './message-problem.ts'

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

/** A mailbox as a reader would understand it, or why readers understand it differently. */
export type MendedMailbox = Mailbox | { fault: MailboxFault }

/**
 * Parses a From or Sender field that names one address and has only one reading, although it is not written as
 * RFC 5322 demands: a name with characters that need quotes, or comments, of which one becomes the name if there is no
 * other. The field has to be written anew.
 */
export function mendHeaderMailbox(value: string): MendedMailbox {
  if (value === '') return { fault: 'empty' }
  if (value.length > VALUE_CHARS_MAX) return { fault: 'too_long' }
  const tokens = [...tokensOf(value)].filter((token) => token.trim() !== '')
  const comments = tokens.filter(isComment)
  const words = tokens.filter((token) => !isComment(token))
  if (
    words.some((word) => !isQuoted(word) && word.includes('"')) ||
    comments.some((one) => !one.endsWith(')'))
  ) {
    return { fault: 'unclosed' }
  }
  if (words.includes(';')) return { fault: 'group' }
  const at = words.findIndex(isBracketed)
  return at < 0 ? mendBare(tokens, words, comments) : mendBracketed(words, at, comments)
}

const isComment = (token: string) => token.startsWith('(')
const isQuoted = (token: string) => token.length > 1 && token.startsWith('"') && token.endsWith('"')
const isBracketed = (token: string) => /^<[^<>]*>$/.test(token)

function mendBare(
  tokens: readonly string[],
  words: readonly string[],
  comments: readonly string[],
): MendedMailbox {
  if (words.some((word) => /[<>]/.test(word))) return { fault: 'unclosed' }
  if (words.includes(',')) return { fault: 'several' }
  if (words.includes(':')) return { fault: 'group' }
  const first = tokens.findIndex((token) => !isComment(token))
  const last = tokens.findLastIndex((token) => !isComment(token))
  if (tokens.slice(first, last + 1).some(isComment)) return { fault: 'inner_comment' }
  return named(nameOfComments(comments), words.join(''))
}

function mendBracketed(words: readonly string[], at: number, comments: readonly string[]): MendedMailbox {
  const phrase = words.slice(0, at)
  const rest = words.slice(at + 1)
  if (rest.includes(',') || rest.some(isBracketed)) return { fault: 'several' }
  if (rest.length > 0) return { fault: 'text_after' }
  const unquoted = phrase.filter((word) => !isQuoted(word)).join('')
  if (/[<>]/.test(unquoted)) return { fault: 'unclosed' }
  // Two addresses, the first without brackets, for readers that divide at commas.
  if (unquoted.includes('@') && /[,:]/.test(unquoted)) return { fault: 'several' }
  const address = (words[at] as string).slice(1, -1)
  if (/^ *@/.test(address)) return { fault: 'route' }
  const text = phrase.map(unquote).join('').trim()
  return named(text === '' ? nameOfComments(comments) : text, address)
}

function unquote(word: string): string {
  return isQuoted(word) ? word.slice(1, -1).replace(/\\(.)/gs, '$1') : word
}

/** A comment is the name in the oldest form: `ann@example.com (Ann)`. Nested and several comments are none. */
function nameOfComments(comments: readonly string[]): string {
  const text = comments.length === 1 ? (comments[0] as string).slice(1, -1) : ''
  return /[()\\]/.test(text) ? '' : text.trim()
}

function named(text: string, address: string): MendedMailbox {
  const mailbox = parseAddress(address.trim())
  if (mailbox === null) return { fault: 'not_an_address' }
  const name = readWords(text)
  const isName = isDisplayName(name) && isDisplayName(decodeJoinedWords(text))
  return isName ? { ...mailbox, name: name.trim() } : { fault: 'name_characters' }
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
  return cutText(line, SUBJECT_CHARS_MAX)
}
