import { simulatedOutcome } from '../../classification/simulator.ts'
import type { Transactions } from '../../db/db-types.ts'
import {
  cancelScheduled,
  lockEmail,
  moveScheduled,
  replaceMessage,
  setCanceled,
  setScheduledAt,
} from '../../db/schedules.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { ApiError, invalidField, orNotFound } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { parseScheduledAt } from '../../lib/time/scheduled-at.ts'
import { decodeMessage, encodeMessage } from '../../mime/encoding.ts'
import { redate } from '../../mime/raw/redate.ts'
import { giveBackUsage } from '../../teams/usage-queries.ts'
import { type EmailScope, findEmailDetail, findEmailSize } from '../read/read-emails-queries.ts'

interface Deps {
  db: Transactions
  clock: Clock
}

/**
 * Cancels a scheduled email and returns its recipients to the quota. Throws `not_found`, or `conflict` if the
 * email is due. Locks recipients before their email, like the release of due mail and settling: the other order
 * would deadlock.
 */
export async function cancelEmail({ db, clock }: Deps, scope: EmailScope, id: string): Promise<void> {
  const { teamId } = scope
  const now = clock.now()
  await db.transaction(async (tx) => {
    const canceled = await cancelScheduled(tx, teamId, id, now)
    const email = orNotFound(await lockEmail(tx, scope, id))
    if (canceled.length === 0 || email.status !== 'scheduled') {
      throw new ApiError('conflict', 'This email is not waiting for its schedule and cannot be canceled.')
    }
    await setCanceled(tx, teamId, id)
    const billed = canceled.filter((key) => simulatedOutcome(key) === null).length
    await giveBackUsage(tx, teamId, billed, email.createdAt, now)
    recordEvents(tx, [{ teamId, subjectId: id, type: 'email.canceled', data: {} }], now)
  })
}

/**
 * Moves a scheduled email to another time. Throws `validation_error` for an invalid time, `not_found`, or
 * `conflict` if the email is due.
 */
export async function rescheduleEmail(
  { db, clock, messageLifetimeMs }: Deps & { messageLifetimeMs: number },
  scope: EmailScope,
  id: string,
  scheduledAt: string,
): Promise<void> {
  const { teamId } = scope
  const now = clock.now()
  const at = parseScheduledAt(scheduledAt, now)
  if (!(at instanceof Date)) throw invalidField('scheduled_at', at.problem)
  await db.transaction(async (tx) => {
    const expiresAt = new Date(at.getTime() + messageLifetimeMs)
    const moved = await moveScheduled(tx, teamId, id, at, expiresAt, now)
    const email = orNotFound(await lockEmail(tx, scope, id))
    if (moved === 0 || email.status !== 'scheduled') {
      throw new ApiError('conflict', 'This email is not waiting for its schedule and cannot be moved.')
    }
    await setScheduledAt(tx, teamId, id, at)
    const sizeBytes = (await findEmailSize(tx, scope, id)) ?? 0
    const content = await findEmailDetail(tx, teamId, id, sizeBytes)
    // Only settled emails are in packs.
    if (content === null || 'packId' in content.body) throw new Error(`Email ${id} has no content.`)
    const message = redate(await decodeMessage(content.body.encoding, content.body.message), at)
    const { encoding, bytes } = await encodeMessage(message)
    await replaceMessage(tx, teamId, id, encoding, bytes)
    const data = { scheduled_at: formatTime(at) }
    recordEvents(tx, [{ teamId, subjectId: id, type: 'email.scheduled', data }], now)
  })
}
