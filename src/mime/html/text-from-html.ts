import { createRequire } from 'node:module'
import type { TokenizerCallbacks } from 'htmlparser2'
import { TextReader } from './text-reader.ts'

type Tokenizer = new (
  options: object,
  callbacks: TokenizerCallbacks,
) => { write(html: string): void; end(): void }
let tokenizer: Tokenizer | null = null

/** Loaded on first use: most emails bring their own text, and the import adds to every start. */
function loadTokenizer(): Tokenizer {
  if (tokenizer === null) {
    const library = createRequire(import.meta.url)('htmlparser2') as { Tokenizer: Tokenizer }
    tokenizer = library.Tokenizer
  }
  return tokenizer
}

/**
 * Returns the plain-text part for an email that has only HTML: what its readers see, in its order, with the addresses
 * of links in brackets. Takes time linear in the length, whatever the HTML: only the tokenizer of htmlparser2 is used,
 * because its parser searches all open elements at each end tag.
 */
export function textFromHtml(html: string): string {
  const Tokenizer = loadTokenizer()
  const reader = new TextReader()
  const parts = new Tokenizer({}, new TagParts(html, reader))
  parts.write(html)
  parts.end()
  return reader.end()
}

/** Puts the parts of tags together that the tokenizer reports as offsets. */
class TagParts implements TokenizerCallbacks {
  readonly #html: string
  readonly #reader: TextReader
  #name = ''
  #attributes = new Map<string, string>()
  #attribute = ''
  #value: string[] = []

  constructor(html: string, reader: TextReader) {
    this.#html = html
    this.#reader = reader
  }

  ontext(from: number, to: number): void {
    this.#reader.addText(this.#html.slice(from, to))
  }

  ontextentity(codePoint: number): void {
    this.#reader.addText(characterOf(codePoint))
  }

  onopentagname(from: number, to: number): void {
    this.#name = this.#html.slice(from, to).toLowerCase()
    this.#attributes = new Map()
  }

  onattribname(from: number, to: number): void {
    this.#attribute = this.#html.slice(from, to).toLowerCase()
  }

  onattribdata(from: number, to: number): void {
    this.#value.push(this.#html.slice(from, to))
  }

  onattribentity(codePoint: number): void {
    this.#value.push(characterOf(codePoint))
  }

  /** The first attribute of each name counts. */
  onattribend(): void {
    if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value.join(''))
    this.#value = []
  }

  onopentagend(): void {
    this.#reader.openTag(this.#name, this.#attributes, false)
  }

  onselfclosingtag(): void {
    this.#reader.openTag(this.#name, this.#attributes, true)
  }

  onclosetag(from: number, to: number): void {
    this.#reader.closeTag(this.#html.slice(from, to).toLowerCase())
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
}

/** Numeric references may name code points that no text contains. */
function characterOf(codePoint: number): string {
  const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
  return isCharacter ? String.fromCodePoint(codePoint) : '\uFFFD'
}
