import type { Db } from '../../db/db-types.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { audienceCondition } from '../audience/audience-condition.ts'
import { addAudience } from './recipients-queries.ts'
import { type CampaignVersion, holdRun, type Run, saveAudienceProgress } from './runs-queries.ts'

/** Contacts that one transaction tests: some tens of milliseconds. */
const PART_COUNT = 5000

/**
 * Adds the next part of the audience, in the transaction that saves how far it was read. Does nothing if the campaign is no
 * longer being sent. Returns whether the audience is complete.
 */
export async function readAudiencePart(
  db: Db,
  run: Run,
  { audience }: Pick<CampaignVersion, 'audience'>,
  now: Date,
): Promise<boolean> {
  const condition = await audienceCondition(db, run.teamId, audience)
  const before = firstIdAt(new Date((run.startedAt ?? now).getTime() + 1))
  return db.transaction(async (tx) => {
    const held = await holdRun(tx, run.teamId, run.id)
    if (held === null || held.isAudienceDone) return true
    const { last, testedCount } = await addAudience(
      tx,
      run,
      condition,
      { after: held.audienceAfter, before },
      PART_COUNT,
      now,
    )
    const isDone = testedCount < PART_COUNT
    await saveAudienceProgress(tx, run, { after: last ?? held.audienceAfter, isDone })
    return isDone
  })
}
