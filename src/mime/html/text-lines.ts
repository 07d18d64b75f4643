/** Deeper levels are not indented further: the text would grow with the square of their depth. */
const LEVELS_MAX = 8
/** One empty line. */
const BREAKS_MAX = 2
/** Pieces are joined a few at a time: millions of small ones take a gigabyte. */
const PIECES_MAX = 4_000
/** Separates the cells of a row. */
const CELL_GAP = '  '
/** Of a run of invisible characters between two visible ones. */
const INVISIBLE_CHARS_MAX = 8
/** Soft hyphens, joiners and marks without a width. They pad preview texts, and join letters of some languages. */
const INVISIBLE = /\u034F|[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/u
const INVISIBLE_WORD = /^(?:\u034F|[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF])+$/u
const CONTROLS = /(?![\t\n\f\r])\p{Cc}/gu

/** An indented level: a list item or a quotation. */
interface Level {
  first: string
  rest: string
  isBegun: boolean
}

/** A row of a table, from `beginRow`. */
export interface TextRow {
  /** The number of its first line, and of the pieces before it. */
  line: number
  pieces: number
  /** The line breaks after the row. */
  breaks: number
}

/** Builds text from words, lines, rows and levels. White space is kept back until a visible character follows. */
export class TextLines {
  #text: string[] = []
  #pieces: string[] = []
  #pieceCount = 0
  #lineCount = 0
  #levels: Level[] = []
  /** Open levels beyond the indented ones. */
  #deeperCount = 0
  #breaks = 0
  #gap: '' | ' ' | typeof CELL_GAP = ''
  #invisible = ''

  /** Adds text in which each run of white space is one space. */
  add(text: string): void {
    const collapsed = text.replace(CONTROLS, '').replace(/\s+/g, ' ')
    for (const word of INVISIBLE.test(collapsed) ? collapsed.split(/( )/) : [collapsed]) {
      if (INVISIBLE_WORD.test(word)) this.#addInvisible(word)
      else this.#addPhrase(word)
    }
  }

  /** Adds text of which each line and space counts. */
  addPreformatted(text: string): void {
    for (const [index, line] of text
      .replace(CONTROLS, '')
      .split(/\r\n?|\n/)
      .entries()) {
      if (index > 0) this.lineBreak()
      if (line.trim() !== '') this.#write(line)
    }
  }

  /** Returns where the text ends. */
  mark(): number {
    return this.#pieceCount
  }

  /**
   * Adds text to the last line, before the white space that is kept back; like other text, if nothing was added since
   * the mark.
   */
  append(text: string, mark: number): void {
    if (this.#pieceCount === mark) {
      this.#addPhrase(` ${text}`)
      return
    }
    const [gap, breaks] = [this.#gap, this.#breaks]
    this.#breaks = 0
    this.#gap = ' '
    this.#write(text)
    this.#gap = gap
    this.#breaks = breaks
  }

  /** Ends the line, like `br`. */
  lineBreak(): void {
    if (this.#gap !== CELL_GAP) this.#breaks = Math.min(BREAKS_MAX, this.#breaks + 1)
  }

  /** Ends the line if it is not empty; two breaks leave an empty line. Has no effect at the beginning of a cell. */
  blockBreak(breaks: number): void {
    if (this.#gap !== CELL_GAP) this.#breaks = Math.max(this.#breaks, breaks)
  }

  /** @param first precedes its first line, `rest` the others */
  beginLevel(first: string, rest: string): void {
    if (this.#levels.length < LEVELS_MAX) this.#levels.push({ first, rest, isBegun: false })
    else this.#deeperCount++
  }

  endLevel(): void {
    if (this.#deeperCount > 0) this.#deeperCount--
    else this.#levels.pop()
  }

  beginRow(): TextRow {
    this.blockBreak(1)
    const isNextLine = this.#breaks > 0 && !this.#isEmpty
    return { line: this.#lineCount + (isNextLine ? 1 : 0), pieces: this.#pieceCount, breaks: 1 }
  }

  /** Begins a cell: on the line of the row if that has only one line so far. */
  beginCell(row: TextRow): void {
    if (row.pieces === this.#pieceCount) return
    if (row.line !== this.#lineCount) {
      this.blockBreak(1)
      return
    }
    row.breaks = Math.max(row.breaks, this.#breaks)
    this.#breaks = 0
    this.#gap = CELL_GAP
  }

  endRow(row: TextRow): void {
    this.#gap = ''
    this.blockBreak(row.breaks)
  }

  end(): string {
    return [...this.#text, ...this.#pieces].join('')
  }

  get #isEmpty(): boolean {
    return this.#pieceCount === 0
  }

  #addPhrase(phrase: string): void {
    const words = phrase.trim()
    if (phrase.startsWith(' ')) this.#addSpace()
    if (words === '') return
    this.#write(words)
    if (phrase.endsWith(' ')) this.#addSpace()
  }

  #addSpace(): void {
    this.#invisible = ''
    if (this.#gap === '') this.#gap = ' '
  }

  /** Invisible characters count only between two visible ones. */
  #addInvisible(characters: string): void {
    if (this.#invisible.length < INVISIBLE_CHARS_MAX) this.#invisible += characters
  }

  #write(text: string): void {
    const isBegun = !this.#isEmpty
    if (this.#breaks > 0 || !isBegun) {
      const prefix = this.#levels.map((level) => beginLine(level)).join('')
      if (isBegun) this.#lineCount++
      this.#push(`${isBegun ? '\n'.repeat(this.#breaks) : ''}${prefix}${text}`)
    } else {
      this.#push(this.#gap === '' ? `${this.#invisible}${text}` : `${this.#gap}${text}`)
    }
    this.#breaks = 0
    this.#gap = ''
    this.#invisible = ''
  }

  #push(piece: string): void {
    this.#pieces.push(piece)
    this.#pieceCount++
    if (this.#pieces.length < PIECES_MAX) return
    this.#text.push(this.#pieces.join(''))
    this.#pieces = []
  }
}

function beginLine(level: Level): string {
  const text = level.isBegun ? level.rest : level.first
  level.isBegun = true
  return text
}
