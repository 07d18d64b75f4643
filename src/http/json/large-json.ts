import { setImmediate as nextRound } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import { createJobThread } from '../../lib/async/job-thread.ts'
import { restoreError, type SentError } from '../../lib/async/transfer.ts'
import type { JsonForm } from './json.ts'

export interface JsonJob {
  bytes: Uint8Array<ArrayBuffer>
  form: JsonForm
  /** Whether the request carries an idempotency key. */
  isHashed: boolean
}

export interface ReadBody {
  /** Whether the value is an array. Each part then holds some of its items; any other value is one part. */
  isList: boolean
  /** The output of `v8.serialize`. */
  parts: readonly Uint8Array<ArrayBuffer>[]
  /** Whether arrays of octets in the value share memory with the parts. */
  holdsOctets: boolean
  /** The hash of the body as the client sent it (http/json/hash-request.ts); null without an idempotency key. */
  hash: Uint8Array | null
}

export type ParseLargeJson = (
  body: Buffer,
  options: Pick<JsonJob, 'form' | 'isHashed'> & { teamId: string },
) => Promise<{ value: unknown; hash: Uint8Array | null }>

/** The thread's heap holds the largest text of a body twice, at two octets per character. */
const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 48 }
/**
 * The thread ends after a body of at least this size, to free its heap. A new thread takes a tenth of a second to
 * start.
 */
const LARGE_BYTES_MIN = 4 * 1024 * 1024
/** Short, because the texts of a body stay in the thread's heap until it ends or needs room. */
const IDLE_MS = 250

/**
 * Returns a function that parses large bodies like `parseJson`, on a thread, because parsing 80 MiB takes a second with any
 * parser. It returns the contents of files as octets, which move between threads without a copy. The caller must not use
 * the body afterwards. Throws ApiError (422).
 */
export function createLargeJsonParser(): ParseLargeJson {
  const run = createJobThread<JsonJob, ReadBody>({
    entry: new URL('./json-thread.ts', import.meta.url),
    limits: LIMITS,
    idleMs: IDLE_MS,
    restoreError: (error) => restoreError(error as SentError),
  })
  return async (body, { teamId, form, isHashed }) => {
    const isLarge = body.length >= LARGE_BYTES_MIN
    const bytes = ownBytes(body)
    const result = await run({ bytes, form, isHashed }, { teamId, isLarge, transfer: [bytes.buffer] })
    return { value: await joinParts(result), hash: result.hash }
  }
}

/** Deserializes one part per turn of the event loop. Octets of files still share memory with their part. */
async function joinParts({ isList, parts, holdsOctets }: ReadBody): Promise<unknown> {
  const items: unknown[] = []
  for (const part of parts) {
    await nextRound()
    const value: unknown = deserialize(part)
    // Frees the memory now instead of at the next garbage collection.
    if (!holdsOctets) part.buffer.transfer(0)
    if (!isList) return value
    for (const item of value as unknown[]) items.push(item)
  }
  return items
}

/** Copies the octets if the Buffer shares its memory: only unshared memory can move to the thread. */
function ownBytes(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = body
  return buffer instanceof ArrayBuffer && buffer.byteLength === body.length
    ? new Uint8Array(buffer)
    : new Uint8Array(body)
}
