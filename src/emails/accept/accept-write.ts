import type { Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { DueDelivery } from '../../queue/types.ts'
import {
  findIdempotencyKeys,
  forgetKeys,
  type Remembered,
  rememberAnswers,
  takeIdempotencyKeys,
} from '../idempotency/idempotency-queries.ts'
import type { Facts } from './accept-facts-queries.ts'
import { lockQuotas } from './accept-quota.ts'
import { writeAccepted } from './accept-rows.ts'
import type { AcceptAnswer, AcceptRequest, BatchDeps, Submission } from './accept-types.ts'
import { lockMessageIds } from './message-ids-queries.ts'
import { type ValidSubmission, validateRequest } from './validate-request.ts'

export interface BatchOutcome {
  answers: (AcceptAnswer | Error)[]
  /** Whether a recipient was left for any worker to claim. */
  leftToClaim: boolean
}

/**
 * Runs the one transaction of acceptance, which writes counters, idempotency keys, emails with content, one row
 * per recipient, and first events.
 * @param reserved receives the recipients that this process will deliver from memory after the commit
 */
export async function writeBatch(
  tx: Tx,
  deps: BatchDeps,
  facts: Facts,
  items: readonly AcceptRequest[],
  reserved: DueDelivery[],
  now: Date,
): Promise<BatchOutcome> {
  const allowances = await lockQuotas(tx, deps, facts, items, now)
  const won = await takeKeys(tx, items, now)
  const takenIds = await lockMessageIds(tx, items)
  const answers: (AcceptAnswer | Error)[] = []
  const accepted: ValidSubmission[] = []
  const refusedKeys: { teamId: string; key: string }[] = []
  const corrected: { teamId: string; key: string; answer: AcceptAnswer }[] = []
  for (const item of items) {
    const { teamId } = item.submitter
    const key = item.idempotency?.key
    if (item.idempotency !== null && key !== undefined && !won.has(`${teamId}/${key}`)) {
      const [earlier] = await findIdempotencyKeys(tx, [{ teamId, key }], now)
      answers.push(answerFromEarlier(earlier ?? null, item.idempotency.requestHash))
      continue
    }
    const permitted = await permittedOf(tx, item)
    const answer = validateRequest(item, { ...facts, takenIds, permitted }, allowances.get(teamId), accepted)
    answers.push(answer)
    if (item.origin !== undefined && !(answer instanceof Error) && answer.emailIds.length > 0)
      await item.origin.record(tx, answer.emailIds, now)
    if (key === undefined) continue
    if (answer instanceof Error || answer.emailIds.length === 0) refusedKeys.push({ teamId, key })
    else if (answer.refused.length > 0) corrected.push({ teamId, key, answer })
  }
  if (refusedKeys.length > 0) await forgetKeys(tx, refusedKeys)
  if (corrected.length > 0) await rememberAnswers(tx, corrected)
  const leftToClaim = accepted.length > 0 && (await writeAccepted(tx, deps, facts, accepted, reserved, now))
  return { answers, leftToClaim }
}

async function permittedOf(
  tx: Tx,
  { origin, submissions }: AcceptRequest,
): Promise<ReadonlySet<string> | null> {
  return origin === undefined
    ? null
    : origin.lock(
        tx,
        submissions.map(({ emailId }) => emailId),
      )
}

async function takeKeys(tx: Tx, items: readonly AcceptRequest[], now: Date): Promise<Set<string>> {
  const entries = items
    .flatMap((item) =>
      item.idempotency === null
        ? []
        : [{ ...item.idempotency, teamId: item.submitter.teamId, answer: answerOf(item.submissions) }],
    )
    .sort((a, b) => (`${a.teamId}/${a.key}` < `${b.teamId}/${b.key}` ? -1 : 1))
  return entries.length === 0 ? new Set() : takeIdempotencyKeys(tx, entries, now)
}

function answerOf(submissions: readonly Submission[]): AcceptAnswer {
  return { emailIds: submissions.map(({ emailId }) => emailId), refused: [] }
}

/** Returns the answer to a key that an earlier request holds. */
function answerFromEarlier(earlier: Remembered | null, requestHash: Buffer): AcceptAnswer | Error {
  if (earlier === null) return new ApiError('concurrent_idempotent_requests')
  if (!earlier.requestHash.equals(requestHash)) return new ApiError('invalid_idempotent_request')
  return earlier.answer
}
