import type { DomainState, DomainStatus, RecordChecks } from './domains-queries.ts'

/*
 * The states of a domain. `proven`: DNS has this team's own key. `taken`: it does, but another team of the
 * installation has verified the name. `unproven`: DNS has no key or another one. `unknown`: DNS did not answer.
 *
 *   pending            checked every 5 minutes for 72 hours.   proven -> verified; time over -> failed
 *   verified           checked once a day.                     unproven on 2 days in a row -> temporary_failure
 *   temporary_failure  still sends; checked once a day.        proven -> verified; unproven on 7 days -> failed
 *   failed             checked only at the owner's request.    proven -> verified; otherwise pending
 *
 * `unknown` never takes anything away from a domain that sends; DNS is queried again within the hour.
 */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const PENDING_CHECK_MS = 5 * MINUTE_MS
const PENDING_LIFETIME_MS = 72 * HOUR_MS
const VERIFIED_CHECK_MS = DAY_MS
const UNKNOWN_CHECK_MS = HOUR_MS
/** Checks run a little early or late. Two of them count as separate days from this distance on. */
const COUNTED_DAY_MS = DAY_MS - HOUR_MS
const TEMPORARY_FAILURE_DAYS = 2
const FAILED_DAYS = 7

export type DomainProof = 'proven' | 'taken' | 'unproven' | 'unknown'

/** Returns whether emails may be sent from the domain. If so, it holds its name in verified_domain. */
export function maySend(status: DomainStatus): boolean {
  return status === 'verified' || status === 'temporary_failure'
}

function later(now: Date, waitMs: number): Date {
  return new Date(now.getTime() + waitMs)
}

/** Returns the state of a new domain. */
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
  const isCounted = state.failedDayAt !== null && now.getTime() - state.failedDayAt.getTime() < COUNTED_DAY_MS
  const failedDays = isCounted ? state.failedDays : state.failedDays + 1
  const failedDayAt = isCounted ? state.failedDayAt : now
  const next = { ...state, reason, failedDays, failedDayAt, nextCheckAt: later(now, VERIFIED_CHECK_MS) }
  if (failedDays >= FAILED_DAYS) return failedState(next)
  return failedDays >= TEMPORARY_FAILURE_DAYS ? { ...next, status: 'temporary_failure' } : next
}

function stillPending(state: DomainState, reason: string, isRequested: boolean, now: Date): DomainState {
  const since = state.pendingSince ?? now
  const over = now.getTime() - since.getTime() >= PENDING_LIFETIME_MS
  if (over && !isRequested) return failedState({ ...state, reason })
  return {
    ...state,
    status: 'pending',
    reason,
    pendingSince: over ? now : since,
    nextCheckAt: later(now, PENDING_CHECK_MS),
  }
}

/**
 * Returns the next state after a DNS check.
 * @param isRequested whether the owner requested the check, which restarts the 72 hours if they are over
 */
export function nextState(
  state: DomainState,
  proof: DomainProof,
  reason: string,
  isRequested: boolean,
  now: Date,
): DomainState {
  if (proof === 'proven') return verifiedState(state, false, now)
  if (!maySend(state.status)) return stillPending(state, reason, isRequested, now)
  if (proof === 'unknown') return { ...state, nextCheckAt: later(now, UNKNOWN_CHECK_MS) }
  return countFailedDay(state, reason, now)
}

/** Returns the state of a domain that capture mode verified, for use with DNS: its ownership is not proven. */
export function pendingAgain(state: DomainState, now: Date): DomainState {
  return { ...state, status: 'pending', captured: false, verifiedAt: null, pendingSince: now }
}

/**
 * Returns the next state in capture mode, which does not use DNS.
 * @param holdsName whether the domain holds its name in verified_domain
 */
export function capturedState(
  state: DomainState,
  holdsName: boolean,
  reason: string,
  isRequested: boolean,
  now: Date,
): DomainState {
  if (!holdsName) return stillPending(state, reason, isRequested, now)
  if (!maySend(state.status)) return verifiedState(state, true, now)
  return { ...state, nextCheckAt: later(now, VERIFIED_CHECK_MS) }
}

/**
 * Returns what a DNS check proves about the ownership of the domain. Only the RSA record counts (see
 * expectedRecords).
 */
export function proofOf(checks: RecordChecks): Exclude<DomainProof, 'taken'> {
  const outcome = checks.dkim_rsa?.outcome ?? 'unknown'
  if (outcome === 'right') return 'proven'
  return outcome === 'unknown' ? 'unknown' : 'unproven'
}
