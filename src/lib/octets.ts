import { setImmediate as nextTurn } from 'node:timers/promises'

/** Smaller Buffers are left to the garbage collector: they often share their memory with others. */
const LARGE_BYTES_MIN = 16 * 1024

/**
 * Frees the memory of a large Buffer at once, because the next garbage collection may be far away. Keeps shared memory.
 * The Buffer is empty afterwards.
 */
export function freeOctets({ buffer, byteLength }: Uint8Array): void {
  const isOwner = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isOwner && byteLength >= LARGE_BYTES_MIN) buffer.transfer(0)
}

/** Joins Buffers. Frees each large one as soon as it is copied, so that memory never holds all of them twice. */
export function joinAndFree(pieces: readonly Buffer[]): Buffer {
  const bytes = lengthOf(pieces)
  if (bytes < LARGE_BYTES_MIN) return Buffer.concat(pieces, bytes)
  const joined = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  for (const piece of pieces) {
    at += piece.copy(joined, at)
    freeOctets(piece)
  }
  return joined
}

/** Copying these takes some milliseconds, as the memory is new. */
const TURN_BYTES = 4 * 1024 * 1024

/** Does the same over several turns of the event loop. */
export async function joinInTurns(pieces: readonly Buffer[]): Promise<Buffer> {
  const bytes = lengthOf(pieces)
  if (bytes <= TURN_BYTES) return joinAndFree(pieces)
  const joined = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  let turnEnd = TURN_BYTES
  for (const piece of pieces) {
    at += piece.copy(joined, at)
    freeOctets(piece)
    if (at < turnEnd) continue
    await nextTurn()
    turnEnd = at + TURN_BYTES
  }
  return joined
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}
