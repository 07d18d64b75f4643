import { DatabaseUnavailable, type Db } from './db-types.ts'
import { SQLSTATE, sqlState } from './sqlstate.ts'
import { together } from './transactions.ts'

export interface Patience {
  timeoutMs: number
  /**
   * Allows hash joins. The pool's sessions disable them, because nested loops are always right for the hot
   * statements, but not for sets of tens of thousands of rows.
   */
  mayHash: boolean
}

/** Memory for one hash table, in kilobytes. */
const HASH_KILOBYTES = 32_768

/**
 * Runs a statement with a time limit, after which PostgreSQL ends it. Resolves to null when it was not finished in
 * time.
 */
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
    // Sent together with the settings.
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

/** The statement was ended. Its transaction is rolled back, and its connection remains usable. */
class Ended extends Error {}

function isEnded(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && sqlState(error.cause) === SQLSTATE.queryCanceled
}
