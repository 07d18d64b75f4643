import { type Mailbox, needsSmtpUtf8 } from './address.ts'

/** RFC 5322 section 2.1.1: lines should have at most 78 characters and must have at most 998 octets, without CRLF. */
const LINE_CHARS = 78
const LINE_OCTETS_MAX = 998
/** RFC 2047 section 2: an encoded word is at most 75 characters, a line that holds one at most 76. */
const WORD_CHARS_MAX = 75
const WORD_LINE_CHARS = 76
/** `=?UTF-8?B?` and `?=`. */
const WORD_FRAME_CHARS = 12

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const PRINTABLE = /^[!-~](?:[ -~]*[!-~])?$/
const ATOMS = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+(?: [A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/

/** RFC 2047 section 5 (3): characters that stand for themselves in a phrase, the strictest context; used everywhere. */
const Q_PLAIN = /[A-Za-z0-9!*+/-]/
const Q_CODES: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte === 0x20) return '_'
  return Q_PLAIN.test(character) ? character : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

/** Replaces line breaks and NUL with spaces, so that no text can end its header field. */
function cleanText(text: string): string {
  return text.replace(CONTROLS, ' ').toWellFormed()
}

function qEncode(text: string): string {
  let encoded = ''
  for (const byte of Buffer.from(text)) encoded += Q_CODES[byte]
  return encoded
}

/**
 * Returns the text as encoded words (RFC 2047) in UTF-8, in B or Q, whichever is shorter. Does not split a character
 * between two words. `firstCharsMax` is the space left on the field name's line.
 */
export function encodeWords(text: string, firstCharsMax: number = WORD_CHARS_MAX): string[] {
  const useQ = qEncode(text).length <= Math.ceil(Buffer.byteLength(text) / 3) * 4
  const words: string[] = []
  let room = wordRoom(firstCharsMax, useQ)
  let piece = ''
  let used = 0
  for (const character of text) {
    const cost = useQ ? qEncode(character).length : Buffer.byteLength(character)
    if (used + cost > room) {
      words.push(frameWord(piece, useQ))
      room = wordRoom(WORD_CHARS_MAX, useQ)
      piece = ''
      used = 0
    }
    piece += character
    used += cost
  }
  words.push(frameWord(piece, useQ))
  return words
}

/** Returns the characters of Q, or octets of B, that fit into one word. */
function wordRoom(charsMax: number, useQ: boolean): number {
  const payload = charsMax - WORD_FRAME_CHARS
  return useQ ? payload : Math.floor(payload / 4) * 3
}

function frameWord(piece: string, useQ: boolean): string {
  return useQ ? `=?UTF-8?Q?${qEncode(piece)}?=` : `=?UTF-8?B?${Buffer.from(piece).toString('base64')}?=`
}

/** Joins tokens with single spaces, or with CRLF and a space where the line would become too long. */
export function foldTokens(name: string, tokens: readonly string[]): string {
  let folded = ''
  let line = `${name}:`
  for (const [no, token] of tokens.entries()) {
    const limit = token.startsWith('=?') ? WORD_LINE_CHARS : LINE_CHARS
    // A plain first token stays on the line of the name, however long: some readers treat a bare `Subject:` as empty.
    const mayBreak = no > 0 || token.startsWith('=?')
    if (mayBreak && line.length + 1 + token.length > limit) {
      folded += `${line}\r\n`
      line = ` ${token}`
    } else {
      line += ` ${token}`
    }
  }
  return `${folded}${line}\r\n`
}

/** Splits before a word, so that runs of spaces stay on the line above and unfolding restores the text. */
export function splitAtSpaces(text: string): string[] {
  return text.split(/ (?=[^ ])/)
}

/** Returns whether each token fits on a line of its own, the first beside the name. */
export function fitsOnLines(tokens: readonly string[], nameChars: number): boolean {
  const room = LINE_OCTETS_MAX - nameChars - 3
  return tokens.every((token) => token.length * 3 <= room || Buffer.byteLength(token) <= room)
}

/**
 * Returns whether the text can be sent unencoded: readers would neither decode nor trim it. `utf8` means that the
 * message needs SMTPUTF8 anyway, so that RFC 6532 allows UTF-8.
 */
function isPlain(text: string, utf8: boolean): boolean {
  if (text.includes('=?')) return false
  return PRINTABLE.test(text) || (utf8 && text.trim() === text)
}

/** Formats a field with free text (RFC 5322 section 2.2.1), including its CRLF. */
export function textField(name: string, value: string, utf8: boolean): string {
  if (name.length + 2 + value.length <= LINE_CHARS && PRINTABLE.test(value) && !value.includes('=?')) {
    return `${name}: ${value}\r\n`
  }
  const text = cleanText(value)
  if (text.length === 0) return `${name}:\r\n`
  if (isPlain(text, utf8)) {
    const tokens = splitAtSpaces(text)
    if (fitsOnLines(tokens, name.length)) return foldTokens(name, tokens)
  }
  const room = WORD_LINE_CHARS - name.length - 2
  return foldTokens(name, encodeWords(text, room >= 40 ? room : WORD_CHARS_MAX))
}

/** Formats a display name (RFC 5322 section 3.2.5): atoms, a quoted string, or encoded words. */
function phraseTokens(name: string, utf8: boolean): string[] {
  const text = cleanText(name).trim()
  if (text.length === 0) return []
  if (isPlain(text, utf8)) {
    const quoted = ATOMS.test(text) ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`
    const tokens = splitAtSpaces(quoted)
    // The first word stands beside the name of the field, of which Reply-To is the longest.
    if (fitsOnLines(tokens, 'Reply-To'.length)) return tokens
  }
  return encodeWords(text)
}

/** Formats a field of addresses, folded at spaces and commas. */
export function addressField(name: string, mailboxes: readonly Mailbox[], utf8: boolean): string {
  const tokens: string[] = []
  for (const [no, mailbox] of mailboxes.entries()) {
    const end = no < mailboxes.length - 1 ? ',' : ''
    if (mailbox.name === '') {
      tokens.push(`${mailbox.address}${end}`)
    } else {
      tokens.push(...phraseTokens(mailbox.name, utf8), `<${mailbox.address}>${end}`)
    }
  }
  return foldTokens(name, tokens)
}

/** Returns whether any mailbox needs SMTPUTF8, which makes the message an internationalized one (RFC 6532). */
export function anyNeedsSmtpUtf8(...lists: readonly (readonly Mailbox[])[]): boolean {
  return lists.some((list) => list.some(needsSmtpUtf8))
}

/** Longer values are split into continuations (RFC 2231 section 3). */
const PARAMETER_CHARS = 60
/** Semicolons, quotes, percent signs and backslashes are legal in a quoted string, but naive parsers fail on them. */
const QUOTABLE = /^[A-Za-z0-9!#$&'()+,\-.@[\]^_`{}~ =]+$/
const ATTRIBUTE_CHAR = /[A-Za-z0-9!#$&+\-.^_`{|}~]/

function percentEncode(character: string): string {
  if (ATTRIBUTE_CHAR.test(character)) return character
  let encoded = ''
  for (const byte of Buffer.from(character)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return encoded
}

/** Formats a parameter as `name="value"`, or by RFC 2231 as `name*=` or `name*0*=`, .... Does not split a character. */
export function parameterTokens(name: string, value: string): string[] {
  const text = cleanText(value)
  if (text.length <= PARAMETER_CHARS && QUOTABLE.test(text) && text.trim() === text)
    return [`${name}="${text}"`]
  const pieces: string[] = []
  let piece = "utf-8''"
  for (const character of text) {
    const encoded = percentEncode(character)
    if (piece.length + encoded.length > PARAMETER_CHARS) {
      pieces.push(piece)
      piece = ''
    }
    piece += encoded
  }
  pieces.push(piece)
  if (pieces.length === 1) return [`${name}*=${piece}`]
  return pieces.map((part, no) => `${name}*${no}*=${part}`)
}

/** Formats a structured field with one parameter, for example `Content-Disposition: attachment; filename="a.pdf"`. */
export function parameterField(field: string, value: string, name: string, parameter: string): string {
  const tokens = [value, ...parameterTokens(name, parameter)]
  return foldTokens(
    field,
    tokens.map((token, no) => (no < tokens.length - 1 ? `${token};` : token)),
  )
}
