import { hashRequest } from '../../http/json/hash-request.ts'
import { ApiError } from '../../lib/api-error.ts'

/** Identifies a request that may be repeated, by its key and content. */
export interface Idempotency {
  key: string
  /** SHA-256 of the body. */
  requestHash: Buffer
}

const KEY = /^[\x20-\x7e]{1,256}$/

/**
 * Reads the Idempotency-Key header. Returns null if there is none. Throws `invalid_idempotency_key`.
 * @param bodyHash what `hashRequest` returns for the body, if known
 */
export function readIdempotency(
  header: string | string[] | undefined,
  body: unknown,
  bodyHash: Uint8Array | null = null,
): Idempotency | null {
  if (header === undefined) return null
  if (typeof header !== 'string') throw new ApiError('invalid_idempotency_key')
  const key = readIdempotencyKey(header)
  return { key, requestHash: bodyHash === null ? hashRequest(body) : Buffer.from(bodyHash) }
}

/** Throws `invalid_idempotency_key`. */
export function readIdempotencyKey(text: string): string {
  if (!KEY.test(text)) throw new ApiError('invalid_idempotency_key')
  return text
}
