import { expect, test } from 'vitest'
import { customDays, metricsQuery } from './range.ts'

const NOW_MS = Date.parse('2026-11-30T12:00:00Z')
const days = (start_date: string, end_date: string) => ({ start_date, end_date })

test('the days that a custom range shows are those that it asks for', () => {
  const chosen = [
    [{}, days('2026-10-31', '2026-11-30')],
    [{ end_date: '2026-08-31' }, days('2026-08-01', '2026-08-31')],
    [{ start_date: '2026-11-01' }, days('2026-11-01', '2026-11-30')],
    [days('2026-01-01', '2026-01-02'), days('2026-01-01', '2026-01-02')],
  ] as const
  for (const [filters, expected] of chosen) {
    expect(customDays(filters, NOW_MS)).toEqual(expected)
    expect(metricsQuery({ range: 'custom', ...filters }, NOW_MS)).toEqual({ interval: 'day', ...expected })
  }
  // The API names the error of a day from the address that is none.
  expect(customDays({ end_date: 'never' }, NOW_MS).end_date).toBe('never')
})
