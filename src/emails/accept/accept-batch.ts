import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Db, violates } from '../../db/db.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Batcher } from '../../lib/async/batcher.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Mailbox } from '../../mime/address.ts'
import type { Encoding } from '../../mime/encoding.ts'
import type { DueDelivery, LoadedMessage } from '../../queue/types.ts'
import { periodOf } from '../../teams/usage-queries.ts'
import { type AttachmentRecord, findExistingEmails } from '../emails-queries.ts'
import type { Submitter } from './accept-email.ts'
import { lookUpFacts } from './accept-facts.ts'
import { createAcceptLanes } from './accept-lanes.ts'
import { type Outcome, writeBatch } from './accept-write.ts'
import type { Recipient } from './draft-email.ts'
import type { UsedTemplate } from './fill-from-template.ts'
import type { Remembered, RememberedAnswer } from './idempotency-queries.ts'
import type { UnsubscribeScope } from './unsubscribe-scope.ts'

/** One email, judged and built, waiting to be committed. */
export interface Submission {
  emailId: string
  /** Without angle brackets. */
  messageId: string
  createdAt: Date
  from: Mailbox
  /** What must be a verified domain of the team, and the field that names it; the first one is the email's domain. */
  senderDomains: readonly SenderDomain[]
  recipients: readonly Recipient[]
  /** As given, for reading back. */
  addressees: Addressees
  subject: string
  headers: [string, string][]
  tags: { name: string; value: string }[]
  scheduledAt: Date | null
  message: LoadedMessage
  stored: { encoding: Encoding; bytes: Buffer }
  attachments: AttachmentRecord[]
  /** What it was made from. */
  template: UsedTemplate | null
  /** What its one recipient can unsubscribe from. */
  unsubscribe: UnsubscribeScope | null
}

export interface SenderDomain {
  /** A-label in lower case. */
  name: string
  field: string
}

/** What one request submits: an email, or a batch of them, committed together. */
export interface AcceptRequest {
  submissions: readonly Submission[]
  submitter: Submitter
  /** One key for the whole request. */
  idempotency: { key: string; requestHash: Buffer } | null
  /** Null: the request is one email. */
  batch: {
    /** All or nothing; otherwise those that nothing speaks against are accepted. */
    isWhole: boolean
    /** Where each submission stood in the request. */
    indexes: readonly number[]
    /** What was refused before it came here. */
    refused: Acceptance['refused']
  } | null
}

/** The ids of what was accepted, in order; those of an earlier request when the idempotency key was that one's. */
export type Acceptance = RememberedAnswer

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
  /** Finds suppressions of people who were erased. */
  hashAddress: HashAddress
  nodeId: string
  messageLifetimeMs: number
  handOff: HandOff | null
  /** Recipients were left to the claim: workers may look. */
  wake(): void
}

/** Commits submissions in groups (docs/adr/0003-group-commit.md). */
export function createAcceptBatcher(deps: AcceptDeps): Batcher<AcceptRequest, Acceptance> {
  const seenUsageRows = new Set<string>()
  return createAcceptLanes((items) => acceptBatch({ ...deps, seenUsageRows }, items))
}

type Deps = AcceptDeps & { seenUsageRows: Set<string> }

/** One transaction for all; when a statement refuses, each alone, so that one bad request fails by itself. */
async function acceptBatch(deps: Deps, items: AcceptRequest[]): Promise<(Acceptance | Error)[]> {
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
async function commitOrRepeat(deps: Deps, items: AcceptRequest[]): Promise<(Acceptance | Error)[]> {
  const sinceMs = performance.now()
  const attempt: Attempt = { judged: [], reserved: [] }
  try {
    return await commit(deps, items, attempt)
  } catch (error) {
    try {
      if (!(error instanceof DatabaseUnavailable && error.commitUnknown)) throw error
      if (performance.now() - sinceMs > ASK_AGAIN_MS) throw error
      await pause(RECONNECT_MS)
      return await answerByIds(deps, items, attempt)
    } finally {
      forgo(deps, attempt)
    }
  }
}

/** What was made of a batch before its COMMIT. */
interface Attempt {
  judged: (Acceptance | Error)[]
  /** For the hand-off, with room kept for them until they begin or the batch comes to nothing. */
  reserved: DueDelivery[]
}

/** Begins those that are committed. */
function handOff({ handOff: handing }: Deps, attempt: Attempt, isThere: (emailId: string) => boolean): void {
  const begun = attempt.reserved.filter(({ emailId }) => isThere(emailId))
  attempt.reserved = attempt.reserved.filter(({ emailId }) => !isThere(emailId))
  if (begun.length > 0) handing?.start(begun)
}

function forgo({ handOff: handing }: Deps, attempt: Attempt): void {
  for (const due of attempt.reserved.splice(0)) {
    handing?.forgo(due.teamId, due.domain, due.message?.bytes.length ?? 0)
  }
}

/**
 * What has an email that exists by now is answered as it was judged in the transaction whose COMMIT was lost, and begun
 * if it was written as leased to us: nobody else would before that lease runs out. The rest is judged again by a batch of
 * its own.
 */
async function answerByIds(
  deps: Deps,
  items: AcceptRequest[],
  attempt: Attempt,
): Promise<(Acceptance | Error)[]> {
  for (let look = 1; ; look++) {
    const keys = items.flatMap(({ submitter: { teamId }, submissions }) =>
      submissions.map(({ emailId }) => ({ teamId, id: emailId })),
    )
    const existing = await findExistingEmails(deps.db, keys)
    handOff(deps, attempt, (emailId) => existing.has(emailId))
    const isThere = (item: AcceptRequest) => item.submissions.some(({ emailId }) => existing.has(emailId))
    const rest = items.filter((item) => !isThere(item))
    try {
      const answers = rest.length === 0 ? [] : await commitOnce(deps, rest)
      return items.map(
        (item, index) =>
          (isThere(item) ? attempt.judged[index] : answers[rest.indexOf(item)]) as Acceptance | Error,
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

async function commitOnce(deps: Deps, items: AcceptRequest[]): Promise<(Acceptance | Error)[]> {
  const attempt: Attempt = { judged: [], reserved: [] }
  return commit(deps, items, attempt).finally(() => forgo(deps, attempt))
}

/** `attempt` is given the answers and what is reserved before they are committed. */
async function commit(deps: Deps, items: AcceptRequest[], attempt: Attempt): Promise<(Acceptance | Error)[]> {
  const now = deps.clock.now()
  const facts = await lookUpFacts(deps.db, deps.hashAddress, items)
  const outcome: Outcome = await deps.db.transaction(async (tx) => {
    const written = await writeBatch(tx, deps, facts, items, attempt.reserved, now)
    attempt.judged.push(...written.answers)
    return written
  })
  rememberUsageRows(deps, items, now)
  handOff(deps, attempt, () => true)
  if (outcome.leftToClaim) deps.wake()
  return outcome.answers
}

/** Teams remembered to have a row for the month; forgetting them costs one statement. */
const SEEN_COUNT_MAX = 100_000

/** Only after the commit: a row that was rolled back must be made again. */
function rememberUsageRows(deps: Deps, items: readonly AcceptRequest[], now: Date): void {
  if (deps.seenUsageRows.size > SEEN_COUNT_MAX) deps.seenUsageRows.clear()
  const { month } = periodOf(now)
  for (const item of items) deps.seenUsageRows.add(`${item.submitter.teamId}/${month}`)
}

/** The answer to a key that an earlier request holds. */
export function answerFromEarlier(earlier: Remembered | null, requestHash: Buffer): Acceptance | Error {
  if (earlier === null) return new ApiError('concurrent_idempotent_requests')
  if (!earlier.requestHash.equals(requestHash)) return new ApiError('invalid_idempotent_request')
  return earlier.answer
}
