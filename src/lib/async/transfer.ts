import { ApiError } from '../api-error.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** Smaller Buffers are copied, because several may share one ArrayBuffer. */
const TRANSFER_BYTES_MIN = 64 * 1024

/** Returns the ArrayBuffers that can be transferred to another thread: large ones that hold a single Buffer. */
export function ownedArrays(buffers: readonly Uint8Array[]): ArrayBuffer[] {
  const arrays = new Set<ArrayBuffer>()
  for (const { buffer, byteLength } of buffers) {
    if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== byteLength) continue
    if (byteLength >= TRANSFER_BYTES_MIN) arrays.add(buffer)
  }
  return [...arrays]
}

/** Returns every Buffer in a value. */
export function findBuffers(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(findBuffers)
}

/** Replaces the Uint8Arrays in a value from another thread with Buffers, in place. */
export function withBuffers<T>(value: T): T {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength) as T
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Map)
    return value
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) Object.assign(value, { [name]: withBuffers(inner) })
  }
  return value
}

/** An error in a form that can be sent to another thread, where its class would be lost. */
export interface SentError {
  apiError: Pick<ApiError, 'code' | 'message' | 'errors' | 'retryAfterSeconds'> | null
  error: unknown
}

/** Converts an error to the form that can be sent. */
export function packError(error: unknown): SentError {
  if (!(error instanceof ApiError)) return { apiError: null, error }
  const { code, message, errors, retryAfterSeconds } = error
  return { apiError: { code, message, errors, retryAfterSeconds }, error: null }
}

/** Restores an error that another thread sent. */
export function restoreError({ apiError, error }: SentError): unknown {
  if (apiError === null) return error
  const { errors, retryAfterSeconds } = apiError
  return new ApiError(apiError.code, apiError.message, omitUndefined({ errors, retryAfterSeconds }))
}
