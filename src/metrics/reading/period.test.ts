import { expect, test } from 'vitest'
import { readPeriod } from './period.ts'

test.each([
  ['Asia/Kolkata', '2026-01-09T18:00:00.000Z', '2026-01-11T18:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-09T18:00:00.000Z', '2026-01-11T18:00:00.000Z'],
  ['Australia/Adelaide', '2026-01-09T13:00:00.000Z', '2026-01-11T13:00:00.000Z'],
  ['America/St_Johns', '2026-01-10T03:00:00.000Z', '2026-01-12T03:00:00.000Z'],
  ['Europe/Berlin', '2026-01-09T23:00:00.000Z', '2026-01-11T23:00:00.000Z'],
])('two dates are two days in %s, also if its offset has a part of an hour', (time_zone, from, before) => {
  const dates = { start_date: '2026-01-10', end_date: '2026-01-11', time_zone }
  const period = readPeriod(dates, new Date('2026-02-01T00:00Z'))
  expect(period.starts).toHaveLength(2)
  expect([period.from, period.before].map((at) => at.toISOString())).toEqual([from, before])
})
