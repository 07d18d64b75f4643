import { type Batcher, createBatcher } from '../base/batcher.ts'
import type { Clock } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'
import type { Encoding } from '../mime/encoding.ts'
import type { DueDelivery, LoadedMessage } from '../queue/types.ts'
import { DatabaseUnavailable, type Db, violates } from '../store/db.ts'
import type { AttachmentRecord } from '../store/emails.ts'
import { findExistingEmails } from '../store/emails.ts'
import { periodOf } from '../store/usage.ts'
import type { Submitter } from './accept-email.ts'
import { lookUpFacts } from './accept-facts.ts'
import { type Outcome, writeBatch } from './accept-write.ts'
import type { Draft } from './draft-email.ts'

/** One email, judged and built, waiting to be committed. */
export interface Submission {
  emailId: string
  messageId: string
  createdAt: Date
  draft: Draft
  submitter: Submitter
  message: LoadedMessage
  stored: { encoding: Encoding; bytes: Buffer }
  attachments: AttachmentRecord[]
  idempotency: { key: string; requestHash: Buffer } | null
}

export interface Acceptance {
  /** The id of an earlier email when the idempotency key was that one's. */
  emailId: string
}

/** Delivery in the same process: takes accepted recipients from memory, without a claim. */
export interface HandOff {
  /** Reserves room for one recipient; false: leave it to the claim. */
  reserve(teamId: string, domain: string, bytes: number): boolean
  /** Gives reserved room back: the commit failed. */
  forgo(teamId: string, domain: string, bytes: number): void
  /** The commit is done: deliver them. They are leased to this process. */
  start(deliveries: DueDelivery[]): void
}

export interface AcceptDeps {
  db: Db
  clock: Clock
  nodeId: string
  messageLifetimeMs: number
  handOff: HandOff | null
  /** Recipients were left to the claim: workers may look. */
  wake(): void
}

const BATCH_COUNT_MAX = 200
const BATCH_BYTES_MAX = 32 * 1024 * 1024
const WAITING_COUNT_MAX = 5000
const WAITING_BYTES_MAX = 128 * 1024 * 1024
/** One is prepared and sent while others wait for the disk. */
const RUNS_MAX = 2
/** A second run beside the first only for a batch worth its statements. */
const OVERLAP_AT = 24

/** Commits submissions in groups (docs/adr/0003-group-commit.md). */
export function createAcceptBatcher(deps: AcceptDeps): Batcher<Submission, Acceptance> {
  const seenUsageRows = new Set<string>()
  return createBatcher<Submission, Acceptance>({
    run: (items) => acceptBatch({ ...deps, seenUsageRows }, items),
    itemsMax: BATCH_COUNT_MAX,
    weightMax: BATCH_BYTES_MAX,
    weigh: (item) => item.message.bytes.length,
    waitingMax: WAITING_COUNT_MAX,
    waitingWeightMax: WAITING_BYTES_MAX,
    runsMax: RUNS_MAX,
    overlapAt: OVERLAP_AT,
    rejectsAll: (error) => error instanceof DatabaseUnavailable,
  })
}

type Deps = AcceptDeps & { seenUsageRows: Set<string> }

/** One transaction for all; when a statement refuses, each alone, so that one bad request fails by itself. */
async function acceptBatch(deps: Deps, items: Submission[]): Promise<(Acceptance | Error)[]> {
  try {
    return await commitOrRepeat(deps, items)
  } catch (error) {
    if (error instanceof DatabaseUnavailable || items.length === 1) throw error
    const answers: (Acceptance | Error)[] = []
    for (const item of items) {
      answers.push(...(await commitOrRepeat(deps, [item]).catch((alone: Error) => [alone])))
    }
    return answers
  }
}

/**
 * At an unknown COMMIT outcome the batch is asked for by its ids: if it took effect, it is answered as accepted; if
 * not, the same rows are written again, once.
 */
async function commitOrRepeat(deps: Deps, items: Submission[]): Promise<(Acceptance | Error)[]> {
  const sinceMs = performance.now()
  try {
    return await commit(deps, items)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable && error.commitUnknown)) throw error
    if (performance.now() - sinceMs > ASK_AGAIN_MS) throw error
    await pause(RECONNECT_MS)
    return await answerByIds(deps, items)
  }
}

/** Accepted are those that exist by now; what was refused in the lost answer is refused again by a batch of its own. */
async function answerByIds(deps: Deps, items: Submission[]): Promise<(Acceptance | Error)[]> {
  for (let look = 1; ; look++) {
    const keys = items.map((item) => ({ teamId: item.submitter.teamId, id: item.emailId }))
    const existing = await findExistingEmails(deps.db, keys)
    const rest = items.filter((item) => !existing.has(item.emailId))
    try {
      const answers = rest.length === 0 ? [] : await commit(deps, rest)
      return items.map((item) =>
        existing.has(item.emailId)
          ? { emailId: item.emailId }
          : (answers[rest.indexOf(item)] as Acceptance | Error),
      )
    } catch (error) {
      // The lost COMMIT took effect between the look and the writing: the next look sees it.
      if (look === LOOKS_MAX || !violates(error, 'email_')) throw error
    }
  }
}

const LOOKS_MAX = 2

/**
 * A connection that broke says so at once. A server that stood still until our patience was over would not answer the
 * question either, and whoever waits is owed a 503 within two seconds; the same Idempotency-Key finds out later.
 */
const ASK_AGAIN_MS = 1000
/** PostgreSQL is back within this time when one backend was ended; a longer outage answers 503. */
const RECONNECT_MS = 300

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function commit(deps: Deps, items: Submission[]): Promise<(Acceptance | Error)[]> {
  const now = deps.clock.now()
  const facts = await lookUpFacts(deps.db, items)
  const reserved: DueDelivery[] = []
  let outcome: Outcome
  try {
    outcome = await deps.db.transaction((tx) => writeBatch(tx, deps, facts, items, reserved, now))
  } catch (error) {
    for (const due of reserved) deps.handOff?.forgo(due.teamId, due.domain, due.message?.bytes.length ?? 0)
    throw error
  }
  rememberUsageRows(deps, items, now)
  if (reserved.length > 0) deps.handOff?.start(reserved)
  if (outcome.leftToClaim) deps.wake()
  return outcome.answers
}

/** Teams remembered to have a row for the month; forgetting them costs one statement. */
const SEEN_COUNT_MAX = 100_000

/** Only after the commit: a row that was rolled back must be made again. */
function rememberUsageRows(deps: Deps, items: readonly Submission[], now: Date): void {
  if (deps.seenUsageRows.size > SEEN_COUNT_MAX) deps.seenUsageRows.clear()
  const { month } = periodOf(now)
  for (const item of items) deps.seenUsageRows.add(`${item.submitter.teamId}/${month}`)
}

/** The answer to a key that an earlier request holds. */
export function answerFromEarlier(
  earlier: { requestHash: Buffer; emailIds: string[] } | null,
  requestHash: Buffer,
): Acceptance | Error {
  if (earlier === null) return new Refusal('concurrent_idempotent_requests')
  if (!earlier.requestHash.equals(requestHash)) return new Refusal('invalid_idempotent_request')
  return { emailId: earlier.emailIds[0] as string }
}
