/** An element whose end tag has not come yet. */
export interface OpenElement {
  name: string
  /** Called once: at the end tag, where another tag implies it, or at the end of the HTML. */
  onClose(): void
}

interface Entry {
  element: OpenElement
  isClosed: boolean
}

/** End tags inside these do not close elements outside of them (HTML, section 13.2.4.2). */
const BOUNDARIES = ['table', 'td', 'th', 'caption', 'button', 'object', 'template']
const OF_TABLES = new Set(['table', 'caption', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th'])
const TABLE_BOUNDARIES = ['table', 'template']
/** These may end inside other elements, which stay open (HTML, section 13.2.6.4.7). */
const FORMATTING = new Set(
  'a abbr b big cite code del em font i ins label nobr q s small span strike strong sub sup tt u'.split(' '),
)
const CLOSES_PARAGRAPH = new Set(
  `address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form
   h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table ul`.split(/\s+/),
)
/** Elements that the start tag of an element closes, up to a boundary. */
const CLOSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['a']],
  ['li', ['li']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['option', ['option']],
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['tr', ['tr', 'caption']],
  ['tbody', ['tbody', 'thead', 'tfoot', 'caption']],
  ['thead', ['tbody', 'thead', 'tfoot', 'caption']],
  ['tfoot', ['tbody', 'thead', 'tfoot', 'caption']],
])
/** Items end at the next item of the same list, not of a list inside of them. */
const ITEMS = new Set(['li', 'dt', 'dd', 'option'])
const LISTS = ['ul', 'ol', 'dl', 'menu', 'select']

/**
 * The open elements, closed where a browser would. Each tag takes constant time, and each element one step more: the
 * positions of each name are known, so that no search runs through the stack.
 */
export class OpenElements {
  readonly #stack: Entry[] = []
  readonly #positions = new Map<string, number[]>()

  has(name: string): boolean {
    return this.#last(name) >= 0
  }

  /** Closes the elements that a start tag of this name closes. */
  closeImplied(name: string): void {
    if (CLOSES_PARAGRAPH.has(name)) this.close('p')
    for (const other of CLOSES.get(name) ?? []) {
      const isOfOuterList = ITEMS.has(other) && LISTS.some((list) => this.#last(list) > this.#last(other))
      if (!isOfOuterList) this.close(other)
    }
  }

  open(element: OpenElement): void {
    const positions = this.#positions.get(element.name)
    if (positions === undefined) this.#positions.set(element.name, [this.#stack.length])
    else positions.push(this.#stack.length)
    this.#stack.push({ element, isClosed: false })
  }

  /** Closes the last open element of this name, and what is open inside of it. Without one, the tag has no effect. */
  close(name: string): void {
    const position = this.#last(name)
    if (position < 0) return
    const boundaries = OF_TABLES.has(name) ? TABLE_BOUNDARIES : BOUNDARIES
    if (boundaries.some((boundary) => boundary !== name && this.#last(boundary) > position)) return
    if (FORMATTING.has(name)) this.#end(this.#stack[position] as Entry)
    else this.#closeFrom(position)
  }

  closeAll(): void {
    this.#closeFrom(0)
  }

  #closeFrom(position: number): void {
    while (this.#stack.length > position) this.#end(this.#stack.pop() as Entry)
  }

  /** A formatting element that ends before what it contains stays in the stack, without effect. */
  #end(entry: Entry): void {
    if (entry.isClosed) return
    entry.isClosed = true
    this.#positions.get(entry.element.name)?.pop()
    entry.element.onClose()
  }

  #last(name: string): number {
    return this.#positions.get(name)?.at(-1) ?? -1
  }
}
