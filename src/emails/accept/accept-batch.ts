import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import type { Batcher } from '../../lib/async/batcher.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { periodOf } from '../../teams/usage-queries.ts'
import { findExistingEmails } from '../emails-queries.ts'
import { lookUpFacts } from './accept-facts-queries.ts'
import { createAcceptLanes } from './accept-lanes.ts'
import type { Acceptance, AcceptDeps, AcceptRequest, BatchDeps } from './accept-types.ts'
import { type Outcome, writeBatch } from './accept-write.ts'

/** Commits submissions in groups (docs/adr/0003-group-commit.md). */
export function createAcceptBatcher(deps: AcceptDeps): Batcher<AcceptRequest, Acceptance> {
  const seenUsageRows = new Set<string>()
  return createAcceptLanes((items) => acceptBatch({ ...deps, seenUsageRows }, items))
}

/** One transaction for all; when a statement refuses, each alone, so that one bad request fails by itself. */
async function acceptBatch(deps: BatchDeps, items: AcceptRequest[]): Promise<(Acceptance | Error)[]> {
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
async function commitOrRepeat(deps: BatchDeps, items: AcceptRequest[]): Promise<(Acceptance | Error)[]> {
  const sinceMs = performance.now()
  const attempt: Attempt = { validated: [], reserved: [] }
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
  validated: (Acceptance | Error)[]
  /** For the hand-off, with room kept for them until they begin or the batch comes to nothing. */
  reserved: DueDelivery[]
}

/** Begins those that are committed. */
function handOff(
  { handOff: handing }: BatchDeps,
  attempt: Attempt,
  isThere: (emailId: string) => boolean,
): void {
  const begun = attempt.reserved.filter(({ emailId }) => isThere(emailId))
  attempt.reserved = attempt.reserved.filter(({ emailId }) => !isThere(emailId))
  if (begun.length > 0) handing?.start(begun)
}

function forgo({ handOff: handing }: BatchDeps, attempt: Attempt): void {
  for (const due of attempt.reserved.splice(0)) {
    handing?.forgo(due.teamId, due.domain, due.message?.bytes.length ?? 0)
  }
}

/**
 * What has an email that exists by now is answered as it was validated in the transaction whose COMMIT was lost, and begun
 * if it was written as leased to us: nobody else would before that lease runs out. The rest is validated again by a batch of
 * its own.
 */
async function answerByIds(
  deps: BatchDeps,
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
          (isThere(item) ? attempt.validated[index] : answers[rest.indexOf(item)]) as Acceptance | Error,
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

async function commitOnce(deps: BatchDeps, items: AcceptRequest[]): Promise<(Acceptance | Error)[]> {
  const attempt: Attempt = { validated: [], reserved: [] }
  return commit(deps, items, attempt).finally(() => forgo(deps, attempt))
}

/** `attempt` is given the answers and what is reserved before they are committed. */
async function commit(
  deps: BatchDeps,
  items: AcceptRequest[],
  attempt: Attempt,
): Promise<(Acceptance | Error)[]> {
  const now = deps.clock.now()
  const facts = await lookUpFacts(deps.db, deps.hashAddress, items)
  const outcome: Outcome = await deps.db.transaction(async (tx) => {
    const written = await writeBatch(tx, deps, facts, items, attempt.reserved, now)
    attempt.validated.push(...written.answers)
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
function rememberUsageRows(deps: BatchDeps, items: readonly AcceptRequest[], now: Date): void {
  if (deps.seenUsageRows.size > SEEN_COUNT_MAX) deps.seenUsageRows.clear()
  const { month } = periodOf(now)
  for (const item of items) deps.seenUsageRows.add(`${item.submitter.teamId}/${month}`)
}
