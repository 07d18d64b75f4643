import type { Db, Tx } from '../../db/db-types.ts'
import { type CampaignKey, retryFailed } from '../rows/recipients-queries.ts'
import { holdRun, type Run, saveRetryProgress } from '../rows/runs-queries.ts'

/** Recipients of one transaction: some hundred milliseconds, for which a pause waits. */
const PART_COUNT = 5000

/** How a retry begins. */
export interface RetryStart {
  /** The recipients that wait again already. */
  count: number
  /** Those that this process, or another, lets wait again part by part. */
  leftCount: number
}

/** Begins a retry of a locked campaign with its first part. The others follow while it is sent. */
export async function beginRetry(tx: Tx, campaign: CampaignKey, now: Date): Promise<RetryStart> {
  const { last, count, leftCount } = await retryFailed(tx, campaign, null, PART_COUNT, now)
  await saveRetryProgress(tx, campaign, count < PART_COUNT ? null : last)
  return { count, leftCount }
}

/**
 * Lets the next part of a retry wait again, in the transaction that saves how far it came. Does nothing if the campaign is no
 * longer being sent. Returns up to which contact the retry came; null: to the end.
 */
export async function continueRetry(db: Db, run: Run, now: Date): Promise<string | null> {
  return db.transaction(async (tx) => {
    const current = await holdRun(tx, run.teamId, run.id)
    if (current === null || current.retryAfter === null) return null
    const { last, count } = await retryFailed(tx, run, current.retryAfter, PART_COUNT, now)
    const after = count < PART_COUNT ? null : last
    await saveRetryProgress(tx, run, after)
    return after
  })
}
