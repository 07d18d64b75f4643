import type { Db } from '../../db/db-types.ts'
import { deriveEmailStates } from '../../emails/email-states-queries.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { byKey } from '../../queue/lease-queries.ts'
import { failRestored, RESTORED, releaseRestored } from '../../queue/restored-queries.ts'

const BATCH_COUNT_MAX = 500
const GIVEN_UP = 'Given up after a restore: whether it was delivered before is not known.'
const ADVICE =
  'The operator gave it up after a backup was restored. It may have been delivered before; send it again if not.'

/** Sends what a restore has put on hold, of one team or of all; each has its whole lifetime again. Returns how many. */
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

/** Ends what a restore has put on hold as failed, with an event for each. Returns how many recipients. */
export async function failHeld(db: Db, teamId: string | null, now: Date): Promise<number> {
  let count = 0
  for (;;) {
    const failed = await db.transaction(async (tx) => {
      const given = await failRestored(tx, teamId, GIVEN_UP, now, BATCH_COUNT_MAX)
      const emails = new Map(
        given.map(({ teamId: of, emailId }) => [emailId, { teamId: of, emailId, no: 0 }]),
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
      const data = { response: GIVEN_UP, category: RESTORED, advice: ADVICE }
      recordEvents(
        tx,
        given.map(({ teamId: of, emailId, address }) => ({
          teamId: of,
          subjectId: emailId,
          type: 'email.failed',
          data: { recipient: address, ...data },
        })),
        now,
      )
      return given.length
    })
    count += failed
    if (failed < BATCH_COUNT_MAX) return count
  }
}
