import type { DomainState, DomainStatus, RecordChecks } from './domains-queries.ts'

/*
 * The life of a domain. `proven`: DNS shows this team's own key. `taken`: it does, but another team of the
 * installation has the name verified. `unproven`: DNS shows no key or another one. `unknown`: DNS did not answer.
 *
 *   pending            looked for every 5 minutes for 72 hours.  proven -> verified; time over -> failed
 *   verified           looked for once a day.                    unproven on 2 days in a row -> temporary_failure
 *   temporary_failure  still sends, once a day.                  proven -> verified; unproven on 7 days -> failed
 *   failed             nobody looks until the owner asks.        asked: proven -> verified, else pending again
 *
 * `unknown` never takes anything away from a domain that sends; it is asked again within the hour.
 */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const PENDING_CHECK_MS = 5 * MINUTE_MS
const PENDING_LIFETIME_MS = 72 * HOUR_MS
const VERIFIED_CHECK_MS = DAY_MS
const UNKNOWN_CHECK_MS = HOUR_MS
/** Checks run a little early or late; two of them count as two days from here on. */
const COUNTED_DAY_MS = DAY_MS - HOUR_MS
const TEMPORARY_FAILURE_DAYS = 2
const FAILED_DAYS = 7

export type Proof = 'proven' | 'taken' | 'unproven' | 'unknown'

/** Whether emails may be sent from it: exactly then it holds its name in verified_domain. */
export function maySend(status: DomainStatus): boolean {
  return status === 'verified' || status === 'temporary_failure'
}

function later(now: Date, waitMs: number): Date {
  return new Date(now.getTime() + waitMs)
}

/** The state of a domain that has just been added. */
export function pendingState(now: Date): DomainState {
  return {
    status: 'pending',
    captured: false,
    checks: {},
    returnPathVerified: false,
    reason: null,
    verifiedAt: null,
    pendingSince: now,
    failedDays: 0,
    failedDayAt: null,
    checkedAt: null,
    nextCheckAt: now,
  }
}

export function verifiedState(state: DomainState, captured: boolean, now: Date): DomainState {
  return {
    ...state,
    status: 'verified',
    captured,
    reason: null,
    verifiedAt: maySend(state.status) ? state.verifiedAt : now,
    pendingSince: null,
    failedDays: 0,
    failedDayAt: null,
    nextCheckAt: later(now, VERIFIED_CHECK_MS),
  }
}

function failedState(state: DomainState): DomainState {
  return { ...state, status: 'failed', captured: false, pendingSince: null, nextCheckAt: null }
}

function countFailedDay(state: DomainState, reason: string, now: Date): DomainState {
  const counted = state.failedDayAt !== null && now.getTime() - state.failedDayAt.getTime() < COUNTED_DAY_MS
  const failedDays = counted ? state.failedDays : state.failedDays + 1
  const failedDayAt = counted ? state.failedDayAt : now
  const next = { ...state, reason, failedDays, failedDayAt, nextCheckAt: later(now, VERIFIED_CHECK_MS) }
  if (failedDays >= FAILED_DAYS) return failedState(next)
  return failedDays >= TEMPORARY_FAILURE_DAYS ? { ...next, status: 'temporary_failure' } : next
}

function stillPending(state: DomainState, reason: string, asked: boolean, now: Date): DomainState {
  const since = state.pendingSince ?? now
  const over = now.getTime() - since.getTime() >= PENDING_LIFETIME_MS
  if (over && !asked) return failedState({ ...state, reason })
  return {
    ...state,
    status: 'pending',
    reason,
    pendingSince: over ? now : since,
    nextCheckAt: later(now, PENDING_CHECK_MS),
  }
}

/** The next state after a look at DNS. `asked`: by the owner, which opens the 72 hours anew once they are over. */
export function nextState(
  state: DomainState,
  proof: Proof,
  reason: string,
  asked: boolean,
  now: Date,
): DomainState {
  if (proof === 'proven') return verifiedState(state, false, now)
  if (!maySend(state.status)) return stillPending(state, reason, asked, now)
  if (proof === 'unknown') return { ...state, nextCheckAt: later(now, UNKNOWN_CHECK_MS) }
  return countFailedDay(state, reason, now)
}

/** A domain that capture mode verified, as DNS has it: nobody has proven anything yet. */
export function pendingAgain(state: DomainState, now: Date): DomainState {
  return { ...state, status: 'pending', captured: false, verifiedAt: null, pendingSince: now }
}

/** The next state in capture mode, where nobody asks DNS. `held`: the domain has its name in verified_domain. */
export function capturedState(
  state: DomainState,
  held: boolean,
  reason: string,
  asked: boolean,
  now: Date,
): DomainState {
  if (!held) return stillPending(state, reason, asked, now)
  if (!maySend(state.status)) return verifiedState(state, true, now)
  return { ...state, nextCheckAt: later(now, VERIFIED_CHECK_MS) }
}

/** What a look at DNS says about the ownership of the domain; RSA decides (see expectedRecords). */
export function proofOf(checks: RecordChecks): Exclude<Proof, 'taken'> {
  const outcome = checks.dkim_rsa?.outcome ?? 'unknown'
  if (outcome === 'right') return 'proven'
  return outcome === 'unknown' ? 'unknown' : 'unproven'
}
