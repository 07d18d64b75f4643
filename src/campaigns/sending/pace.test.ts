import { expect, test } from 'vitest'
import { allowanceOf, paceAfter, stepOf, waitMsFor, windowOf } from './pace.ts'

const NOW = new Date('2026-03-20T08:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

test.each([
  // Rate, when the next may be accepted, how many may be accepted now.
  [3600, null, 3],
  [3600, 0, 1],
  [3600, 1, 0],
  [3600, -999, 1],
  [3600, -1000, 2],
  // Nothing was accepted for an hour: two seconds of the rate are caught up.
  [3600, -3_600_000, 3],
  [36_000, -3_600_000, 21],
  // Fewer than one email in two seconds.
  [10, -3_600_000, 1],
  // The clock was set back by an hour, or the rate was much lower before: the wait is that for one email.
  [3600, 3_600_000, 0],
  [100_000_000, -3_600_000, 55_556],
])('at %i an hour, with the next one due in %s ms, %i may be accepted', (ratePerHour, nextMs, count) => {
  const pacedUntil = nextMs === null ? null : after(nextMs)
  expect(allowanceOf({ ratePerHour, pacedUntil }, NOW)).toBe(count)
})

test.each([
  [3600, 0, 1, 0],
  [3600, 300, 1, 300],
  [3600, 0, 3, 2000],
  [3600, 3_600_000, 1, 1000],
  [10, null, 2, 358_000],
])(
  'at %i an hour, with the next one due in %s ms, %i may be accepted in %i ms',
  (ratePerHour, nextMs, count, waitMs) => {
    const pacedUntil = nextMs === null ? null : after(nextMs)
    expect(waitMsFor({ ratePerHour, pacedUntil }, NOW, count)).toBe(waitMs)
  },
)

// The promise: in any period, no more than the rate permits in it and two seconds, and one. Whatever is asked for, and when.
test.each([7, 3600, 50_000, 1_000_000, 90_000_000])(
  'never faster than %i an hour, and hardly slower',
  (ratePerHour) => {
    let pacedUntil: Date | null = null
    let nowMs = NOW.getTime()
    let count = 0
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    for (let turn = 0; turn < 20_000; turn++) {
      nowMs += Math.floor(random() * (turn % 2 === 0 ? 20 : 1500))
      const pace = { ratePerHour, pacedUntil }
      const taken = Math.floor(allowanceOf(pace, new Date(nowMs)) * (turn % 3 === 0 ? random() : 1))
      if (taken > 0) pacedUntil = paceAfter(pace, new Date(nowMs), taken)
      count += taken
      const elapsedMs = nowMs - NOW.getTime()
      expect(count).toBeLessThanOrEqual(((elapsedMs + 2000) * ratePerHour) / 3_600_000 + 1)
    }
    expect(count).toBeGreaterThan(((nowMs - NOW.getTime()) * ratePerHour * 0.97) / 3_600_000 - 1)
  },
)

test.each([
  // Rate, emails of one request at least, emails in the queue at most.
  [null, 100, 5000],
  [1, 1, 1],
  [3600, 1, 120],
  [36_000, 10, 1200],
  [1_000_000, 100, 5000],
])('at %s an hour, requests have %i emails and the queue %i', (ratePerHour, step, room) => {
  expect([stepOf(ratePerHour, 100), windowOf(ratePerHour, 5000)]).toEqual([step, room])
})
