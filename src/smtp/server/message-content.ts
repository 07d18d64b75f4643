import { freeOctets, joinAndFree } from '../../lib/octets.ts'

const END = Buffer.from('\r\n.\r\n')
const LINE_DOT = Buffer.from('\r\n.')
const LINE_END = Buffer.from('\r\n')
const CR = 13
const LF = 10
const DOT = 46
/** A message may have 350,000 lines of a dot. A loop over so few octets takes less time than a call into native code. */
const FEW = 16
const PAGE_BYTES = 64 * 1024
const LARGE_PAGE_BYTES = 1024 * 1024
const NOTHING = Buffer.alloc(0)

/**
 * Reads the content of one DATA command (RFC 5321 section 4.5.2). The content ends only at CRLF, dot, CRLF: a server
 * that accepts a bare LF or CR there sees two messages where the sender's server saw one (SMTP smuggling). Content
 * beyond the limit is received and discarded, because the server must not reply before the end. Bytes are copied into
 * pages, so that a message of many dots takes no more memory than another.
 */
export class MessageContent {
  #bytesMax: number
  readonly #keptBytesMax: number
  #pages: Buffer[] = []
  #page = NOTHING
  #pageUsed = 0
  #length = 0
  /** The first line may be the final dot, so reading starts as if after a line end. */
  #tail: Buffer = LINE_END
  /** How many bytes of the tail are not content. */
  #addedBytes = LINE_END.length
  /** Whether the limit was exceeded. Nothing is kept then. */
  isTooLarge = false

  /** @param keptBytesMax how many bytes to keep, from the beginning of a message of up to `bytesMax` */
  constructor(bytesMax: number, keptBytesMax = bytesMax) {
    this.#bytesMax = bytesMax
    this.#keptBytesMax = keptBytesMax
  }

  /** Lowers the limit on the message to `bytesMax`. */
  limit(bytesMax: number): void {
    this.#bytesMax = Math.min(this.#bytesMax, bytesMax)
    if (this.#length > this.#bytesMax) this.#discard()
  }

  /** Bytes received, including discarded ones. */
  get length(): number {
    return this.#length
  }

  /** Consumes a chunk. Returns the bytes after the end of the message, or null while it continues. */
  feed(chunk: Buffer): Buffer | null {
    const bytes = Buffer.concat([this.#tail, chunk])
    let from = this.#addedBytes
    for (let at = findLineDot(bytes, 0); at >= 0; ) {
      const dot = at + LINE_END.length
      if (bytes.length < at + END.length && isBeginning(bytes.subarray(at))) break
      this.#keep(bytes, from, dot)
      if (bytes[dot + 1] === CR && bytes[dot + 2] === LF) return bytes.subarray(at + END.length)
      from = dot + 1
      at = findLineDot(bytes, from)
      this.#addedBytes = 0
    }
    const end = bytes.length - heldBack(bytes, from > this.#addedBytes ? from : 0)
    if (end > from) this.#keep(bytes, from, end)
    this.#addedBytes = Math.max(0, this.#addedBytes - end)
    // Copy the tail: a view would keep the memory of the whole chunk.
    this.#tail = Buffer.from(bytes.subarray(end))
    freeOctets(bytes)
    return null
  }

  /** Returns the message, or its kept beginning. Call it only after the end, and if the message is not too large. */
  take(): Buffer {
    const pages = [...this.#pages, this.#page.subarray(0, this.#pageUsed)]
    this.#pages = []
    this.#page = NOTHING
    this.#pageUsed = 0
    return pages.length === 1 ? (pages[0] as Buffer) : joinAndFree(pages)
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const end = from + Math.min(to - from, Math.max(0, this.#keptBytesMax - this.#length))
    this.#length += to - from
    if (this.#length > this.#bytesMax) this.#discard()
    for (let at = from; at < end && !this.isTooLarge; ) {
      if (this.#pageUsed === this.#page.length) this.#addPage()
      const copied = copyOctets(this.#page, this.#pageUsed, bytes, at, end)
      this.#pageUsed += copied
      at += copied
    }
  }

  #addPage(): void {
    if (this.#page.length > 0) this.#pages.push(this.#page)
    this.#page = Buffer.allocUnsafe(this.#length > LARGE_PAGE_BYTES ? LARGE_PAGE_BYTES : PAGE_BYTES)
    this.#pageUsed = 0
  }

  #discard(): void {
    this.isTooLarge = true
    this.#pages = []
    this.#page = NOTHING
    this.#pageUsed = 0
  }
}

/** Returns the offset of the next line that begins with a dot, or -1. */
function findLineDot(bytes: Buffer, from: number): number {
  const near = Math.min(from + FEW, bytes.length - LINE_DOT.length)
  for (let at = from; at < near; at++) {
    if (bytes[at] === CR && bytes[at + 1] === LF && bytes[at + 2] === DOT) return at
  }
  return bytes.indexOf(LINE_DOT, Math.max(from, near))
}

/** Copies what fits. Returns the number of octets copied. */
function copyOctets(target: Buffer, start: number, bytes: Buffer, from: number, to: number): number {
  const count = Math.min(to - from, target.length - start)
  if (count > FEW) return bytes.copy(target, start, from, to)
  for (let at = 0; at < count; at++) target[start + at] = bytes[from + at] as number
  return count
}

function isBeginning(bytes: Buffer): boolean {
  return bytes.equals(END.subarray(0, bytes.length))
}

/** Returns how many bytes at the end, none of them before `from`, may be the beginning of the terminator. */
function heldBack(bytes: Buffer, from: number): number {
  for (let length = Math.min(END.length - 1, bytes.length - from); length > 0; length--) {
    if (isBeginning(bytes.subarray(bytes.length - length))) return length
  }
  return 0
}
