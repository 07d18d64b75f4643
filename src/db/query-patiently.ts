import { DatabaseUnavailable, type Db } from './db-types.ts'
import { SQLSTATE, sqlState } from './sqlstate.ts'
import { together } from './transactions.ts'

export interface Patience {
  timeoutMs: number
  /**
   * It may join by hashes. The pool's sessions do not: for the hot statements nested loops are always right. They are
   * not where sets of tens of thousands meet.
   */
  mayHash: boolean
}

/** Memory for one hash, kilobytes. */
const HASH_KILOBYTES = 32_768

/** Runs a statement that may be in vain: null when it was not done in time. PostgreSQL itself ends it then. */
export async function queryPatiently<Row>(
  db: Db,
  sql: string,
  values: readonly unknown[],
  { timeoutMs, mayHash }: Patience,
): Promise<Row[] | null> {
  const work = db.transaction(async (tx) => {
    const settings = tx.query(
      `select set_config('statement_timeout', $1, true), set_config('enable_hashjoin', $2, true),
         set_config('work_mem', $3, true)`,
      [`${timeoutMs}`, mayHash ? 'on' : 'off', `${HASH_KILOBYTES}kB`],
    )
    // Sent at once, behind the settings.
    const rows = tx.query<Row>(sql, values, { isOneOff: true }).catch((error: unknown) => {
      throw isEnded(error) ? new Ended() : error
    })
    return (await together([settings, rows]))[1]
  })
  return work.catch((error: unknown) => {
    if (error instanceof Ended) return null
    throw error
  })
}

/** The statement was ended; its transaction is taken back, and its connection is as good as before. */
class Ended extends Error {}

function isEnded(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && sqlState(error.cause) === SQLSTATE.queryCanceled
}
