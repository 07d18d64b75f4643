import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { createBatcher } from '../../lib/async/batcher.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Withdrawal } from '../sites/outcomes.ts'
import { findWithdrawn } from './withdrawn-queries.ts'

const BATCH_COUNT_MAX = 100

/** Returns a function that tells why a delivery must not be attempted now. Deliveries that wait at once share a query. */
export function createFindWithdrawal(
  db: Db,
  hashAddress: HashAddress,
): (delivery: DueDelivery) => Promise<Withdrawal | null> {
  const batcher = createBatcher<DueDelivery, Withdrawal | null>({
    itemsMax: BATCH_COUNT_MAX,
    runsMax: 1,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
    async run(deliveries) {
      const withdrawn = await findWithdrawn(db, hashAddress, deliveries)
      return deliveries.map((delivery) => withdrawn.get(delivery) ?? null)
    },
  })
  return (delivery) => batcher.add(delivery)
}
