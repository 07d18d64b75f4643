import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, isAway } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import { limitLockWaits } from '../../db/transactions.ts'
import type { Batcher } from '../../lib/async/batcher.ts'
import { type EmailStep, markStep } from '../../lib/email-steps.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { periodOf } from '../../teams/usage-queries.ts'
import { findExistingEmails } from '../rows/emails-queries.ts'
import { lookUpFacts } from './accept-facts-queries.ts'
import { createAcceptLanes } from './accept-lanes.ts'
import type { AcceptAnswer, AcceptDeps, AcceptRequest, BatchDeps } from './accept-types.ts'
import { type BatchOutcome, writeBatch } from './accept-write.ts'

/** Creates the batcher that commits submissions in groups (docs/adr/0003-group-commit.md). */
export function createAcceptBatcher(deps: AcceptDeps): Batcher<AcceptRequest, AcceptAnswer> {
  const seenUsageRows = new Set<string>()
  const lockedTeams = new Set<string>()
  const lanes = createAcceptLanes((items) => acceptBatch({ ...deps, seenUsageRows, lockedTeams }, items))
  return {
    add(request) {
      const turn = turnOf(deps, request)
      return turn === null ? lanes.add(request) : turn.then(() => lanes.add(request))
    },
  }
}

/** Returns what a request waits for before its commit; null if it does not wait, like campaigns and automations. */
function turnOf(
  { handOff: handing }: AcceptDeps,
  { submissions, submitter, origin }: AcceptRequest,
): Promise<void> | null {
  if (handing === null || origin !== undefined) return null
  let recipientCount = 0
  let bytes = 0
  for (const { recipients, message, isBulk, scheduledAt } of submissions) {
    if (isBulk || scheduledAt !== null) continue
    recipientCount += recipients.length
    bytes += message.bytes.length
  }
  return recipientCount === 0 ? null : handing.waitForTurn(submitter.teamId, recipientCount, bytes)
}

/**
 * Commits all items in one transaction. If that fails, commits each item alone, so that one bad request fails by itself.
 * If it waited too long for a lock, one team holds it, perhaps with a request that takes seconds: then the items of each team
 * are committed by themselves, and those of that team also in later batches, until that succeeds.
 */
async function acceptBatch(deps: BatchDeps, items: AcceptRequest[]): Promise<(AcceptAnswer | Error)[]> {
  const untilMs = performance.now() + LOCKED_MS_MAX
  const answers = new Map<AcceptRequest, AcceptAnswer | Error>()
  const teamOf = ({ submitter }: AcceptRequest) => submitter.teamId
  const others = items.filter((item) => !deps.lockedTeams.has(teamOf(item)))
  let lockError: unknown = new DatabaseUnavailable(
    new Error('Another request of the account is taking too long.'),
  )
  try {
    if (others.length > 0) await commitEach(deps, others, answers)
  } catch (error) {
    // What is committed keeps its answer.
    if (isAway(error) && answers.size === 0) throw error
    lockError = error
  }
  const rest = items.filter((item) => !answers.has(item))
  for (const [teamId, group] of Map.groupBy(rest, teamOf)) {
    try {
      if (performance.now() > untilMs) throw lockError
      await commitEach(deps, group, answers, true)
      deps.lockedTeams.delete(teamId)
    } catch (error) {
      lockError = error
      if (!isAway(error)) deps.lockedTeams.add(teamId)
      const left = group.filter((item) => !answers.has(item))
      for (const item of left) answers.set(item, error as Error)
    }
  }
  return items.map((item) => answers.get(item) as AcceptAnswer | Error)
}

/** Until when a batch begins to wait for locks again, each time briefly: 503 within two seconds. */
const LOCKED_MS_MAX = 1_700

/** Adds the answers of the items, or throws DatabaseUnavailable. */
async function commitEach(
  deps: BatchDeps,
  items: AcceptRequest[],
  answers: Map<AcceptRequest, AcceptAnswer | Error>,
  waitsBriefly = false,
): Promise<void> {
  try {
    const committed = await commitOrRepeat(deps, items, waitsBriefly)
    for (const [index, item] of items.entries()) answers.set(item, committed[index] as AcceptAnswer | Error)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    const [first, ...more] = items
    if (first !== undefined && more.length === 0) answers.set(first, error as Error)
    else for (const item of items) await commitEach(deps, [item], answers, waitsBriefly)
  }
}

/**
 * Commits the items. If the outcome of the COMMIT is unknown, looks up the emails by id: an item whose emails
 * exist was accepted, and the others are committed again.
 */
async function commitOrRepeat(
  deps: BatchDeps,
  items: AcceptRequest[],
  waitsBriefly = false,
): Promise<(AcceptAnswer | Error)[]> {
  const sinceMs = performance.now()
  const attempt: Attempt = { validated: [], reserved: [] }
  try {
    return await commit(deps, items, attempt, waitsBriefly)
  } catch (error) {
    const isUnknown = isOfUnknownOutcome(error)
    try {
      if (!isUnknown || performance.now() - sinceMs > LOOKUP_WITHIN_MS) throw error
      await pause(RECONNECT_MS)
      return await answerByIds(deps, items, attempt).catch((failure: unknown) => {
        // Of the two errors, this one says that the emails may exist.
        throw failure instanceof DatabaseUnavailable ? error : failure
      })
    } finally {
      // Also after an answer: it may come from the lost COMMIT itself, which took effect after the lookup, by its key.
      dropReserved(deps, attempt, isUnknown)
    }
  }
}

function isOfUnknownOutcome(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.commitUnknown
}

/** The state of a batch before its COMMIT. */
interface Attempt {
  validated: (AcceptAnswer | Error)[]
  /** Deliveries for the hand-off. Each holds reserved room until it starts or the batch fails. */
  reserved: DueDelivery[]
}

/** Starts the reserved deliveries whose email is committed. */
function handOff(
  { handOff: handing }: BatchDeps,
  attempt: Attempt,
  exists: (emailId: string) => boolean,
): void {
  const begun = attempt.reserved.filter(({ emailId }) => exists(emailId))
  attempt.reserved = attempt.reserved.filter(({ emailId }) => !exists(emailId))
  if (begun.length > 0) handing?.start(begun)
}

/** Gives up the deliveries that did not start. If the outcome of the COMMIT stays unknown, they may be leased to this process. */
function dropReserved({ handOff: handing }: BatchDeps, attempt: Attempt, isUnknown: boolean): void {
  for (const due of attempt.reserved.splice(0)) {
    if (isUnknown) handing?.lose(due)
    handing?.cancelReservation(due.teamId, due.message?.bytes.length ?? 0, due.isBulk)
  }
}

/**
 * Answers each item after a lost COMMIT. If its emails exist, the item keeps its validated answer and its
 * reserved deliveries start: they are leased to this process, so no other process claims them before the lease
 * expires. The other items are committed again in a separate batch.
 */
async function answerByIds(
  deps: BatchDeps,
  items: AcceptRequest[],
  attempt: Attempt,
): Promise<(AcceptAnswer | Error)[]> {
  for (let round = 1; ; round++) {
    const keys = items.flatMap(({ submitter: { teamId }, submissions }) =>
      submissions.map(({ emailId }) => ({ teamId, id: emailId })),
    )
    const existing = await findExistingEmails(deps.db, keys)
    handOff(deps, attempt, (emailId) => existing.has(emailId))
    const exists = (item: AcceptRequest) => item.submissions.some(({ emailId }) => existing.has(emailId))
    const rest = items.filter((item) => !exists(item))
    try {
      const answers = rest.length === 0 ? [] : await commitOnce(deps, rest)
      return items.map(
        (item, index) =>
          (exists(item) ? attempt.validated[index] : answers[rest.indexOf(item)]) as AcceptAnswer | Error,
      )
    } catch (error) {
      // The lost COMMIT took effect after the lookup and before the write. The next lookup finds the emails.
      if (round === ROUNDS_MAX || !violates(error, 'email_')) throw error
    }
  }
}

const ROUNDS_MAX = 2

/**
 * The longest commit whose unknown outcome is looked up. A broken connection is reported immediately. A server
 * that stalled until the timeout would not answer the lookup either, and the client must receive its error within
 * two seconds. A retry with the same Idempotency-Key reveals the outcome.
 */
const LOOKUP_WITHIN_MS = 1000
/**
 * The delay before the lookup. PostgreSQL recovers within this time after one backend is killed; a longer
 * outage ends in an error.
 */
const RECONNECT_MS = 300

async function commitOnce(deps: BatchDeps, items: AcceptRequest[]): Promise<(AcceptAnswer | Error)[]> {
  const attempt: Attempt = { validated: [], reserved: [] }
  return commit(deps, items, attempt).catch((error: unknown) => {
    dropReserved(deps, attempt, isOfUnknownOutcome(error))
    throw error
  })
}

/** Commits the items once. Adds the answers and the reserved deliveries to `attempt` before the COMMIT. */
async function commit(
  deps: BatchDeps,
  items: AcceptRequest[],
  attempt: Attempt,
  waitsBriefly = false,
): Promise<(AcceptAnswer | Error)[]> {
  const now = deps.clock.now()
  markAll(items, 'batched')
  const facts = await lookUpFacts(deps.db, deps.hashAddress, items)
  markAll(items, 'looked_up')
  const outcome: BatchOutcome = await deps.db.transaction(async (tx) => {
    if (waitsBriefly) await limitLockWaits(tx)
    const written = await writeBatch(tx, deps, facts, items, attempt.reserved, now)
    attempt.validated.push(...written.answers)
    return written
  })
  markAll(items, 'committed')
  rememberUsageRows(deps, items, now)
  handOff(deps, attempt, () => true)
  if (outcome.leftToClaim) deps.wake()
  return outcome.answers
}

function markAll(items: readonly AcceptRequest[], step: EmailStep): void {
  for (const { submissions } of items) for (const { emailId } of submissions) markStep(emailId, step)
}

/** The limit on remembered usage rows. Clearing them costs one statement. */
const SEEN_COUNT_MAX = 100_000

/** Remembers usage rows, only after the commit: a row that was rolled back must be created again. */
function rememberUsageRows(deps: BatchDeps, items: readonly AcceptRequest[], now: Date): void {
  if (deps.seenUsageRows.size > SEEN_COUNT_MAX) deps.seenUsageRows.clear()
  const { month } = periodOf(now)
  for (const item of items) deps.seenUsageRows.add(`${item.submitter.teamId}/${month}`)
}
