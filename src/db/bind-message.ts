import { isLarge, Pieces } from './pieces.ts'

type Parameter = Pieces | Buffer | string | null

const TEXT = 0
const BINARY = 1
/** Describe and Execute for the unnamed portal, which follow every Bind. */
const DESCRIBE_AND_EXECUTE = Buffer.from('D\0\0\0\x06P\0E\0\0\0\x09\0\0\0\0\0', 'latin1')

/**
 * Returns Bind, Describe and Execute for a statement, in pieces to write one after another: large parameters are not
 * copied. pg copies each parameter into one message, and everything again whenever the message grows: a content of 40
 * MB took 120 MB until the next garbage collection. Layout: the PostgreSQL manual, "Message Formats".
 */
export function bindMessage(statement: string, parameters: readonly Parameter[]): Buffer[] {
  const count = parameters.length
  const sizes = parameters.map(sizeOf)
  const headBytes = 1 + 4 + 1 + Buffer.byteLength(statement) + 1 + 2 + 2 * count + 2
  let bytes = headBytes + RESULT_FORMAT_BYTES
  for (const size of sizes) bytes += 4 + Math.max(0, size)
  const writer = new Writer(bytes - countLarge(parameters) + DESCRIBE_AND_EXECUTE.length)
  writer
    .text('B')
    .int32(bytes - 1)
    .text(`\0${statement}\0`)
    .int16(count)
  for (const parameter of parameters)
    writer.int16(parameter === null || typeof parameter === 'string' ? TEXT : BINARY)
  writer.int16(count)
  for (const [index, parameter] of parameters.entries()) {
    writer.int32(sizes[index] as number)
    if (typeof parameter === 'string') writer.text(parameter)
    else for (const piece of piecesOf(parameter)) writer.octets(piece)
  }
  // One format for all columns of the result.
  return writer.int16(1).int16(TEXT).octets(DESCRIBE_AND_EXECUTE).end()
}

const RESULT_FORMAT_BYTES = 4

function sizeOf(parameter: Parameter): number {
  if (parameter === null) return -1
  return typeof parameter === 'string' ? Buffer.byteLength(parameter) : parameter.length
}

function piecesOf(parameter: Pieces | Buffer | null): readonly Buffer[] {
  if (parameter === null) return []
  return parameter instanceof Pieces ? parameter.pieces : [parameter]
}

/** Returns the length of all octets that are not copied. */
function countLarge(parameters: readonly Parameter[]): number {
  let bytes = 0
  for (const parameter of parameters) {
    if (typeof parameter === 'string') continue
    for (const piece of piecesOf(parameter)) if (isLarge(piece)) bytes += piece.length
  }
  return bytes
}

/** Writes into one Buffer of a known length. Large octets become pieces of their own. */
class Writer {
  readonly #buffer: Buffer
  readonly #pieces: Buffer[] = []
  #at = 0
  #pieceAt = 0

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes)
  }

  int16(value: number): this {
    this.#at = this.#buffer.writeInt16BE(value, this.#at)
    return this
  }

  int32(value: number): this {
    this.#at = this.#buffer.writeInt32BE(value, this.#at)
    return this
  }

  text(value: string): this {
    this.#at += this.#buffer.write(value, this.#at)
    return this
  }

  octets(value: Buffer): this {
    if (isLarge(value)) {
      this.#cut()
      this.#pieces.push(value)
    } else this.#at += value.copy(this.#buffer, this.#at)
    return this
  }

  end(): Buffer[] {
    this.#cut()
    return this.#pieces
  }

  #cut(): void {
    this.#pieces.push(this.#buffer.subarray(this.#pieceAt, this.#at))
    this.#pieceAt = this.#at
  }
}
