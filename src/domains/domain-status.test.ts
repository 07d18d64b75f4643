import { expect, test } from 'vitest'
import {
  capturedState,
  type DomainProof,
  maySend,
  nextState,
  pendingAgain,
  pendingState,
  verifiedState,
} from './domain-status.ts'
import type { DomainState } from './domains-queries.ts'

const START = new Date('2026-11-20T12:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const at = (ms: number) => new Date(START.getTime() + ms)

/** Checks whenever a check is due, as the background job does, until none is due or `endMs` has passed. */
function live(state: DomainState, endMs: number, proofAt: (ms: number) => DomainProof) {
  const moves: [ms: number, status: string][] = []
  let looks = 0
  while (state.nextCheckAt !== null && state.nextCheckAt.getTime() <= at(endMs).getTime()) {
    const now = state.nextCheckAt
    const next = nextState(state, proofAt(now.getTime() - START.getTime()), 'why', false, now)
    if (next.status !== state.status) moves.push([now.getTime() - START.getTime(), next.status])
    state = next
    looks++
  }
  return { state, moves, looks }
}

test('pending: checked every 5 minutes for 72 hours, then failed and no longer checked', () => {
  const { state, moves, looks } = live(pendingState(START), 1000 * HOUR_MS, () => 'unproven')
  expect(moves).toEqual([[72 * HOUR_MS, 'failed']])
  expect(looks).toBe((72 * 60) / 5 + 1)
  expect(state).toMatchObject({ nextCheckAt: null, reason: 'why', pendingSince: null })
})

test('pending becomes verified as soon as it is proven, and is then checked once a day', () => {
  const { moves, looks } = live(pendingState(START), 10 * DAY_MS, (ms) =>
    ms >= HOUR_MS ? 'proven' : 'unproven',
  )
  expect(moves).toEqual([[HOUR_MS, 'verified']])
  expect(looks).toBe(13 + 9)
})

test('pending stays pending while another team has the name', () => {
  const state = nextState(pendingState(START), 'taken', 'Taken.', true, START)
  expect(state).toMatchObject({ status: 'pending', reason: 'Taken.', nextCheckAt: at(5 * MINUTE_MS) })
})

test('verified: temporary_failure on the second day without the record, failed on the seventh', () => {
  const verified = verifiedState(pendingState(START), false, START)
  const { moves, state } = live(verified, 30 * DAY_MS, () => 'unproven')
  expect(moves).toEqual([
    [2 * DAY_MS, 'temporary_failure'],
    [7 * DAY_MS, 'failed'],
  ])
  expect(state.nextCheckAt).toBeNull()
})

test('verified again, with its counters reset, if the record returns in time', () => {
  const verified = verifiedState(pendingState(START), false, START)
  const { moves, state } = live(verified, 9 * DAY_MS, (ms) => (ms < 5 * DAY_MS ? 'unproven' : 'proven'))
  expect(moves).toEqual([
    [2 * DAY_MS, 'temporary_failure'],
    [5 * DAY_MS, 'verified'],
  ])
  expect(state).toMatchObject({ failedDays: 0, failedDayAt: null, reason: null, verifiedAt: START })
})

test('verified stays verified for a year in which DNS never answers', () => {
  const verified = verifiedState(pendingState(START), false, START)
  const { moves, state } = live(verified, 365 * DAY_MS, () => 'unknown')
  expect(moves).toEqual([])
  expect(state).toMatchObject({ status: 'verified', failedDays: 0 })
})

test('verified: two checks without the record a week apart count as two days, not nine', () => {
  const verified = verifiedState(pendingState(START), false, START)
  const { state } = live(verified, 9 * DAY_MS, (ms) =>
    ms === DAY_MS || ms >= 8.9 * DAY_MS ? 'unproven' : 'unknown',
  )
  expect(state).toMatchObject({ status: 'temporary_failure', failedDays: 2 })
})

test('verified does not fail faster if its owner requests many checks', () => {
  let state = verifiedState(pendingState(START), false, START)
  for (let count = 0; count < 50; count++)
    state = nextState(state, 'unproven', 'why', true, at(count * MINUTE_MS))
  expect(state).toMatchObject({ status: 'verified', failedDays: 1 })
})

test('failed becomes pending for another 72 hours when its owner requests a check', () => {
  const failed = live(pendingState(START), 1000 * HOUR_MS, () => 'unproven').state
  const asked = nextState(failed, 'unproven', 'why', true, at(100 * DAY_MS))
  expect(asked).toMatchObject({ status: 'pending', pendingSince: at(100 * DAY_MS) })
  const { moves } = live(asked, 200 * DAY_MS, () => 'unproven')
  expect(moves).toEqual([[103 * DAY_MS, 'failed']])
})

test('failed becomes verified at once when its owner requests a check and DNS proves it', () => {
  const failed = live(pendingState(START), 1000 * HOUR_MS, () => 'unproven').state
  expect(nextState(failed, 'proven', '', true, at(100 * DAY_MS))).toMatchObject({
    status: 'verified',
    verifiedAt: at(100 * DAY_MS),
    nextCheckAt: at(101 * DAY_MS),
  })
})

test('captured: verified at once, and pending again when DNS counts', () => {
  const captured = capturedState(pendingState(START), true, 'why', true, START)
  expect(captured).toMatchObject({ status: 'verified', captured: true })
  expect(pendingAgain(captured, at(DAY_MS))).toMatchObject({
    status: 'pending',
    captured: false,
    pendingSince: at(DAY_MS),
    verifiedAt: null,
  })
  expect(capturedState(pendingState(START), false, 'Taken.', true, START)).toMatchObject({
    status: 'pending',
    captured: false,
    reason: 'Taken.',
  })
})

test('verified by DNS is not marked as captured in capture mode', () => {
  const verified = verifiedState(pendingState(START), false, START)
  expect(capturedState(verified, true, 'why', false, at(DAY_MS))).toEqual({
    ...verified,
    nextCheckAt: at(2 * DAY_MS),
  })
})

test('only verified and temporary_failure may send', () => {
  const statuses = ['pending', 'verified', 'failed', 'temporary_failure'] as const
  expect(statuses.filter(maySend)).toEqual(['verified', 'temporary_failure'])
})
