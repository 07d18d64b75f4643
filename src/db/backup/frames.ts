import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The format of a backup inside its compression: frames of a letter, the length of the content (4 bytes, big endian),
 * a CRC-32 over letter, length and content (4 bytes, so that damage is detected before data reaches the database),
 * and the content.
 * `H` is the header. Each table has `T` with its name and columns, `D` with chunks of the COPY output, and `E` with
 * its row count. `Z` comes last, with the number of tables and the SHA-256 of all bytes before it. All but `D` are
 * JSON.
 */
export type FrameType = 'H' | 'T' | 'D' | 'E' | 'Z'

/** The start of the file, before the compressed part. */
export const MAGIC = Buffer.from('SENDWRIGHT-BACKUP\n', 'latin1')
export const FORMAT = 1

export interface Frame {
  type: FrameType
  payload: Buffer
}

/** The file is not a valid backup. The message is shown to the operator. */
export class BadBackup extends Error {}

const HEAD_BYTES = 9
const CRC_AT = 5
const DATA_BYTES_MAX = 64 * 1024
const JSON_BYTES_MAX = 64 * 1024 * 1024

/** Writes frames, and a final one with the checksum of all others. */
export class FrameWriter {
  readonly #hash = createHash('sha256')
  #tables = 0

  json(type: Exclude<FrameType, 'D' | 'Z'>, value: unknown): Buffer {
    if (type === 'T') this.#tables++
    return this.#frame(type, Buffer.from(JSON.stringify(value), 'utf8'))
  }

  /** Combines small chunks into one frame and splits large ones. */
  async *data(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let waiting: Buffer[] = []
    let bytes = 0
    for await (const chunk of chunks) {
      waiting.push(chunk)
      bytes += chunk.length
      if (bytes < DATA_BYTES_MAX) continue
      yield* this.#cut(Buffer.concat(waiting))
      waiting = []
      bytes = 0
    }
    if (bytes > 0) yield* this.#cut(Buffer.concat(waiting))
  }

  end(): Buffer {
    const end = { tables: this.#tables, sha256: this.#hash.copy().digest('hex') }
    return this.#frame('Z', Buffer.from(JSON.stringify(end), 'utf8'))
  }

  *#cut(bytes: Buffer): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += DATA_BYTES_MAX) {
      yield this.#frame('D', bytes.subarray(at, at + DATA_BYTES_MAX))
    }
  }

  #frame(type: FrameType, payload: Buffer): Buffer {
    const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.length)
    frame.write(type, 0, 'latin1')
    frame.writeUInt32BE(payload.length, 1)
    frame.writeUInt32BE(crc32(payload, crc32(frame.subarray(0, CRC_AT))), CRC_AT)
    payload.copy(frame, HEAD_BYTES)
    this.#hash.update(frame)
    return frame
  }
}

/**
 * Reads frames up to the final one, whose checksum must match and after which nothing may follow. Throws BadBackup.
 */
export async function* readFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const hash = createHash('sha256')
  let tables = 0
  let hasEnded = false
  for await (const { frame, raw } of cutFrames(bytes)) {
    if (hasEnded) throw new BadBackup('The file continues after its end. It is not a valid backup.')
    if (frame.type === 'Z') {
      const end = parseFrame<{ tables: number; sha256: string }>(frame)
      if (end.sha256 !== hash.digest('hex') || end.tables !== tables) {
        throw new BadBackup('The file is damaged: the checksum does not match.')
      }
      hasEnded = true
      continue
    }
    if (frame.type === 'T') tables++
    hash.update(raw)
    yield frame
  }
  if (!hasEnded) throw new BadBackup('The file is truncated: its end is missing.')
}

async function* cutFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<{ frame: Frame; raw: Buffer }> {
  let rest: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  let length = 0
  let frameLength = HEAD_BYTES
  for await (const chunk of bytes) {
    parts.push(chunk)
    length += chunk.length
    if (length < frameLength) continue
    rest = Buffer.concat(parts)
    let at = 0
    frameLength = HEAD_BYTES
    while (rest.length - at >= frameLength) {
      frameLength = HEAD_BYTES + lengthOf(rest, at)
      if (rest.length - at < frameLength) break
      const raw = rest.subarray(at, at + frameLength)
      const type = String.fromCharCode(raw[0] as number) as FrameType
      const payload = raw.subarray(HEAD_BYTES)
      if (crc32(payload, crc32(raw.subarray(0, CRC_AT))) !== raw.readUInt32BE(CRC_AT)) {
        throw new BadBackup('The file is damaged: a checksum does not match.')
      }
      yield { frame: { type, payload }, raw }
      at += frameLength
      frameLength = HEAD_BYTES
    }
    parts = [rest.subarray(at)]
    length = rest.length - at
  }
  if (length > 0) throw new BadBackup('The file is truncated: its last frame is incomplete.')
}

/** Returns the length of the content that follows a frame header. */
function lengthOf(bytes: Buffer, at: number): number {
  const type = String.fromCharCode(bytes[at] as number)
  const length = bytes.readUInt32BE(at + 1)
  const isKnown = 'HTDEZ'.includes(type) && length <= (type === 'D' ? DATA_BYTES_MAX : JSON_BYTES_MAX)
  if (!isKnown) throw new BadBackup('The file is damaged and cannot be read further.')
  return length
}

export function parseFrame<T>({ payload }: Frame): T {
  try {
    return JSON.parse(payload.toString('utf8')) as T
  } catch {
    throw new BadBackup('The file is damaged and cannot be read further.')
  }
}
