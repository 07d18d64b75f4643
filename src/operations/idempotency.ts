import { createBatcher } from '../base/batcher.ts'
import type { Clock } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'
import { DatabaseUnavailable, type Db } from '../store/db.ts'
import { findIdempotencyKeys, type Remembered } from '../store/idempotency.ts'
import type { Acceptance } from './accept-batch.ts'
import { hashRequest } from './hash-request.ts'

/** A request that may come again: its key and what it said. */
export interface Idempotency {
  key: string
  /** SHA-256 of the body. */
  requestHash: Buffer
}

const KEY = /^[\x20-\x7e]{1,256}$/

/**
 * Reads the Idempotency-Key header; null when there is none. Refuses `invalid_idempotency_key`.
 * @param bodyHash what `hashRequest` returns for the body, where it is known
 */
export function readIdempotency(
  header: string | string[] | undefined,
  body: unknown,
  bodyHash: Uint8Array | null = null,
): Idempotency | null {
  if (header === undefined) return null
  if (typeof header !== 'string') throw new Refusal('invalid_idempotency_key')
  const key = readIdempotencyKey(header)
  return { key, requestHash: bodyHash === null ? hashRequest(body) : Buffer.from(bodyHash) }
}

/** Refuses `invalid_idempotency_key`. */
export function readIdempotencyKey(text: string): string {
  if (!KEY.test(text)) throw new Refusal('invalid_idempotency_key')
  return text
}

/** Does `work` once for a key: gives the first answer again, refuses another body, refuses while the first is under way. */
export type Idempotent = (
  teamId: string,
  idempotency: Idempotency,
  work: (idempotency: Idempotency) => Promise<Acceptance>,
) => Promise<Acceptance>

const LOOKUPS_MAX = 500

/**
 * The look-up comes before the request is judged, so that a retry is answered as the first was even when its schedule
 * has passed or the quota is used up since. What decides between processes is the key's row, written with the email.
 */
export function createIdempotent(deps: { db: Db; clock: Clock }): Idempotent {
  const underWay = new Set<string>()
  const lookUp = createBatcher<{ teamId: string; key: string }, Remembered | null>({
    run: (items) => findIdempotencyKeys(deps.db, items, deps.clock.now()),
    itemsMax: LOOKUPS_MAX,
    runsMax: 2,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
  })
  return async (teamId, idempotency, work) => {
    const name = `${teamId}/${idempotency.key}`
    if (underWay.has(name)) throw new Refusal('concurrent_idempotent_requests')
    underWay.add(name)
    try {
      const earlier = await lookUp.add({ teamId, key: idempotency.key })
      if (earlier === null) return await work(idempotency)
      if (!earlier.requestHash.equals(idempotency.requestHash))
        throw new Refusal('invalid_idempotent_request')
      return earlier.answer
    } finally {
      underWay.delete(name)
    }
  }
}
