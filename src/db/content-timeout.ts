/** Bytes per millisecond that a statement with large content is given on top of the usual time. */
const BYTES_PER_MS = 5000
const USUAL_MS = 1500

/** How long a statement that carries so much content may take. */
export function contentTimeoutMs(bytes: number): number {
  return USUAL_MS + Math.round(bytes / BYTES_PER_MS)
}
