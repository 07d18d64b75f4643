import type { Db } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'

export interface FactorDeps {
  db: Db
  clock: Clock
  /** The installation's master key. */
  secret: Buffer
}
