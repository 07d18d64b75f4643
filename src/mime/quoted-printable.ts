const CR = 13
const LF = 10
const TAB = 9
const SPACE = 0x20
const EQUALS = 0x3d
const DOT = 0x2e
const HEX = Buffer.from('0123456789ABCDEF')
/** Leaves room for the `=` of a soft line break within 76 characters (RFC 2045 section 6.7 (5)). */
const LINE_CHARS = 75
/** The encoder checks its limit before each run of plain octets, so it may exceed the limit by one line. */
const SLACK_OCTETS = 100

/**
 * The kinds of octets in quoted-printable (RFC 2045 section 6.7 (1)-(3)). Printable ASCII other than `=` is plain,
 * and so is a space or tab that does not end its line.
 */
const ESCAPE = 0
const PLAIN = 1
const LINE_END = 2
const KIND = Uint8Array.from({ length: 256 }, (_, octet) => {
  if (octet === CR || octet === LF) return LINE_END
  return octet === TAB || (octet >= SPACE && octet < 0x7f && octet !== EQUALS) ? PLAIN : ESCAPE
})

/** Returns the octets that `encodeQuotedPrintable` needs for a result of at most `octetsMax`. */
export function workspaceOctets(octetsMax: number): number {
  return octetsMax + SLACK_OCTETS
}

/**
 * Encodes text as quoted-printable; any line end becomes CRLF. Also escapes a dot at the start of a line, so that no
 * server needs dot-stuffing. Returns null if the result would exceed `octetsMax`.
 * @param into the result is a view of it
 */
export function encodeQuotedPrintable(text: Buffer, octetsMax: number, into: Buffer): Buffer | null {
  const writer = new Writer(into)
  for (let at = 0; at < text.length; ) {
    if (writer.length > octetsMax) return null
    if (writer.isLineStart && text[at] === DOT) writer.escape(text[at++] as number)
    at = writer.copyPlain(text, at)
    if (at === text.length) break
    const octet = text[at] as number
    if (KIND[octet] === LINE_END) {
      writer.endLine()
      at += octet === CR && text[at + 1] === LF ? 2 : 1
    } else if (KIND[octet] === PLAIN) writer.breakLine()
    else {
      writer.escape(octet)
      at++
    }
  }
  writer.escapeLastSpace()
  return writer.length > octetsMax ? null : writer.result()
}

/** Returns the length of the quoted-printable form without soft line breaks: a lower bound. */
export function quotedPrintableMin(text: Buffer): number {
  let octets = text.length
  for (const octet of text) if (KIND[octet] === ESCAPE) octets += 2
  return octets
}

/** Writes lines of quoted-printable. */
class Writer {
  readonly #octets: Buffer
  #to = 0
  #lineStart = 0

  constructor(octets: Buffer) {
    this.#octets = octets
  }

  get length(): number {
    return this.#to
  }

  get isLineStart(): boolean {
    return this.#to === this.#lineStart
  }

  /**
   * Copies plain octets as far as the line has room. Returns the position after them. This is the hottest loop of message
   * building.
   */
  copyPlain(text: Buffer, from: number): number {
    const octets = this.#octets
    let to = this.#to
    let at = from
    const stop = Math.min(text.length, from + this.#lineStart + LINE_CHARS - to)
    while (at < stop && KIND[text[at] as number] === PLAIN) octets[to++] = text[at++] as number
    this.#to = to
    return at
  }

  escape(octet: number): void {
    if (this.#to + 3 > this.#lineStart + LINE_CHARS) this.breakLine()
    this.#octets[this.#to++] = EQUALS
    this.#octets[this.#to++] = HEX[octet >> 4] as number
    this.#octets[this.#to++] = HEX[octet & 15] as number
  }

  /** Writes a soft line break. */
  breakLine(): void {
    this.#octets[this.#to++] = EQUALS
    this.#writeCrlf()
  }

  endLine(): void {
    this.escapeLastSpace()
    this.#writeCrlf()
  }

  /** Escapes white space at the end of the line. */
  escapeLastSpace(): void {
    const last = this.#octets[this.#to - 1] as number
    if (this.isLineStart || last > SPACE) return
    this.#to--
    this.escape(last)
  }

  result(): Buffer {
    return this.#octets.subarray(0, this.#to)
  }

  #writeCrlf(): void {
    this.#octets[this.#to++] = CR
    this.#octets[this.#to++] = LF
    this.#lineStart = this.#to
  }
}
