/** Bytes per additional millisecond that a statement with large content may take. */
const BYTES_PER_MS = 5000
const USUAL_MS = 1400

/** Returns the timeout of a statement with this much content, in milliseconds. */
export function contentTimeoutMs(bytes: number): number {
  return USUAL_MS + Math.round(bytes / BYTES_PER_MS)
}
