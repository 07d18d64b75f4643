import { expect, test } from 'vitest'
import { EndpointHealth, SENDING_MAX } from './endpoint-health.ts'

const START = new Date('2026-01-01T00:00:00Z')
const after = (ms: number) => new Date(START.getTime() + ms)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const well = () => new EndpointHealth({ failingSince: null, probeAt: null })

test('more concurrent requests with each success, one at a time after a failure', () => {
  const health = well()
  expect(health.sendingMax).toBe(2)
  for (let count = 0; count < 20; count++) health.succeed()
  expect(health.sendingMax).toBe(SENDING_MAX)
  health.fail(START, START, 0)
  expect([health.sendingMax, health.isFailing, health.probeAt]).toEqual([1, false, null])
  health.succeed()
  expect([health.sendingMax, health.failingSince]).toEqual([3, null])
})

test('a wait of half the time since the first failure before the next event, five minutes at most', () => {
  const health = well()
  for (let count = 0; count < 3; count++) health.fail(START, START, 0)
  expect(health.probeAt).toEqual(after(200))
  expect([health.mayProbe(after(199)), health.mayProbe(after(200))]).toEqual([false, true])
  health.fail(START, after(MINUTE_MS), 0)
  expect(health.probeAt).toEqual(after(1.5 * MINUTE_MS))
  health.fail(START, after(DAY_MS), 0)
  expect(health.probeAt).toEqual(after(DAY_MS + 5 * MINUTE_MS))
  health.succeed()
  expect(health.probeAt).toBeNull()
})

test('a wait as long as the endpoint requests, even if another request succeeds meanwhile', () => {
  const health = well()
  health.fail(START, START, 10_000)
  health.succeed()
  expect([health.mayProbe(after(9_999)), health.mayProbe(after(10_000))]).toEqual([false, true])
})

test('failing as another process left it', () => {
  const health = new EndpointHealth({ failingSince: START, probeAt: after(1000) })
  expect([health.isFailing, health.sendingMax, health.mayProbe(after(999))]).toEqual([true, 1, false])
})

test('disabled after five days without a success, and at once if the endpoint is gone', () => {
  const health = well()
  expect(health.reasonToDisable(true, START)).toContain('410')
  health.fail(START, after(DAY_MS), 0)
  expect(health.reasonToDisable(false, after(5 * DAY_MS - 1))).toBeNull()
  expect(health.reasonToDisable(false, after(5 * DAY_MS))).toContain('5 days')
})
