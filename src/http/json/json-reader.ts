import { ApiError } from '../../lib/api-error.ts'
import { type Octets, readOctets } from './json-octets.ts'

/** Deeper than any schema here, and shallow enough that every recursive walk over a body is safe. */
const DEPTH_MAX = 64
/**
 * The limit on values and names of one body, or of one item of a list. Each costs far more memory and time than the
 * two bytes of `0,`, here and in every later step. An email with every field has 3,000. Octets of a Buffer do not
 * count.
 */
const VALUES_MAX = 20_000
/** The limit on values and names of all items of a list together. A full batch with every field has 260,000. */
const LIST_VALUES_MAX = 300_000
/** The longest form of a double, written out in decimal digits, has 1,077 characters. */
const NUMBER_CHARS_MAX = 1_100
/** Strings up to this length are read octet by octet; the parser is faster for longer ones. */
const PLAIN_CHARS_MAX = 64
/** Control characters must be escaped (RFC 8259 section 7). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f]/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Returns a 422 for the body as a whole, which names no field. */
export function refuseBody(message: string): ApiError {
  return new ApiError('validation_error', message)
}

export function malformed(): ApiError {
  return refuseBody('The request body is not valid JSON.')
}

/** The fields of one object. Each name becomes an own property, even if Object.prototype has the same name. */
type Fields = Record<string, unknown>

/** Reads JSON in valid UTF-8 from a position on, in one pass. Throws ApiError (422) at the first fault. */
export class JsonReader {
  readonly #bytes: Octets
  readonly #hasBuffers: boolean
  readonly #isList: boolean
  #at: number
  /** The first backslash at or after a position already read. */
  #escapeAt = -1
  #depth = 0
  #valuesLeft = VALUES_MAX
  #listValuesLeft = LIST_VALUES_MAX

  /** @param isList whether the items of the outermost array are counted one by one */
  constructor(
    bytes: Octets,
    start: number,
    { hasBuffers, isList }: { hasBuffers: boolean; isList: boolean },
  ) {
    this.#bytes = bytes
    this.#at = start
    this.#hasBuffers = hasBuffers
    this.#isList = isList
  }

  /** Reads one value, and rejects anything but white space after it. */
  readDocument(): unknown {
    const value = this.#readValue('')
    this.#skipSpace()
    if (this.#at < this.#bytes.length) throw malformed()
    return value
  }

  /** Returns the octet after white space without consuming it; NaN at the end. */
  #skipSpace(): number {
    const bytes = this.#bytes
    let at = this.#at
    while (at < bytes.length) {
      const octet = bytes[at] as number
      if (octet > SPACE || !isSpace(octet)) break
      at++
    }
    this.#at = at
    return at < bytes.length ? (bytes[at] as number) : Number.NaN
  }

  #count(): void {
    if (this.#valuesLeft-- === 0) {
      throw refuseBody(
        `${this.#isList ? 'One item of the request body' : 'The request body'} holds more than ${VALUES_MAX} values.`,
      )
    }
    if (this.#listValuesLeft-- === 0) {
      throw refuseBody(`The request body holds more than ${LIST_VALUES_MAX} values.`)
    }
  }

  /** @param name the name of the value in its object; empty elsewhere */
  #readValue(name: string): unknown {
    this.#count()
    const octet = this.#skipSpace()
    switch (octet) {
      case QUOTE:
        return this.#readString()
      case OPEN_BRACE:
        return this.#nest(() => this.#readObject())
      case OPEN_BRACKET:
        return this.#readBuffer(name) ?? this.#nest(() => this.#readArray())
      case 0x74:
        return this.#readWord('true', true)
      case 0x66:
        return this.#readWord('false', false)
      case 0x6e:
        return this.#readWord('null', null)
      default:
        return this.#readNumber(octet)
    }
  }

  #nest<T>(read: () => T): T {
    if (++this.#depth > DEPTH_MAX) {
      throw refuseBody(`The request body is nested deeper than ${DEPTH_MAX} levels.`)
    }
    this.#at++
    const value = read()
    this.#depth--
    return value
  }

  #readObject(): Fields {
    const fields: Fields = {}
    if (this.#skipSpace() === CLOSE_BRACE) {
      this.#at++
      return fields
    }
    for (;;) {
      if (this.#skipSpace() !== QUOTE) throw malformed()
      this.#count()
      const name = this.#readString()
      refuseName(fields, name)
      if (this.#skipSpace() !== COLON) throw malformed()
      this.#at++
      fields[name] = this.#readValue(name)
      const next = this.#skipSpace()
      this.#at++
      if (next === CLOSE_BRACE) return fields
      if (next !== COMMA) throw malformed()
    }
  }

  #readArray(): unknown[] {
    const items: unknown[] = []
    if (this.#skipSpace() === CLOSE_BRACKET) {
      this.#at++
      return items
    }
    const isCounted = this.#isList && this.#depth === 1
    for (;;) {
      if (isCounted) this.#valuesLeft = VALUES_MAX
      items.push(this.#readValue(''))
      const next = this.#skipSpace()
      this.#at++
      if (next === CLOSE_BRACKET) return items
      if (next !== COMMA) throw malformed()
    }
  }

  /** Returns the octets of a Buffer, or null for any other array. */
  #readBuffer(name: string): Uint8Array | null {
    if (name !== 'data' || !this.#hasBuffers) return null
    const buffer = readOctets(this.#bytes, this.#at)
    if (buffer === null) return null
    this.#at = buffer.end
    return buffer.octets
  }

  #readWord<T>(word: string, value: T): T {
    const end = this.#at + word.length
    if (this.#bytes.toString('latin1', this.#at, end) !== word) throw malformed()
    this.#at = end
    return value
  }

  #readString(): string {
    const bytes = this.#bytes
    const { length } = bytes
    const start = this.#at + 1
    const plainEnd = Math.min(length, start + PLAIN_CHARS_MAX)
    let at = start
    // Most strings are short and without escapes, and need no parsing.
    while (at < plainEnd && isPlain(bytes[at] as number)) at++
    if (bytes[at] === QUOTE) {
      this.#at = at + 1
      return bytes.toString('latin1', start, at)
    }
    const end = this.#endOfString(at)
    this.#at = end + 1
    const isEscaped = this.#escapeFrom(at) < end
    if (isEscaped) return decodeString(bytes.toString('utf8', start - 1, end + 1))
    // Avoids a second copy, because a text may be as large as the body.
    const text = bytes.toString('utf8', start, end)
    if (CONTROL.test(text)) throw malformed()
    return text
  }

  /** Returns the position of the closing quote, searched from a position in the string. */
  #endOfString(from: number): number {
    const bytes = this.#bytes
    for (let at = from; ; at++) {
      at = bytes.indexOf(QUOTE, at)
      if (at === -1) throw malformed()
      let first = at
      while (first > from && bytes[first - 1] === BACKSLASH) first--
      // After an odd number of backslashes, the quote itself is escaped.
      if ((at - first) % 2 === 0) return at
    }
  }

  /** Returns the position of the first backslash from a position on. Searches each part of the body only once. */
  #escapeFrom(from: number): number {
    if (this.#escapeAt < from) {
      const index = this.#bytes.indexOf(BACKSLASH, from)
      this.#escapeAt = index === -1 ? Number.POSITIVE_INFINITY : index
    }
    return this.#escapeAt
  }

  #readNumber(first: number): number {
    const bytes = this.#bytes
    const start = this.#at
    let at = start + 1
    while (at < bytes.length && isNumeric(bytes[at] as number)) at++
    this.#at = at
    const isOneDigit = at === start + 1 && first >= 0x30 && first <= 0x39
    if (isOneDigit) return first - 0x30
    if (first !== MINUS && !(first >= 0x30 && first <= 0x39)) throw malformed()
    if (at - start > NUMBER_CHARS_MAX) throw hugeNumber()
    const text = bytes.toString('latin1', start, at)
    if (!NUMBER.test(text)) throw malformed()
    const value = Number(text)
    // 1e400 would become Infinity (RFC 7493 section 2.2).
    if (!Number.isFinite(value)) throw hugeNumber()
    return value
  }
}

function hugeNumber(): ApiError {
  return refuseBody('The request body holds a number that is too large.')
}

/** Matches white space of RFC 8259 section 2. */
function isSpace(octet: number | undefined): boolean {
  return octet === SPACE || octet === 0x0a || octet === 0x0d || octet === 0x09
}

/** Matches digits, `+`, `-`, `.`, `e` and `E`. */
function isNumeric(octet: number): boolean {
  if (octet >= 0x30 && octet <= 0x39) return true
  return octet === 0x2b || octet === MINUS || octet === 0x2e || octet === 0x65 || octet === 0x45
}

/** Matches ASCII without escapes. Control characters must be escaped (RFC 8259 section 7). */
function isPlain(octet: number): boolean {
  return octet >= SPACE && octet < 0x80 && octet !== QUOTE && octet !== BACKSLASH
}

/** Rejects control characters and unknown escapes. */
function decodeString(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw malformed()
  }
}

function refuseName(fields: Fields, name: string): void {
  if (name === '__proto__') throw refuseBody('The request body must not have a field named __proto__.')
  if (Object.hasOwn(fields, name)) {
    throw refuseBody(`The request body has the field ${printable(name)} twice.`)
  }
}

function printable(name: string): string {
  return name.slice(0, 80).replace(/[^\x21-\x7e]/g, '?')
}
