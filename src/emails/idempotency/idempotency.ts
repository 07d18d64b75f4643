import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Acceptance } from '../accept/accept-types.ts'
import type { Idempotency } from './idempotency-key.ts'
import { findIdempotencyKeys, type Remembered } from './idempotency-queries.ts'

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
    if (underWay.has(name)) throw new ApiError('concurrent_idempotent_requests')
    underWay.add(name)
    try {
      const earlier = await lookUp.add({ teamId, key: idempotency.key })
      if (earlier === null) return await work(idempotency)
      if (!earlier.requestHash.equals(idempotency.requestHash))
        throw new ApiError('invalid_idempotent_request')
      return earlier.answer
    } finally {
      underWay.delete(name)
    }
  }
}
