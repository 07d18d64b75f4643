import { expect, test } from 'vitest'
import type { CampaignProgress } from '../rows/progress-queries.ts'
import type { SendWindow } from '../rows/send-window.ts'
import { estimateEnd, estimateRun, rateOf } from './estimate-end.ts'

const SINCE = new Date('2026-01-15T08:00:00Z')
const after = (ms: number) => new Date(SINCE.getTime() + ms)
const BERLIN: SendWindow = { from: '09:00', to: '18:00', timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5] }

/** What is counted of one email each `everyMs`, as recordAccepted counts it. */
function progressOf(
  everyMs: number,
  forMs: number,
  fields: Partial<CampaignProgress> = {},
): CampaignProgress {
  let recent = 0
  for (let ms = 0; ms <= forMs; ms += everyMs) recent = 1 + recent * Math.exp(-everyMs / 300_000)
  return {
    waiting: 1000,
    accepted: 0,
    skipped: 0,
    failed: 0,
    isAudienceDone: true,
    opensAt: null,
    recent,
    recentAt: after(forMs),
    recentSince: SINCE,
    ...fields,
  }
}

test.each([
  ['a minute', 60_000],
  ['an hour', 3_600_000],
])('the rate after %s', (_, forMs) => {
  expect(rateOf(progressOf(100, forMs), after(forMs))).toBeGreaterThan(35_000)
  expect(rateOf(progressOf(100, forMs), after(forMs))).toBeLessThan(37_000)
})

test('the rate falls while nothing is accepted, and is unknown at first, and after ten minutes', () => {
  const progress = progressOf(100, 3_600_000)
  expect(rateOf(progress, after(3_600_000 + 300_000))).toBeLessThan(14_000)
  expect(rateOf(progress, after(3_600_000 + 600_001))).toBeNull()
  expect(rateOf(progressOf(100, 5000), after(5000))).toBeNull()
  expect(rateOf({ recent: 0, recentAt: null, recentSince: null }, SINCE)).toBeNull()
})

const NO_LIMITS = { ratePerHour: null, sendWindow: null }
const minutes = (end: Date | null) =>
  end === null ? null : Math.round((end.getTime() - SINCE.getTime()) / 60_000)

test.each([
  ['unknown while the audience is read', progressOf(100, 0, { isAudienceDone: false }), NO_LIMITS, 0, null],
  ['unknown without a rate', progressOf(100, 0), NO_LIMITS, 1, null],
  ['now if nobody waits', progressOf(100, 0, { waiting: 0 }), NO_LIMITS, 1, 0],
  ['by the measured rate', progressOf(1000, 60_000, { waiting: 3600 }), NO_LIMITS, 60_000, 60],
  ['by the limit at first', progressOf(100, 0), { ...NO_LIMITS, ratePerHour: 500 }, 0, 120],
  ['by the limit that holds it', progressOf(1000, 60_000), { ...NO_LIMITS, ratePerHour: 4000 }, 60_000, 16],
  [
    'by the measured rate below the limit',
    progressOf(1000, 60_000, { waiting: 3600 }),
    { ...NO_LIMITS, ratePerHour: 100_000 },
    60_000,
    60,
  ],
  // Nine hours on Thursday and Friday, then the weekend.
  [
    'within its hours',
    progressOf(100, 0, { waiting: 2000 }),
    { ratePerHour: 100, sendWindow: BERLIN },
    0,
    4 * 24 * 60 + 120,
  ],
  [
    'never, as far as years are written',
    progressOf(100, 0, { waiting: 1e9 }),
    { ratePerHour: 1, sendWindow: null },
    0,
    null,
  ],
  [
    'never, as far as hours are looked for',
    progressOf(100, 0, { waiting: 1e6 }),
    { ratePerHour: 1, sendWindow: BERLIN },
    0,
    null,
  ],
])('the end: %s', (_, progress, limits, nowMs, expected) => {
  expect(minutes(estimateEnd(progress, limits, after(nowMs)))).toBe(expected)
})

test('the end: outside its hours, as fast as before', () => {
  const closedAt = 9 * 3_600_000
  const progress = progressOf(1000, closedAt, { waiting: 3600 })
  const end = estimateEnd(progress, { ratePerHour: null, sendWindow: BERLIN }, after(closedAt + 7_200_000))
  // Friday, an hour after nine.
  expect(Math.abs((minutes(end) ?? 0) - 25 * 60)).toBeLessThan(3)
})

test('the end is unknown while contacts have hours of their own', () => {
  const progress = progressOf(100, 3_600_000)
  const sendWindow = { ...BERLIN, byContact: true }
  expect(estimateEnd(progress, { ratePerHour: 100, sendWindow }, after(3_600_000))).toBeNull()
})

test('a campaign that has not begun waits for its hours, and ends by its rate within them', () => {
  // A Friday, 17:00 in Berlin: an hour is left, and the other three follow on Monday.
  const friday = new Date('2026-01-16T16:00:00Z')
  const limits = { ratePerHour: 100, sendWindow: BERLIN }
  expect(estimateRun(400, limits, friday)).toEqual({
    beginsAt: friday,
    endsAt: new Date('2026-01-19T11:00:00Z'),
  })
  const saturday = new Date('2026-01-17T10:00:00Z')
  const monday = new Date('2026-01-19T08:00:00Z')
  expect(estimateRun(0, limits, saturday)).toEqual({ beginsAt: monday, endsAt: monday })
  expect(estimateRun(400, { ...limits, ratePerHour: null }, saturday)).toEqual({
    beginsAt: monday,
    endsAt: null,
  })
  expect(estimateRun(400, { ratePerHour: 100, sendWindow: null }, saturday).endsAt).toEqual(
    new Date('2026-01-17T14:00:00Z'),
  )
})
