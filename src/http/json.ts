import { isUtf8 } from 'node:buffer'
import { invalidField, type Refusal } from '../base/refusal.ts'

/** Deeper than any schema here; shallow enough that every recursive walk over a body is safe. */
const DEPTH_MAX = 64
/**
 * Strings, names, objects and arrays of one body. Each costs far more memory and time than the two bytes that `[]` is
 * written in; a full batch with all that its emails may have holds a tenth of this. Numbers are not counted: a file may
 * come as an array of its octets.
 */
const VALUES_MAX = 500_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b

/**
 * Reads a request body as I-JSON (RFC 7493): UTF-8, no name twice in one object (section 2.3), no number beyond a
 * double (section 2.2). Two readers of one body must never see two different requests.
 * `__proto__` as a name is refused too: nobody means it well.
 * @returns undefined for an empty body, which clients send with a JSON content type on DELETE and the like
 * @throws Refusal (422) that says what is wrong; never the parser's own words, which quote the body
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw malformed('The request body must be UTF-8.')
  const decoded = bytes.toString('utf8')
  const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded
  scan(text)
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('The request body is not valid JSON.')
  }
}

function malformed(message: string): Refusal {
  return invalidField('body', message)
}

/** The names seen in one object that is still open; null for an array. */
type Open = Names | null

/**
 * Judges what JSON.parse would let pass, in one loop without recursion: depth, names, numbers, how many values. Text that is not JSON
 * may pass here; JSON.parse refuses it afterwards.
 */
function scan(text: string): void {
  const open: Open[] = []
  let valuesLeft = VALUES_MAX
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === QUOTE || code === OPEN_BRACE || code === OPEN_BRACKET) && valuesLeft-- === 0) {
      throw malformed(`The request body holds more than ${VALUES_MAX} values.`)
    }
    if (code === QUOTE) {
      const end = endOfString(text, at)
      const names = open.at(-1)
      // Only a name is followed by a colon, so values (the long ones) are never copied here.
      if (names && isBeforeColon(text, end)) names.add(decodeName(text.slice(at, end)))
      at = end - 1
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length >= DEPTH_MAX)
        throw malformed(`The request body is nested deeper than ${DEPTH_MAX} levels.`)
      open.push(code === OPEN_BRACE ? new Names() : null)
    } else if (code === 0x7d || code === 0x5d) {
      open.pop()
    } else if (code === 0x65 || code === 0x45) {
      // The `e` of an exponent, or of `true` and `false`, which are followed by no digit or sign.
      refuseHugeNumber(text, at)
    }
  }
}

/** The index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1) {
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  throw malformed('The request body is not valid JSON.')
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === 0x3a
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** The same name may be written in several ways: `"a"` and `"\u0061"`. */
function decodeName(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw malformed('The request body is not valid JSON.')
  }
}

const NUMBER = /-?\d+(?:\.\d+)?[eE][+-]?\d+/y
const DIGITS_MAX = 400

/** 1e400 would become Infinity (RFC 7493 section 2.2). Longer numbers than a double can hold digits of are refused. */
function refuseHugeNumber(text: string, exponentAt: number): void {
  const next = text.charCodeAt(exponentAt + 1)
  const isExponent = next === 0x2b || next === 0x2d || (next >= 0x30 && next <= 0x39)
  if (!isExponent) return
  let start = exponentAt
  while (start > 0 && exponentAt - start < DIGITS_MAX && /[-.\d]/.test(text.charAt(start - 1))) start--
  NUMBER.lastIndex = start
  const number = NUMBER.exec(text)?.[0]
  if (number !== undefined && !Number.isFinite(Number(number))) {
    throw malformed('The request body holds a number that is too large.')
  }
}

/** Names of one object. A plain list while it is short: most objects have a handful. */
class Names {
  #few: string[] = []
  #many: Set<string> | null = null

  add(name: string): void {
    if (name === '__proto__') throw malformed('The request body must not have a field named __proto__.')
    if (this.#many === null ? this.#few.includes(name) : this.#many.has(name)) {
      throw malformed(`The request body has the field ${printable(name)} twice.`)
    }
    if (this.#many !== null) this.#many.add(name)
    else if (this.#few.push(name) > 16) this.#many = new Set(this.#few)
  }
}

function printable(name: string): string {
  return name.slice(0, 80).replace(/[^\x21-\x7e]/g, '?')
}
