import { describe, expect, test } from 'vitest'
import type { EmailMetrics } from '../../api/records.ts'
import { barsOf, topOf } from './bars.ts'

const metricsOf = (part: Partial<EmailMetrics>) => part as EmailMetrics

test('a bar is unfinished until everything in its day is counted', () => {
  const day = (at: string) => ({ at, counts: { delivered: 3, sent: 1, bounced: 2 } })
  const bars = barsOf(
    metricsOf({
      interval: 'day',
      as_of: '2026-01-03 00:00:00',
      series: [day('2026-01-02 00:00:00'), day('2026-01-03 00:00:00')] as never,
    }),
  )
  expect(bars.map(({ isOpen }) => isOpen)).toEqual([false, true])
  expect(bars[0]?.counts).toEqual([4, 0, 2])
})

test('nothing is final before the first count', () => {
  const series = [{ at: '2026-01-02 00:00:00', counts: {} }] as never
  expect(barsOf(metricsOf({ interval: 'hour', as_of: null, series }))[0]?.isOpen).toBe(true)
})

describe('the end of the y axis', () => {
  const barOf = (count: number) => [{ at: '', label: '', counts: [count], isOpen: false }]

  test.each([
    [0, 4],
    [3, 4],
    [5, 6],
    [11, 12],
    [13, 16],
    [25, 30],
    [101, 120],
    [9_001, 10_000],
  ])('for %d it is %d', (highest, top) => expect(topOf(barOf(highest))).toBe(top))
})
