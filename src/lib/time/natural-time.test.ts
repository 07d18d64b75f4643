import { expect, test } from 'vitest'
import { parseNaturalTime } from './natural-time.ts'

/** A Thursday. */
const NOW = new Date('2026-01-15T10:30:15.250Z')

test.each([
  ['in 1 min', '2026-01-15T10:31:15.250Z'],
  ['in an hour', '2026-01-15T11:30:15.250Z'],
  ['in 90 seconds', '2026-01-15T10:31:45.250Z'],
  ['  In  2   Weeks ', '2026-01-29T10:30:15.250Z'],
  ['in a day', '2026-01-16T10:30:15.250Z'],
  ['today at 17:00', '2026-01-15T17:00:00.000Z'],
  ['tomorrow at 9am', '2026-01-16T09:00:00.000Z'],
  ['tomorrow at 12am', '2026-01-16T00:00:00.000Z'],
  ['tomorrow at noon UTC', '2026-01-16T12:00:00.000Z'],
  ['Friday at 3:15 pm', '2026-01-16T15:15:00.000Z'],
  ['on wednesday at 00:05', '2026-01-21T00:05:00.000Z'],
  ['thursday at 10:31', '2026-01-15T10:31:00.000Z'],
  ['thursday at 10:30', '2026-01-22T10:30:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(parseNaturalTime(text, NOW)?.toISOString()).toBe(expected)
})

test.each([
  'soon',
  'in minutes',
  'in -1 hour',
  'in 1.5 hours',
  'in 1 month',
  'tomorrow',
  'tomorrow at 9',
  'tomorrow at 24:00',
  'tomorrow at 13pm',
  'tomorrow at 9:60',
  'next friday at 9am',
  'friday at 3pm ET',
  'yesterday at noon',
])('%s is not a time', (text) => {
  expect(parseNaturalTime(text, NOW)).toBeNull()
})
