import type { Db } from '../../db/db-types.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { audienceCondition } from '../audience/audience-condition.ts'
import { addAudience, analyzeRecipients } from '../rows/recipients-queries.ts'
import { type CampaignVersion, holdRun, type Run, saveAudienceProgress } from '../rows/runs-queries.ts'

/** Contacts that the first transaction tests: some tens of milliseconds, so that the first emails are accepted soon. */
const FIRST_COUNT = 5000
/** Contacts of each further one: some hundred milliseconds, for which a pause waits. Between two, a batch of emails is accepted. */
const PART_COUNT = 20_000

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
  // Not the time of the start: a clock that was set back since gives earlier contacts later ids.
  const until = audience.newestContactId ?? firstIdAt(new Date((run.startedAt ?? now).getTime() + 1))
  const isDone = await db.transaction(async (tx) => {
    const held = await holdRun(tx, run.teamId, run.id)
    if (held === null || held.isAudienceDone) return true
    const range = { after: held.audienceAfter, until }
    const countMax = held.audienceAfter === null ? FIRST_COUNT : PART_COUNT
    const hasZones = held.sendWindow?.byContact === true
    const { last, testedCount } = await addAudience(tx, run, condition, range, countMax, now, hasZones)
    const isLast = testedCount < countMax
    await saveAudienceProgress(tx, run, { after: last ?? held.audienceAfter, isDone: isLast })
    return isLast
  })
  // The first part of a large audience: all further statements are planned for one.
  if (!isDone) await analyzeRecipients(db, FIRST_COUNT)
  return isDone
}
