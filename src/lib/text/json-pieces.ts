import { sliceEnd } from './text-slices.ts'

/** Octets that JSON shows as one long string. The writer converts them slice by slice, never as one string. */
export class OctetsText {
  readonly octets: Buffer
  readonly form: 'latin1' | 'base64'

  constructor(octets: Buffer, form: 'latin1' | 'base64') {
    this.octets = octets
    this.form = form
  }
}

/** Divisible by three, so that only the last slice has base64 padding. */
const SLICE_OCTETS = 192 * 1024
const SLICE_CHARS = 256 * 1024
const PIECE_OCTETS = 4 * 1024 * 1024

/**
 * Returns the UTF-8 octets of `JSON.stringify(value)` in pieces of a few megabytes. Accepts plain data and `OctetsText`.
 * Writes long strings slice by slice, because JSON.stringify needs ten times the memory of tens of megabytes of line ends.
 */
export function toJsonPieces(value: unknown): Buffer[] {
  const writer = new PieceWriter()
  writer.writeValue(value)
  return writer.end()
}

class PieceWriter {
  readonly #pieces: Buffer[] = []
  #text: string[] = []
  #chars = 0

  writeValue(value: unknown): void {
    if (value instanceof OctetsText) this.#writeOctets(value)
    else if (typeof value === 'string' && value.length > SLICE_CHARS) this.#writeLong(value)
    else if (Array.isArray(value)) this.#writeArray(value)
    else if (typeof value === 'object' && value !== null) this.#writeObject(value)
    else this.#write(JSON.stringify(value) ?? 'null')
  }

  end(): Buffer[] {
    this.#flush()
    return this.#pieces
  }

  #writeArray(values: readonly unknown[]): void {
    for (const [index, value] of values.entries()) {
      this.#write(index === 0 ? '[' : ',')
      this.writeValue(value)
    }
    this.#write(values.length === 0 ? '[]' : ']')
  }

  #writeObject(object: object): void {
    let open = '{'
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue
      this.#write(`${open}${JSON.stringify(name)}:`)
      this.writeValue(value)
      open = ','
    }
    this.#write(open === '{' ? '{}' : '}')
  }

  #writeLong(text: string): void {
    this.#write('"')
    for (let start = 0; start < text.length; ) {
      const end = sliceEnd(text, start, SLICE_CHARS)
      this.#write(JSON.stringify(text.slice(start, end)).slice(1, -1))
      start = end
    }
    this.#write('"')
  }

  #writeOctets({ octets, form }: OctetsText): void {
    this.#write('"')
    for (let start = 0; start < octets.length; start += SLICE_OCTETS) {
      const slice = octets.toString(form, start, start + SLICE_OCTETS)
      this.#write(form === 'base64' ? slice : JSON.stringify(slice).slice(1, -1))
    }
    this.#write('"')
  }

  #write(text: string): void {
    this.#text.push(text)
    this.#chars += text.length
    if (this.#chars >= PIECE_OCTETS) this.#flush()
  }

  #flush(): void {
    if (this.#chars > 0) this.#pieces.push(Buffer.from(this.#text.join('')))
    this.#text = []
    this.#chars = 0
  }
}
