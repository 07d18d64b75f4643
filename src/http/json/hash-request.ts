import { createHash, type Hash, randomUUID } from 'node:crypto'

/** The octets that are formatted at once. */
const PIECE_OCTETS = 16 * 1024

/**
 * Returns the SHA-256 of a request body as `JSON.stringify` formats it, so that white space and escapes do not
 * matter. Octets count as the array of numbers that they are in JSON, but are never formatted as one string: 27 MB
 * are 96 MB of text.
 */
export function hashRequest(body: unknown): Buffer {
  const hash = createHash('sha256')
  const lists: Uint8Array[] = []
  const mark = randomUUID()
  const text = JSON.stringify(body, (_name, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value
    lists.push(value)
    return mark
  })
  for (const [index, part] of text.split(`"${mark}"`).entries()) {
    if (index > 0) updateOctets(hash, lists[index - 1] as Uint8Array)
    hash.update(part)
  }
  return hash.digest()
}

function updateOctets(hash: Hash, octets: Uint8Array): void {
  hash.update('[')
  for (let from = 0; from < octets.length; from += PIECE_OCTETS) {
    if (from > 0) hash.update(',')
    hash.update(octets.subarray(from, from + PIECE_OCTETS).join())
  }
  hash.update(']')
}
