import { expect, test } from 'vitest'
import type { EmailMetrics } from '../../api/records.ts'
import { sumByHourOfWeek } from './heat.ts'

const point = (date: Date, accepted: number) =>
  ({ at: date.toISOString(), counts: { accepted } }) as unknown as EmailMetrics['series'][number]

test('the same hour of several weeks is added up, in local time', () => {
  const monday = new Date(2026, 10, 16, 9)
  const nextMonday = new Date(2026, 10, 23, 9)
  const sunday = new Date(2026, 10, 22, 23)
  const sums = sumByHourOfWeek(
    { series: [point(monday, 3), point(sunday, 5), point(nextMonday, 4)] },
    'accepted',
  )
  expect(sums[0]?.[9]).toBe(7)
  expect(sums[6]?.[23]).toBe(5)
  expect(sums.flat().reduce((sum, each) => sum + each)).toBe(12)
})
