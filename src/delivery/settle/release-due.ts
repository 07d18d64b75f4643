import type { Db } from '../../db/db-types.ts'
import { notify } from '../../db/listen.ts'
import { deriveEmailStates, lockEmailStates } from '../../emails/rows/email-states-queries.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { type PromoteRound, promoteDue } from '../../queue/promote-queries.ts'

/**
 * Makes due deliveries claimable and wakes the waiting workers, in one transaction. Emails whose scheduled time has
 * come become `queued`. `round` is kept from call to call.
 * @returns how many deliveries there were, and whether there may be more
 */
export async function releaseDue(
  db: Db,
  now: Date,
  round: PromoteRound,
): Promise<{ count: number; more: boolean }> {
  const from = round.begin(now)
  const promoted = await db.transaction(async (tx) => {
    const promotion = await promoteDue(tx, now, from)
    const { count, released } = promotion
    const before = new Map((await lockEmailStates(tx, released)).map((state) => [state.emailId, state]))
    // Of an email with many recipients, a part may have become due in an earlier call: it is queued once.
    const wasScheduled = ({ emailId }: { emailId: string }) => before.get(emailId)?.status === 'scheduled'
    await deriveEmailStates(
      tx,
      released.map((email) => {
        const lastEvent = wasScheduled(email) ? 'queued' : (before.get(email.emailId)?.lastEvent ?? 'queued')
        return { ...email, lastEvent, sentAt: null }
      }),
    )
    const queued = released.filter(wasScheduled)
    recordEvents(
      tx,
      queued.map(({ teamId, emailId }) => ({ teamId, subjectId: emailId, type: 'email.queued', data: {} })),
      now,
    )
    if (count > 0) await notify(tx, 'sendwright_due')
    return promotion
  })
  round.end(promoted)
  return promoted
}
