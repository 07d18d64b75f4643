import type { Db } from '../../db/db-types.ts'
import { deriveEmailStates } from '../../emails/rows/email-states-queries.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { byKey } from '../../queue/lease-queries.ts'
import { failRestored, RESTORED, releaseRestored } from '../../queue/restored-queries.ts'

const BATCH_COUNT_MAX = 500
const FAILED_RESPONSE = 'Marked as failed after a restore. It may have been delivered before.'
const ADVICE =
  'An operator marked the email as failed after a backup was restored. It may have been delivered before. If it was not, send it again.'

/**
 * Releases the deliveries that a restore put on hold, of one team or of all. Each gets its full lifetime again.
 * Returns the number of deliveries.
 */
export async function releaseHeld(
  db: Db,
  teamId: string | null,
  now: Date,
  messageLifetimeMs: number,
): Promise<number> {
  const times = { now, expiresAt: new Date(now.getTime() + messageLifetimeMs) }
  let count = 0
  for (;;) {
    const released = await releaseRestored(db, teamId, times, BATCH_COUNT_MAX)
    count += released
    if (released < BATCH_COUNT_MAX) return count
  }
}

/** Fails the deliveries that a restore put on hold, with an event for each. Returns the number of recipients. */
export async function failHeld(db: Db, teamId: string | null, now: Date): Promise<number> {
  let count = 0
  for (;;) {
    const failed = await db.transaction(async (tx) => {
      const deliveries = await failRestored(tx, teamId, FAILED_RESPONSE, now, BATCH_COUNT_MAX)
      const emails = new Map(
        deliveries.map(({ teamId: of, emailId }) => [emailId, { teamId: of, emailId, no: 0 }]),
      )
      const states = [...emails.values()].sort(byKey)
      await deriveEmailStates(
        tx,
        states.map((key) => ({
          teamId: key.teamId,
          emailId: key.emailId,
          lastEvent: 'failed',
          sentAt: null,
        })),
      )
      const data = { response: FAILED_RESPONSE, category: RESTORED, advice: ADVICE }
      recordEvents(
        tx,
        deliveries.map(({ teamId: of, emailId, address }) => ({
          teamId: of,
          subjectId: emailId,
          type: 'email.failed',
          data: { recipient: address, ...data },
        })),
        now,
      )
      return deliveries.length
    })
    count += failed
    if (failed < BATCH_COUNT_MAX) return count
  }
}
