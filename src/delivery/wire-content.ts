import { isAscii } from 'node:buffer'

const CR = 13
const LF = 10
const DOT = 46

export const END_OF_DATA = Buffer.from('.\r\n')
const CRLF = Buffer.from('\r\n')

/** A message as it goes over the wire between 354 and the final dot. */
export interface WireContent {
  chunks: readonly Buffer[]
  /** Bytes in `chunks`, dots and line ends added here included. */
  size: number
  /** True when some byte is above 127. */
  eightBit: boolean
}

// Inside a chunk: a CR without LF, an LF without CR, a dot at a line's begin. The ends are left to the neighbours.
const NEEDS_WORK = /\r(?!\n|$)|(?<=[^\r])\n|\n\./
const SLICE_BYTES = 65_536

/**
 * Whether a chunk can go out as it is. Every byte of every message passes here: a regular expression over a latin1
 * string takes a quarter of the time of a loop over bytes (2 and 8 microseconds for 10 KB).
 */
function isClean(chunk: Buffer, previousByte: number): boolean {
  if (chunk.length === 0) return true
  if (missingBefore(chunk[0] as number, previousByte) > 0) return false
  for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
    // One byte of overlap, so that a pair cut in two is seen whole.
    if (NEEDS_WORK.test(chunk.toString('latin1', Math.max(0, at - 1), at + SLICE_BYTES))) return false
  }
  return true
}

/**
 * Counts what the wire form needs in addition: a CR or LF for each bare one (RFC 5321 section 2.3.8 allows CRLF alone,
 * and a bare one is how a second message is smuggled in), a dot for each line that begins with one (section 4.5.2).
 */
function countMissing(chunk: Buffer, previousByte: number): number {
  let missing = 0
  let previous = previousByte
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] as number
    if (byte <= CR || previous <= CR) missing += missingBefore(byte, previous)
    previous = byte
  }
  return missing
}

/** Bytes to put between two neighbours: 1 for CR x, x LF, or a dot at a line's begin; 2 where CR is followed by a dot. */
function missingBefore(byte: number, previous: number): number {
  if (byte === LF) return previous === CR ? 0 : 1
  const lineEndMissing = previous === CR ? 1 : 0
  const atLineStart = previous === CR || previous === LF
  return byte === DOT && atLineStart ? lineEndMissing + 1 : lineEndMissing
}

function rebuildChunk(chunk: Buffer, missing: number, previousByte: number): Buffer {
  const built = Buffer.allocUnsafe(chunk.length + missing)
  let to = 0
  let copiedUpTo = 0
  let previous = previousByte
  for (let at = 0; at < chunk.length; at++) {
    const byte = chunk[at] as number
    if ((byte <= CR || previous <= CR) && missingBefore(byte, previous) > 0) {
      to += chunk.copy(built, to, copiedUpTo, at)
      copiedUpTo = at
      if (byte === LF) built[to++] = CR
      else if (previous === CR) built[to++] = LF
      if (byte === DOT) built[to++] = DOT
    }
    previous = byte
  }
  chunk.copy(built, to, copiedUpTo)
  return built
}

/**
 * The wire form of a message: dots stuffed, every line end CRLF, the last line ended. Chunks that need nothing are
 * handed through without a copy. A header prefix and a message may come as two chunks; a line may span them.
 */
export function toWireContent(message: readonly Buffer[]): WireContent {
  const chunks: Buffer[] = []
  let size = 0
  let eightBit = false
  // The content begins as after a line end: a dot there is stuffed too.
  let previous = LF
  for (const chunk of message) {
    const wire = isClean(chunk, previous)
      ? chunk
      : rebuildChunk(chunk, countMissing(chunk, previous), previous)
    chunks.push(wire)
    size += wire.length
    eightBit ||= !isAscii(chunk)
    previous = chunk.at(-1) ?? previous
  }
  if (previous !== LF) {
    const ending = previous === CR ? CRLF.subarray(1) : CRLF
    chunks.push(ending)
    size += ending.length
  }
  return { chunks, size, eightBit }
}
