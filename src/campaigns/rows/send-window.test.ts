import { describe, expect, test } from 'vitest'
import { openingsFrom, type SendWindow, waitsUntil } from './send-window.ts'

const windowOf = (text: string, timeZone: string, days: number[] | null = null): SendWindow => {
  const [from = '', to = ''] = text.split('-')
  return { from, to, timeZone, days }
}
const openingAt = (window: SendWindow, at: Date) => openingsFrom(window, at).next().value ?? null
const shown = (window: SendWindow, at: string) => {
  const opening = openingAt(window, new Date(at))
  const text = (time: Date) => time.toISOString().slice(0, 16)
  return opening === null ? null : `${text(opening.opensAt)} ${text(opening.closesAt)}`
}

describe('an opening', () => {
  test.each([
    ['before it', '2026-01-15T07:59:59.999Z', '2026-01-15T08:00 2026-01-15T17:00'],
    ['at its first moment', '2026-01-15T08:00:00Z', '2026-01-15T08:00 2026-01-15T17:00'],
    ['in it', '2026-01-15T12:00:00Z', '2026-01-15T08:00 2026-01-15T17:00'],
    ['at its last moment', '2026-01-15T16:59:59.999Z', '2026-01-15T08:00 2026-01-15T17:00'],
    ['after it', '2026-01-15T17:00:00Z', '2026-01-16T08:00 2026-01-16T17:00'],
    ['in summer', '2026-07-15T12:00:00Z', '2026-07-15T07:00 2026-07-15T16:00'],
  ])('09:00-18:00 in Berlin, %s', (_, at, expected) => {
    expect(shown(windowOf('09:00-18:00', 'Europe/Berlin'), at)).toBe(expected)
  })

  test.each([
    ['in the evening', '2026-01-15T22:00:00Z', '2026-01-15T21:00 2026-01-16T05:00'],
    ['after midnight', '2026-01-16T04:59:00Z', '2026-01-15T21:00 2026-01-16T05:00'],
    ['by day', '2026-01-16T05:00:00Z', '2026-01-16T21:00 2026-01-17T05:00'],
  ])('across midnight, %s', (_, at, expected) => {
    expect(shown(windowOf('22:00-06:00', 'Europe/Berlin'), at)).toBe(expected)
  })

  test.each([
    // 2026-01-16 is a Friday. A window belongs to the day on which it opens.
    ['09:00-18:00', [1, 2, 3, 4, 5], '2026-01-16T18:00:00Z', '2026-01-19T08:00 2026-01-19T17:00'],
    ['09:00-18:00', [7], '2026-01-18T17:00:00Z', '2026-01-25T08:00 2026-01-25T17:00'],
    ['22:00-06:00', [5], '2026-01-17T03:00:00Z', '2026-01-16T21:00 2026-01-17T05:00'],
    ['22:00-06:00', [5], '2026-01-16T03:00:00Z', '2026-01-16T21:00 2026-01-17T05:00'],
    ['18:00-00:00', [3], '2026-01-16T03:00:00Z', '2026-01-21T17:00 2026-01-21T23:00'],
  ])('%s on the days %j, at %s', (text, days, at, expected) => {
    expect(shown(windowOf(text, 'Europe/Berlin', days), at)).toBe(expected)
  })

  // Fixed changes of clocks, from the tz database.
  test.each([
    // Berlin, 2026-03-29: 02:00 CET becomes 03:00 CEST at 01:00 UTC.
    [
      'begins when clocks skip its beginning',
      '02:30-04:00',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      '2026-03-29T01:00 2026-03-29T02:00',
    ],
    [
      'ends when clocks skip its end',
      '01:00-02:30',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      '2026-03-29T00:00 2026-03-29T01:00',
    ],
    [
      'is left out if clocks skip all of it',
      '02:10-02:50',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      '2026-03-30T00:10 2026-03-30T00:50',
    ],
    [
      'is an hour shorter with the change in it',
      '00:00-06:00',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      '2026-03-28T23:00 2026-03-29T04:00',
    ],
    // Berlin, 2026-10-25: 03:00 CEST becomes 02:00 CET at 01:00 UTC.
    [
      'begins the first time',
      '02:30-04:00',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      '2026-10-25T00:30 2026-10-25T03:00',
    ],
    [
      'ends the first time',
      '01:00-02:30',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      '2026-10-24T23:00 2026-10-25T00:30',
    ],
    [
      'does not come twice',
      '02:10-02:50',
      'Europe/Berlin',
      '2026-10-25T00:55Z',
      '2026-10-26T01:10 2026-10-26T01:50',
    ],
    [
      'is an hour longer with the change in it',
      '00:00-06:00',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      '2026-10-24T22:00 2026-10-25T05:00',
    ],
    // New York, 2026-03-08: 02:00 EST becomes 03:00 EDT at 07:00 UTC; 2026-11-01: back at 06:00 UTC.
    [
      'in New York, skipped',
      '02:15-05:00',
      'America/New_York',
      '2026-03-08T06:00Z',
      '2026-03-08T07:00 2026-03-08T09:00',
    ],
    [
      'in New York, twice',
      '01:15-05:00',
      'America/New_York',
      '2026-11-01T05:00Z',
      '2026-11-01T05:15 2026-11-01T10:00',
    ],
    // Lord Howe changes by half an hour, 2026-10-04: 02:00 +10:30 becomes 02:30 +11 at 2026-10-03 15:30 UTC.
    [
      'on Lord Howe',
      '02:15-03:00',
      'Australia/Lord_Howe',
      '2026-10-03T15:00Z',
      '2026-10-03T15:30 2026-10-03T16:00',
    ],
    // Cairo skips midnight, 2026-04-24: 00:00 +2 becomes 01:00 +3 at 2026-04-23 22:00 UTC.
    [
      'with a skipped midnight',
      '00:00-02:00',
      'Africa/Cairo',
      '2026-04-23T21:00Z',
      '2026-04-23T22:00 2026-04-23T23:00',
    ],
    // Samoa skipped all of 2011-12-30: at 10:00 UTC, -10 became +14.
    [
      'on a skipped day',
      '09:00-18:00',
      'Pacific/Apia',
      '2011-12-30T09:00Z',
      '2011-12-30T19:00 2011-12-31T04:00',
    ],
    [
      'before a skipped day',
      '09:00-18:00',
      'Pacific/Apia',
      '2011-12-29T20:00Z',
      '2011-12-29T19:00 2011-12-30T04:00',
    ],
    [
      'in a zone without changes',
      '09:00-18:00',
      'Asia/Kolkata',
      '2026-03-29T02:00Z',
      '2026-03-29T03:30 2026-03-29T12:30',
    ],
  ])('%s: %s in %s', (_, text, timeZone, at, expected) => {
    expect(shown(windowOf(text, timeZone), at)).toBe(expected)
  })
})

test('what a campaign waits for: the next opening, and nothing in one or without hours', () => {
  const window = windowOf('09:00-18:00', 'Europe/Berlin')
  const at = (text: string) => waitsUntil(window, new Date(text))?.toISOString() ?? null
  expect(at('2026-01-15T07:00:00Z')).toBe('2026-01-15T08:00:00.000Z')
  expect(at('2026-01-15T08:00:00Z')).toBeNull()
  expect(at('2026-01-15T17:00:00Z')).toBe('2026-01-16T08:00:00.000Z')
  expect(waitsUntil(null, new Date())).toBeNull()
})

// At times of a whole year, closer than an opening is long: it is in the opening, or before it, and no other opening is nearer.
test.each(['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'America/Havana'])(
  'openings in %s follow each other without a gap or an overlap',
  (timeZone) => {
    const window = windowOf('22:30-01:30', timeZone)
    const endMs = Date.UTC(2027, 0, 1)
    let last = openingAt(window, new Date(Date.UTC(2026, 0, 1)))
    for (let ms = Date.UTC(2026, 0, 1); ms < endMs; ms += 9_000_000) {
      const next = openingAt(window, new Date(ms))
      if (next === null || last === null) throw new Error('there is no opening')
      expect(next.closesAt.getTime()).toBeGreaterThan(ms)
      if (next.opensAt.getTime() !== last.opensAt.getTime()) {
        expect(next.opensAt.getTime()).toBeGreaterThan(last.closesAt.getTime())
        expect(last.closesAt.getTime()).toBeLessThanOrEqual(ms)
        // A day, and an hour more or less.
        const apartMs = next.opensAt.getTime() - last.opensAt.getTime()
        expect(Math.abs(apartMs - 86_400_000)).toBeLessThanOrEqual(3_600_000)
      }
      last = next
    }
  },
)
