import { setImmediate as nextRound } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import { createJobThread } from '../base/job-thread.ts'
import { restoreError, type SentError } from '../operations/content/transfer.ts'
import type { JsonForm } from './json.ts'

export interface JsonJob {
  bytes: Uint8Array<ArrayBuffer>
  form: JsonForm
  /** Whether the request bears an idempotency key. */
  isHashed: boolean
}

export interface ReadBody {
  /** The value is an array, each part some of its items; otherwise there is one part. */
  isList: boolean
  /** As `v8.serialize` writes them. */
  parts: readonly Uint8Array<ArrayBuffer>[]
  /** Octets in the value refer to the parts. */
  holdsOctets: boolean
  /** Of the body as it was given (operations/hash-request.ts). */
  hash: Uint8Array | null
}

export type ReadAside = (
  body: Buffer,
  options: Pick<JsonJob, 'form' | 'isHashed'> & { teamId: string },
) => Promise<{ value: unknown; hash: Uint8Array | null }>

/** Heap of the thread: the largest texts that a body can hold, two octets a character, as read and as sent. */
const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 48 }
/** From this size on what a body leaves in the heap is given back at once: the next thread takes a tenth of a second. */
const LARGE_BYTES_MIN = 4 * 1024 * 1024
/** Short, because the texts of a body stay in the thread's heap until it ends or needs room. */
const IDLE_MS = 250

/**
 * Reads large bodies as `parseJson` does, on a thread: parsing 80 MiB takes a second, whatever the parser. Numbers and
 * base64 that stand for files come back as octets, which move between threads without a copy. The body's own octets are
 * given up. Throws Refusal (422).
 */
export function createReadAside(): ReadAside {
  const run = createJobThread<JsonJob, ReadBody>({
    entry: new URL('./json-thread.ts', import.meta.url),
    limits: LIMITS,
    idleMs: IDLE_MS,
    restoreError: (error) => restoreError(error as SentError),
  })
  return async (body, { teamId, form, isHashed }) => {
    const isLarge = body.length >= LARGE_BYTES_MIN
    const bytes = ownBytes(body)
    const read = await run({ bytes, form, isHashed }, { teamId, isLarge, transfer: [bytes.buffer] })
    return { value: await putTogether(read), hash: read.hash }
  }
}

/** One part in each round of the event loop. Octets of files stay where they are: the value refers to its part. */
async function putTogether({ isList, parts, holdsOctets }: ReadBody): Promise<unknown> {
  const items: unknown[] = []
  for (const part of parts) {
    await nextRound()
    const value: unknown = deserialize(part)
    // Freed at once, not when the collector comes by.
    if (!holdsOctets) part.buffer.transfer(0)
    if (!isList) return value
    for (const item of value as unknown[]) items.push(item)
  }
  return items
}

/** A Buffer may be a part of a larger one, which is in use. */
function ownBytes(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = body
  return buffer instanceof ArrayBuffer && buffer.byteLength === body.length
    ? new Uint8Array(buffer)
    : new Uint8Array(body)
}
