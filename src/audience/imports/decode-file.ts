import { type ApiError, invalidField } from '../../lib/api-error.ts'

/** Named as in the Encoding Standard of the WHATWG. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const
export type FileEncoding = (typeof ENCODINGS)[number]

const MARKS: readonly [FileEncoding, Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]
const MARK_BYTES_MAX = 3
/** The bytes that are decoded at once, which takes about a millisecond. */
const SLICE_BYTES = 64 * 1024
const LF = 10
const CR = 13

/**
 * Yields the bytes of a file in UTF-8. A byte order mark wins over `wanted`, as in the Encoding Standard; without both,
 * the file is UTF-8. Throws ApiError (422) that names the place of the first bytes that are invalid in the encoding.
 */
export async function* decodeFile(
  chunks: AsyncIterable<Buffer>,
  encoding: FileEncoding | null,
): AsyncGenerator<Buffer> {
  let decoder: FileDecoder | null = null
  let start: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (decoder !== null) {
      yield* decoder.take(chunk)
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < MARK_BYTES_MAX) continue
    decoder = openDecoder(start, encoding)
    yield* decoder.take(start)
  }
  if (decoder === null) {
    decoder = openDecoder(start, encoding)
    yield* decoder.take(start)
  }
  decoder.end()
}

function openDecoder(start: Buffer, encoding: FileEncoding | null): FileDecoder {
  const entry = MARKS.find(([, mark]) => start.subarray(0, mark.length).equals(mark))
  return new FileDecoder(entry?.[0] ?? encoding ?? 'utf-8', entry !== undefined)
}

class FileDecoder {
  readonly #encoding: FileEncoding
  readonly #hasMark: boolean
  /** The first bytes of a character whose other bytes have not arrived. */
  #open: Buffer = Buffer.alloc(0)
  /** The bytes before `#open`. */
  #decodedBytes = 0
  #lineEnds = 0
  #endsInCr = false

  constructor(encoding: FileEncoding, hasMark: boolean) {
    this.#encoding = encoding
    this.#hasMark = hasMark
  }

  *take(chunk: Buffer): Generator<Buffer> {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      yield this.#decode(Buffer.concat([this.#open, chunk.subarray(at, at + SLICE_BYTES)]))
    }
  }

  end(): void {
    if (this.#open.length > 0) throw this.#refuse()
  }

  #decode(bytes: Buffer): Buffer {
    const text = this.#tryDecode(bytes)
    if (text === null) {
      this.#decode(bytes.subarray(0, this.#findValidLength(bytes)))
      throw this.#refuse()
    }
    const length = this.#lengthOf(text)
    this.#decodedBytes += length
    this.#open = bytes.subarray(length)
    const utf8 = this.#encoding === 'utf-8' ? bytes.subarray(0, length) : Buffer.from(text)
    this.#countLineEnds(utf8)
    return utf8
  }

  /** Decodes the whole characters at the start of the bytes. Returns null if bytes are invalid. */
  #tryDecode(bytes: Buffer): string | null {
    try {
      return new TextDecoder(this.#encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
    } catch {
      return null
    }
  }

  #findValidLength(bytes: Buffer): number {
    let [valid, invalid] = [0, bytes.length]
    while (invalid - valid > 1) {
      const middle = Math.floor((valid + invalid) / 2)
      if (this.#tryDecode(bytes.subarray(0, middle)) === null) invalid = middle
      else valid = middle
    }
    return valid
  }

  /** Returns the number of bytes that a text has in the file. */
  #lengthOf(text: string): number {
    if (this.#encoding === 'utf-8') return Buffer.byteLength(text)
    return this.#encoding.startsWith('utf-16') ? 2 * text.length : text.length
  }

  /** Counts LF, CR LF and CR, as the errors of rows do. */
  #countLineEnds(bytes: Buffer): void {
    for (const byte of bytes) {
      if (byte === CR || (byte === LF && !this.#endsInCr)) this.#lineEnds++
      this.#endsInCr = byte === CR
    }
  }

  #refuse(): ApiError {
    const name = this.#encoding.toUpperCase()
    const place = `line ${this.#lineEnds + 1} (byte offset ${this.#decodedBytes})`
    const others = this.#hasMark ? '' : ', or set encoding to the one it has, for example windows-1252'
    return invalidField('encoding', `The file is not valid ${name} at ${place}. Save it as UTF-8${others}.`)
  }
}
