import type { Transform } from 'node:stream'
import {
  constants,
  createZstdCompress,
  createZstdDecompress,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { joinInTurns } from '../lib/octets.ts'

/**
 * Smaller messages are not compressed. For 10 KB, compression would take 0.05 ms on the event loop, and save PostgreSQL
 * only 0.035 ms on another core.
 */
export const COMPRESS_BYTES_MIN = 16 * 1024
/** Larger messages are compressed and decompressed on libuv's threads, so that the event loop is not blocked. */
const THREAD_BYTES_MIN = 256 * 1024
/** The compressed form is kept only if it saves a tenth or more. */
const PAYS_RATIO = 0.9
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/**
 * Large enough that malloc maps each chunk by itself (bin/node-flags.mjs) and returns it to the system when it is
 * freed.
 */
const CHUNK_BYTES = 1024 * 1024
const HEAD_CHUNK_BYTES = 64 * 1024

export type Encoding = 'identity' | 'zstd'

/** Returns a message's bytes as stored: compressed if that pays. */
export async function encodeMessage(message: Buffer): Promise<{ encoding: Encoding; bytes: Buffer }> {
  if (message.length < COMPRESS_BYTES_MIN) return { encoding: 'identity', bytes: message }
  const compressed =
    message.length < THREAD_BYTES_MIN
      ? zstdCompressSync(message, OPTIONS)
      : await runOnThread(createZstdCompress({ ...OPTIONS, chunkSize: CHUNK_BYTES }), message)
  return compressed.length < message.length * PAYS_RATIO
    ? { encoding: 'zstd', bytes: compressed }
    : { encoding: 'identity', bytes: message }
}

/** Decodes the output of `encodeMessage`. */
export async function decodeMessage(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  return encoding === 'identity' ? bytes : decompressFrame(bytes)
}

/**
 * Decompresses one zstd frame. What holds the event loop is the size of the message, not that of the frame: 5 KB can be a
 * message of 30 MB.
 */
export async function decompressFrame(frame: Buffer, options: { dictionary?: Buffer } = {}): Promise<Buffer> {
  const bytes = readContentBytes(frame)
  return bytes !== null && bytes < THREAD_BYTES_MIN
    ? zstdDecompressSync(frame, options)
    : runOnThread(createZstdDecompress({ ...options, chunkSize: CHUNK_BYTES }), frame)
}

/**
 * Reads the size of the content from the header of a zstd frame (RFC 8878 section 3.1.1.1). Returns null if the header does
 * not have it, as of what was compressed on a thread, or if it is not below 4 GiB.
 */
function readContentBytes(frame: Buffer): number | null {
  const descriptor = frame[4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionaryIdBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryIdBytes
  const length = [isSingleSegment ? 1 : 0, 2, 4, 0][descriptor >> 6] ?? 0
  if (length === 0 || frame.length < at + length) return null
  // Sizes of one byte are below 256, and two bytes count from there.
  return frame.readUIntLE(at, length) + (length === 2 ? 256 : 0)
}

async function runOnThread(stream: Transform, bytes: Buffer): Promise<Buffer> {
  stream.end(bytes)
  return joinInTurns(await stream.toArray())
}

/**
 * Decodes the beginning of stored bytes, in whole zstd blocks, until it has `bytesMax` bytes of content or somewhat more. A
 * few KB can be a message of 30 MB, so it runs on a thread and ends there.
 */
export async function decodeMessageHead(encoding: Encoding, head: Buffer, bytesMax: number): Promise<Buffer> {
  if (encoding === 'identity') return head
  const stream = createZstdDecompress({ finishFlush: constants.ZSTD_e_flush, chunkSize: HEAD_CHUNK_BYTES })
  stream.end(head)
  const chunks: Buffer[] = []
  let byteCount = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    byteCount += chunk.length
    if (byteCount >= bytesMax) break
  }
  return Buffer.concat(chunks)
}
