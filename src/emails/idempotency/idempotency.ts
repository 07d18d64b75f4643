import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Idempotency } from './idempotency-key.ts'
import { findIdempotencyKeys, type Remembered, type RememberedAnswer } from './idempotency-queries.ts'

/**
 * Runs `work` once per key. A repeated request gets the first answer. Throws an ApiError for another body under
 * the same key, and while the first request is in progress.
 */
export type Idempotent = (
  teamId: string,
  idempotency: Idempotency,
  work: (idempotency: Idempotency) => Promise<RememberedAnswer>,
) => Promise<RememberedAnswer>

const LOOKUPS_MAX = 500

/**
 * The lookup precedes validation, so that a retry gets the first answer even if its schedule has passed or the
 * quota is used up. Between processes, the key's row decides, which is written with the email.
 */
export function createIdempotent(deps: { db: Db; clock: Clock }): Idempotent {
  const inProgress = new Set<string>()
  const lookUp = createBatcher<{ teamId: string; key: string }, Remembered | null>({
    run: (items) => findIdempotencyKeys(deps.db, items, deps.clock.now()),
    itemsMax: LOOKUPS_MAX,
    runsMax: 2,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
  })
  return async (teamId, idempotency, work) => {
    const name = `${teamId}/${idempotency.key}`
    if (inProgress.has(name)) throw new ApiError('concurrent_idempotent_requests')
    inProgress.add(name)
    try {
      const earlier = await lookUp.add({ teamId, key: idempotency.key })
      if (earlier === null) return await work(idempotency)
      if (!earlier.requestHash.equals(idempotency.requestHash))
        throw new ApiError('invalid_idempotent_request')
      return earlier.answer
    } finally {
      inProgress.delete(name)
    }
  }
}
