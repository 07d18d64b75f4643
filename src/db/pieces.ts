/** Octets of this length or more are written to the socket without a copy. */
const LARGE_BYTES_MIN = 32 * 1024

export function isLarge(octets: Buffer | null): boolean {
  return octets !== null && octets.length >= LARGE_BYTES_MIN
}

/** A binary parameter in pieces that are never joined. They must not change before the statement ends. */
export class Pieces {
  readonly pieces: readonly Buffer[]
  readonly length: number

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  }
}
