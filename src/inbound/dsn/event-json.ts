/** A JSON object of unknown shape, by names in lower case without `-` and `_`. */
export type UnknownObject = Readonly<Record<string, unknown>>

const JSON_CHARS_MAX = 256 * 1024
const DEPTH_MAX = 8
const OBJECT_COUNT_MAX = 500
/** Each string that may be JSON is parsed in several ways. */
const STRING_COUNT_MAX = 100

interface Found {
  objects: UnknownObject[]
  stringCount: number
}

/**
 * Returns the objects in a text that is JSON, or a few words followed by JSON. Outer objects come first. Objects
 * inside strings count too, because events often travel in another service's envelope. Empty for any other text.
 */
export function findObjects(text: string): UnknownObject[] {
  const cut = unquote(text.slice(0, JSON_CHARS_MAX)).replaceAll('\u00a0', ' ')
  const begin = /^[ \t]*[{[](?=\s*(?:["{[]|$))/m.exec(cut)
  if (begin === null) return []
  const end = Math.max(cut.lastIndexOf('}'), cut.lastIndexOf(']'))
  const whole = end < begin.index ? undefined : parseWrapped(cut.slice(begin.index, end + 1))
  const found: Found = { objects: [], stringCount: 0 }
  collect(whole, 0, found)
  return found.objects
}

/** Returns the value if it is an object, or null. */
export function objectOf(value: unknown): UnknownObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as UnknownObject)
    : null
}

/** Removes the quotation marks of a forwarded notification. */
function unquote(text: string): string {
  return /^> ?[{[]/m.test(text) ? text.replace(/^> ?/gm, '') : text
}

/** Parses JSON whose lines a mail system wrapped, even inside strings. */
function parseWrapped(text: string): unknown {
  for (const form of [text, ...unwrap(text), untilFooter(text)]) {
    const value = parse(form)
    if (value !== undefined) return value
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => withPlainNames(value))
  } catch {
    return undefined
  }
}

/** Converts the names once: an object may have 20,000, and is searched for dozens of names for each recipient. */
function withPlainNames(value: unknown): unknown {
  const fields = objectOf(value)
  if (fields === null) return value
  const named: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(fields)) named[name.replace(/[-_]/g, '').toLowerCase()] ??= inner
  return named
}

/**
 * Returns the text unwrapped in two ways, the likelier first. Sendmail marks a cut line with a `!` at its end. Lines
 * cut at a fixed length lost nothing. Lines wrapped between words lost a space, unless it is still at the end of the
 * line (RFC 3676 section 4.1).
 */
function unwrap(text: string): string[] {
  const tight = text.replace(/!?\n ?/g, '')
  // Blanks are searched from their first one only: otherwise a long run of them takes quadratic time.
  const spaced = text.replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, ' ')
  return /!\n /.test(text) || isCutAtLength(text) ? [tight, spaced] : [spaced, tight]
}

/** Returns whether every line that ends inside a string has the maximum length. */
function isCutAtLength(text: string): boolean {
  const rawLines = text.split('\n')
  const isFolded = rawLines.length > 1 && rawLines.slice(1).every((line) => line.startsWith(' '))
  const lines = isFolded ? rawLines.map((line, number) => (number === 0 ? line : line.slice(1))) : rawLines
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0)
  let isInString = false
  let count = 0
  for (const line of lines) {
    const quotes = line.replace(/\\./g, '').split('"').length - 1
    if (quotes % 2 === 1) isInString = !isInString
    if (isInString && line.length !== longest) return false
    if (isInString) count++
  }
  return count > 1
}

/** Removes the footer that Amazon SNS adds below the object. */
function untilFooter(text: string): string {
  return (text.split(/\n--\s*\n/)[0] ?? '').replace(/!?\n ?/g, '')
}

function collect(value: unknown, depth: number, found: Found): void {
  if (depth > DEPTH_MAX || found.objects.length >= OBJECT_COUNT_MAX) return
  if (typeof value === 'string') {
    if (!/^\s*[{[]/.test(value) || ++found.stringCount > STRING_COUNT_MAX) return
    collect(parseWrapped(value), depth + 1, found)
  } else if (Array.isArray(value)) {
    for (const one of value) collect(one, depth + 1, found)
  } else {
    const fields = objectOf(value)
    if (fields === null) return
    found.objects.push(fields)
    for (const one of Object.values(fields)) collect(one, depth + 1, found)
  }
}
