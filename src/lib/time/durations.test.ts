import { describe, expect, test } from 'vitest'
import { parseDuration, parseSignedDuration, storedDurationMs } from './durations.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

test.each([
  ['30 minutes', 30 * MINUTE_MS, '30 minutes'],
  ['1 hour', HOUR_MS, '1 hour'],
  ['3 days', 3 * DAY_MS, '3 days'],
  ['1 week', 7 * DAY_MS, '1 week'],
  ['90 seconds', 90_000, '90 seconds'],
  ['  2   Weeks ', 14 * DAY_MS, '2 weeks'],
  ['7 days', 7 * DAY_MS, '1 week'],
  ['36 hours', 36 * HOUR_MS, '36 hours'],
  ['60 minutes', HOUR_MS, '1 hour'],
  ['an hour', HOUR_MS, '1 hour'],
  ['a day', DAY_MS, '1 day'],
  ['1.5 hours', 90 * MINUTE_MS, '90 minutes'],
  ['0.1 hours', 6 * MINUTE_MS, '6 minutes'],
  ['1 hour 30 minutes', 90 * MINUTE_MS, '90 minutes'],
  ['1 day, 2 hours and 3 minutes', DAY_MS + 2 * HOUR_MS + 3 * MINUTE_MS, '1563 minutes'],
  ['1h30m', 90 * MINUTE_MS, '90 minutes'],
  ['5 min', 5 * MINUTE_MS, '5 minutes'],
  ['45s', 45_000, '45 seconds'],
  [3600, HOUR_MS, '1 hour'],
  [1, 1000, '1 second'],
  ['3600', HOUR_MS, '1 hour'],
  ['PT1H', HOUR_MS, '1 hour'],
  ['P3D', 3 * DAY_MS, '3 days'],
  ['p2w', 14 * DAY_MS, '2 weeks'],
  ['P1DT2H30M', DAY_MS + 2.5 * HOUR_MS, '1590 minutes'],
  ['PT1.5H', 90 * MINUTE_MS, '90 minutes'],
])('parseDuration reads %j', (value, ms, text) => {
  expect(parseDuration(value)).toEqual({ ms, text })
  // The canonical text stays what it is.
  expect(parseDuration(text)).toEqual({ ms, text })
  expect(storedDurationMs(text)).toBe(ms)
})

test.each([
  ...[
    '',
    ' ',
    'soon',
    'hour',
    '1 month',
    '2 years',
    '1 fortnight',
    'P1M',
    'P1Y',
    'P',
    'PT',
    'P1DT',
    'P1H',
    'PT1D',
  ],
  ...[
    '0',
    0,
    '0 seconds',
    'PT0S',
    -1,
    '-1 hour',
    '- 1 hour',
    '+1 hour',
    '1 hour ago',
    '1 hour,',
    'in 1 hour',
  ],
  ...['1,5 hours', '1 hour 30', 'and 1 hour', '1 hour and', '1e3', '0x10', '١ hour', '1 constructor'],
  ...['0.5 seconds', 0.5, 'PT0.5S', '1.0000001 hours', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53],
  ...['1 __proto__', '1 toString', '1'.repeat(5000), `${'1 day '.repeat(50)}`, `1${' '.repeat(200)}day`],
  ...[null, undefined, true, [], ['1 hour'], {}, { toString: () => '1 hour' }],
])('parseDuration rejects %j', (value) => {
  expect(parseDuration(value)).toBeNull()
})

describe('parseSignedDuration', () => {
  test.each([
    ['-3 days', -3 * DAY_MS, '-3 days'],
    ['- 90 seconds', -90_000, '-90 seconds'],
    ['+1 hour', HOUR_MS, '1 hour'],
    ['1 hour', HOUR_MS, '1 hour'],
    ['-P1D', -DAY_MS, '-1 day'],
    [-60, -MINUTE_MS, '-1 minute'],
  ])('reads %j', (value, ms, text) => {
    expect(parseSignedDuration(value)).toEqual({ ms, text })
    expect(storedDurationMs(text)).toBe(ms)
  })

  test.each(['--1 day', '-', '+', '-0 days', '- -1 day', null, -0, -0.5, '-1 month'])(
    'rejects %j',
    (value) => {
      expect(parseSignedDuration(value)).toBeNull()
    },
  )
})

test('storedDurationMs throws for a text that is no duration', () => {
  expect(() => storedDurationMs('soon')).toThrow('Not a duration: soon')
})
