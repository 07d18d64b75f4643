import { OpenElements } from './open-elements.ts'
import { TextLines, type TextRow } from './text-lines.ts'

type Attributes = ReadonlyMap<string, string>

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Their content is not shown to readers. */
const NOT_SHOWN = new Set('iframe noembed noframes script style template title'.split(' '))
/** Self-closing tags end only elements inside of these (HTML, section 13.2.6.5). */
const FOREIGN = ['svg', 'math']
/** An empty line before and after. */
const SPACED = new Set('blockquote dl fieldset h1 h2 h3 h4 h5 h6 menu ol p pre ul'.split(' '))
const BLOCK = new Set(
  `address article aside body caption center dd details dialog dir div dt figcaption figure footer form header hr html
   legend li main nav option section summary table tbody tfoot thead tr`.split(/\s+/),
)
const LISTS = new Set(['menu', 'ol', 'ul'])
/** Inline, but apart from the words beside them. */
const CONTROLS = new Set(['button', 'select', 'textarea'])
const RULE = '-'.repeat(40)
/** Links within the text, and links that do nothing outside of a browser. */
const USELESS_LINK = /^(?:#|javascript:|$)/i

/** A list whose items are being read; `no` is null for lists without numbers. */
interface List {
  no: number | null
}

interface Link {
  url: string
  /** The text of the link, as far as it could be the same as the address. */
  text: string
  /** Where its content begins. */
  mark: number
}

/** Turns the tags and texts of HTML into text, in the order in which they come. */
export class TextReader {
  readonly #elements = new OpenElements()
  readonly #lines = new TextLines()
  readonly #lists: List[] = []
  readonly #links: Link[] = []
  readonly #rows: TextRow[] = []
  #hiddenCount = 0

  addText(text: string): void {
    if (this.#hiddenCount > 0) return
    const link = this.#links.at(-1)
    if (link !== undefined && link.text.length <= link.url.length) link.text += text
    if (this.#elements.has('pre')) this.#lines.addPreformatted(text)
    else this.#lines.add(text)
  }

  openTag(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    this.#elements.closeImplied(name)
    const isHidden = NOT_SHOWN.has(name) || isHiddenElement(name, attributes)
    if (VOID.has(name)) {
      if (!isHidden && this.#hiddenCount === 0) this.#addVoid(name, attributes)
      return
    }
    if (isHidden) this.#hiddenCount++
    const end = this.#hiddenCount === 0 ? this.#begin(name, attributes) : () => {}
    const onClose = () => {
      if (isHidden) this.#hiddenCount--
      end()
    }
    this.#elements.open({ name, onClose })
    if (isSelfClosing && FOREIGN.some((foreign) => this.#elements.has(foreign))) this.#elements.close(name)
  }

  closeTag(name: string): void {
    if (name === 'br' && this.#hiddenCount === 0) this.#lines.lineBreak()
    else this.#elements.close(name)
  }

  end(): string {
    this.#elements.closeAll()
    return this.#lines.end()
  }

  #addVoid(name: string, attributes: Attributes): void {
    const alt = attributes.get('alt')?.trim() ?? ''
    if (name === 'br') this.#lines.lineBreak()
    if (name === 'hr') this.#addRule()
    const link = { url: urlOf(attributes), text: alt, mark: this.#lines.mark() }
    if (name === 'img' || name === 'area') this.addText(` ${alt} `)
    if (name === 'area') this.#addLink(link)
  }

  #addRule(): void {
    this.#lines.blockBreak(1)
    this.#lines.add(RULE)
    this.#lines.blockBreak(1)
  }

  /** Begins a shown element; returns what ends it. */
  #begin(name: string, attributes: Attributes): () => void {
    if (name === 'a') return this.#beginLink(attributes)
    if (name === 'td' || name === 'th') return this.#beginCell()
    if (name === 'tr') return this.#beginRow()
    if (name === 'li') return this.#beginItem()
    if (LISTS.has(name)) return this.#beginList(name, attributes)
    if (CONTROLS.has(name)) return this.#beginControl()
    const breaks = SPACED.has(name) ? 2 : 1
    if (breaks === 1 && !BLOCK.has(name)) return () => {}
    this.#lines.blockBreak(breaks)
    if (name === 'blockquote') this.#lines.beginLevel('> ', '> ')
    return () => {
      if (name === 'blockquote') this.#lines.endLevel()
      this.#lines.blockBreak(breaks)
    }
  }

  #beginLink(attributes: Attributes): () => void {
    const link: Link = { url: urlOf(attributes), text: '', mark: this.#lines.mark() }
    this.#links.push(link)
    return () => {
      this.#links.pop()
      this.#addLink(link)
    }
  }

  #addLink({ url, text, mark }: Link): void {
    if (!USELESS_LINK.test(url) && !isSameAddress(url, text)) this.#lines.append(`[${url}]`, mark)
  }

  #beginRow(): () => void {
    const row = this.#lines.beginRow()
    this.#rows.push(row)
    return () => {
      this.#rows.pop()
      this.#lines.endRow(row)
    }
  }

  #beginCell(): () => void {
    const row = this.#rows.at(-1)
    if (row !== undefined) this.#lines.beginCell(row)
    return () => {}
  }

  #beginControl(): () => void {
    this.#lines.add(' ')
    return () => this.#lines.add(' ')
  }

  #beginList(name: string, attributes: Attributes): () => void {
    const breaks = this.#lists.length === 0 ? 2 : 1
    this.#lines.blockBreak(breaks)
    const start = Number.parseInt(attributes.get('start') ?? '', 10)
    this.#lists.push({ no: name === 'ol' ? (Number.isNaN(start) ? 1 : start) : null })
    return () => {
      this.#lists.pop()
      this.#lines.blockBreak(breaks)
    }
  }

  #beginItem(): () => void {
    const list = this.#lists.at(-1)
    const no = list?.no ?? null
    if (list !== undefined && no !== null) list.no = no + 1
    const marker = no === null ? ' * ' : ` ${no}. `
    this.#lines.blockBreak(1)
    this.#lines.beginLevel(marker, ' '.repeat(marker.length))
    return () => {
      this.#lines.endLevel()
      this.#lines.blockBreak(1)
    }
  }
}

/** Browsers drop line breaks in an address, and encode its spaces. */
function urlOf(attributes: Attributes): string {
  const href = attributes.get('href') ?? ''
  return href
    .replace(/[\t\r\n]/g, '')
    .trim()
    .replaceAll(' ', '%20')
}

/** Returns whether a reader who sees the text knows the address. */
function isSameAddress(url: string, text: string): boolean {
  const label = text.trim()
  if (url.toLowerCase().startsWith('tel:')) return digitsOf(url) === digitsOf(label)
  const address = url.replace(/^mailto:([^?]*).*$/is, '$1')
  return [label, `${label}/`, label.replace(/\/$/, '')].includes(address)
}

function digitsOf(text: string): string {
  return text.replace(/[^\d+]/g, '')
}

/** The attributes that hide an element, with their values. */
type HidingAttributes = ReadonlyMap<string, string>

const HIDES: ReadonlySet<string> = new Set([
  'display:none',
  'visibility:hidden',
  'visibility:collapse',
  'opacity:0',
  'mso-hide:all',
])
const NO_HEIGHT = ['max-height:0', 'height:0']
/** `0px`, `0.0em`, and `0%` are 0. */
const ZERO = /^(?:0+(?:\.0+)?|\.0+)(?:px|em|rem|pt|%)?$/

/**
 * Returns whether an element and all that it contains is hidden from readers, as the preview texts of newsletters are.
 * Outlook alone does not show a link with `mso-hide:all`: such links are the buttons of all other mail programs.
 */
function isHiddenElement(name: string, attributes: HidingAttributes): boolean {
  if (attributes.has('hidden')) return true
  const skip = attributes.get('data-skip-in-text')
  if (skip !== undefined && skip.trim().toLowerCase() !== 'false') return true
  const styles = readStyles(attributes.get('style') ?? '')
  if (name === 'a') styles.delete('mso-hide')
  const has = (style: string) => {
    const [property = '', value] = style.split(':')
    return styles.get(property) === value
  }
  if ([...HIDES].some(has)) return true
  return has('overflow:hidden') && NO_HEIGHT.some(has)
}

/** Returns the properties that apply: the last of each name, but before all others those that are `!important`. */
function readStyles(style: string): Map<string, string> {
  const styles = new Map<string, string>()
  const important = new Set<string>()
  for (const declaration of style.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const property = declaration.slice(0, colon).trim()
    const [value = '', ...flags] = declaration.slice(colon + 1).split('!')
    if (flags.some((flag) => flag.trim() === 'important')) important.add(property)
    else if (important.has(property)) continue
    styles.set(property, ZERO.test(value.trim()) ? '0' : value.trim())
  }
  return styles
}
