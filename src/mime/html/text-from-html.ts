import { createRequire } from 'node:module'
import type { compile } from 'html-to-text'

/** Beyond these limits the converter would block all other requests. Such HTML only loses its tags. */
const CONVERT_CHARS_MAX = 200_000
const DEPTH_MAX = 300
/** Tags and entities determine the converter's time: about 13 microseconds each. */
const MARKS_MAX = 4_000

const VOID_TAGS = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** `&#1114111;` */
const ENTITY_CHARS_MAX = 10
const ENTITIES: readonly [RegExp, string][] = [
  [/&lt;/gi, '<'],
  [/&gt;/gi, '>'],
  [/&quot;/gi, '"'],
  [/&apos;/gi, "'"],
  [/&nbsp;/gi, ' '],
]

type Convert = ReturnType<typeof compile>
let convert: Convert | null = null

/** Loaded on first use: most emails bring their own text, and the import adds 40 ms to every start. */
function loadConvert(): Convert {
  if (convert !== null) return convert
  const library = createRequire(import.meta.url)('html-to-text') as { compile: typeof compile }
  convert = library.compile({
    wordwrap: false,
    limits: { maxDepth: DEPTH_MAX, maxInputLength: CONVERT_CHARS_MAX },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'img', format: 'skip' },
      { selector: 'title', format: 'skip' },
      { selector: 'table', format: 'block' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  })
  return convert
}

/** Returns the plain-text part for an email that has only HTML, in time linear in its length. */
export function textFromHtml(html: string): string {
  if (html.length > CONVERT_CHARS_MAX || hasTooManyMarks(html) || isTooDeep(html)) return stripTags(html)
  try {
    return loadConvert()(html)
  } catch {
    // Broken HTML must not fail the email; its words are all that a text part needs.
    return stripTags(html)
  }
}

function hasTooManyMarks(html: string): boolean {
  let count = 0
  for (const mark of ['<', '&']) {
    for (let at = html.indexOf(mark); at >= 0; at = html.indexOf(mark, at + 1)) {
      if (++count > MARKS_MAX) return true
    }
  }
  return false
}

/**
 * Counts open tags without building a tree. Tags that close implicitly (`<p>`, `<li>`) count too: an overestimate is
 * safe.
 */
function isTooDeep(html: string): boolean {
  let depth = 0
  for (const tag of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (tag[1] === '/') depth = Math.max(0, depth - 1)
    else if (!VOID_TAGS.has((tag[2] as string).toLowerCase())) depth++
    if (depth > DEPTH_MAX) return true
  }
  return false
}

/** Words are joined and decoded a few at a time: millions of them at once take a gigabyte. */
const WORDS_CHARS = 64 * 1024
const WORD_COUNT_MAX = 4_000

/** Removes tags in one pass with indexOf. A regular expression would take quadratic time on unclosed tags. */
function stripTags(html: string): string {
  const text = new PlainText()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    text.addWords(html, at, open < 0 ? html.length : open)
    if (open < 0) break
    const close = skipTag(html, open)
    if (close < 0) break
    at = close
  }
  return text.end()
}

/** Builds text in which each run of white space, and each tag between words, becomes one space. */
class PlainText {
  readonly #pieces: string[] = []
  #words: string[] = []
  #chars = 0

  addWords(html: string, from: number, to: number): void {
    for (let start = from; start < to; ) {
      const end = wordsEnd(html, start, to)
      this.#words.push(html.slice(start, end))
      this.#chars += end - start
      start = end
      // The parts of a split text are joined directly; texts that a tag separates are joined by a space.
      if (start < to) this.#flush('')
      else if (this.#chars >= WORDS_CHARS || this.#words.length >= WORD_COUNT_MAX) this.#flush(' ')
    }
  }

  end(): string {
    this.#flush('')
    return this.#pieces.join('').replace(/ {2,}/g, ' ').trim()
  }

  #flush(separator: string): void {
    const text = decodeEntities(this.#words.join(' ')) + separator
    this.#pieces.push(text.replace(/[ \t\r\n]{2,}|[\t\r\n]/g, ' '))
    this.#words = []
    this.#chars = 0
  }
}

/** Returns the end of a slice of the words, never inside an entity. */
function wordsEnd(html: string, start: number, to: number): number {
  const end = start + WORDS_CHARS
  if (end >= to) return to
  const entity = html.slice(end - ENTITY_CHARS_MAX, end).lastIndexOf('&')
  return entity < 0 ? end : end - ENTITY_CHARS_MAX + entity
}

/** Returns the offset after the tag at `open`, or after a whole comment, script or style; -1 when it never ends. */
function skipTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open)
  const name = /^<(script|style|title)\b/i.exec(html.slice(open, open + 10))?.[1]
  if (name === undefined) return after(html, '>', open)
  return after(html, '>', html.indexOf('</', after(html, '>', open)))
}

function after(html: string, mark: string, from: number): number {
  if (from < 0) return -1
  const at = html.indexOf(mark, from)
  return at < 0 ? -1 : at + mark.length
}

/**
 * Decodes entities. `&amp;` comes last, so that the text it produces is not decoded again. Replacing each entity by a
 * string takes a fifth of the time of one replacement with a function.
 */
function decodeEntities(text: string): string {
  let decoded = text
  for (const [entity, character] of ENTITIES) decoded = decoded.replace(entity, character)
  return decoded
    .replace(/&#(\d{1,7});/g, (_, code: string) => characterOf(Number(code)))
    .replace(/&amp;/gi, '&')
}

function characterOf(point: number): string {
  return point > 31 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : ' '
}
