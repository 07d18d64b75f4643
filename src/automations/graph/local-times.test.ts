import { describe, expect, test } from 'vitest'
import type { StepConfigs, TriggerConfigs } from './graph-types.ts'
import { dateOccurrence, nextWaitUntil } from './local-times.ts'

const BERLIN = 'Europe/Berlin'
const NEW_YORK = 'America/New_York'

describe('nextWaitUntil', () => {
  // 2026-03-26 is a Thursday. Clocks in Berlin skip from 02:00 to 03:00 on Sunday 2026-03-29 and return on Sunday 2026-10-25.
  test.each<[string, StepConfigs['wait_until'], string | null, string, string]>([
    ['a time later today', { time: '09:00' }, BERLIN, '2026-03-26T07:59:59.999Z', '2026-03-26T08:00:00Z'],
    [
      'a time that is now, on the next day',
      { time: '09:00' },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-03-27T08:00:00Z',
    ],
    [
      'a time that was, on the next day',
      { time: '09:00' },
      BERLIN,
      '2026-03-26T08:00:00.001Z',
      '2026-03-27T08:00:00Z',
    ],
    ['UTC without a zone', { time: '09:00' }, null, '2026-03-26T08:00:00Z', '2026-03-26T09:00:00Z'],
    [
      'UTC for a zone unknown here',
      { time: '09:00' },
      'Mars/Base',
      '2026-03-26T08:00:00Z',
      '2026-03-26T09:00:00Z',
    ],
    [
      'the zone of the step',
      { time: '09:00', time_zone: NEW_YORK },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-03-26T13:00:00Z',
    ],
    [
      'the zone of the contact',
      { time: '09:00', time_zone: 'contact' },
      NEW_YORK,
      '2026-03-26T08:00:00Z',
      '2026-03-26T13:00:00Z',
    ],
    [
      'tomorrow in a zone ahead',
      { time: '00:30' },
      'Pacific/Auckland',
      '2026-03-26T10:00:00Z',
      '2026-03-26T11:30:00Z',
    ],
    [
      'a skipped time at the change',
      { time: '02:30' },
      BERLIN,
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00Z',
    ],
    [
      'the day after a skipped time',
      { time: '02:30' },
      BERLIN,
      '2026-03-29T01:00:00Z',
      '2026-03-30T00:30:00Z',
    ],
    ['the first of two times', { time: '02:30' }, BERLIN, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
    [
      'not the second of two times',
      { time: '02:30' },
      BERLIN,
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ],
    [
      'a weekday that is today, at once',
      { weekdays: [4] },
      BERLIN,
      '2026-03-26T08:00:00.5Z',
      '2026-03-26T08:00:00.5Z',
    ],
    [
      'the midnight of the next weekday',
      { weekdays: [1, 5] },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-03-26T23:00:00Z',
    ],
    ['a weekday that is over', { weekdays: [4] }, BERLIN, '2026-03-26T23:00:00Z', '2026-04-01T22:00:00Z'],
    [
      'the weekday of the zone',
      { weekdays: [5] },
      'Pacific/Auckland',
      '2026-03-26T12:00:00Z',
      '2026-03-26T12:00:00Z',
    ],
    [
      'a time on a weekday',
      { time: '09:00', weekdays: [4] },
      BERLIN,
      '2026-03-26T07:00:00Z',
      '2026-03-26T08:00:00Z',
    ],
    [
      'a time on a weekday, next week',
      { time: '09:00', weekdays: [4] },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-04-02T07:00:00Z',
    ],
    [
      'an instant',
      { at: '2026-05-01T00:00:00.000Z' },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-05-01T00:00:00Z',
    ],
    [
      'an instant that was, at once',
      { at: '2026-03-01T00:00:00.000Z' },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-03-26T08:00:00Z',
    ],
    [
      'an instant, then a time',
      { at: '2026-05-01T07:00:00.000Z', time: '09:00' },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-05-01T07:00:00Z',
    ],
    [
      'an instant, then a later time',
      { at: '2026-05-01T07:00:00.001Z', time: '09:00' },
      BERLIN,
      '2026-03-26T08:00:00Z',
      '2026-05-02T07:00:00Z',
    ],
    [
      'an instant, then a weekday',
      { at: '2026-05-01T00:00:00.000Z', weekdays: [6] },
      null,
      '2026-03-26T08:00:00Z',
      '2026-05-02T00:00:00Z',
    ],
    // Samoa had no Friday 2011-12-30.
    [
      'a day that clocks skip at the change',
      { time: '09:00', weekdays: [5] },
      'Pacific/Apia',
      '2011-12-30T00:00:00Z',
      '2011-12-30T10:00:00Z',
    ],
    // Clocks in Beirut skip the hour after midnight.
    [
      'a midnight that clocks skip',
      { weekdays: [7] },
      'Asia/Beirut',
      '2026-03-28T12:00:00Z',
      '2026-03-28T22:00:00Z',
    ],
  ])('is %s', (_, config, zone, from, expected) => {
    expect(nextWaitUntil(config, zone, new Date(from))).toEqual(new Date(expected))
  })

  const ZONES = [BERLIN, NEW_YORK, 'Pacific/Auckland', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Asia/Beirut']
  const CASES = ZONES.flatMap((zone) => ['00:00', '02:30', '23:59'].map((time) => ({ zone, time })))

  test.each(CASES)('moves on by about a day each time, all year, at $time in $zone', ({ zone, time }) => {
    let at = nextWaitUntil({ time }, zone, new Date('2026-01-01T00:00:00Z'))
    for (let day = 0; day < 366; day++) {
      const next = nextWaitUntil({ time }, zone, at)
      const hours = (next.getTime() - at.getTime()) / 3_600_000
      expect(hours).toBeGreaterThanOrEqual(23)
      expect(hours).toBeLessThanOrEqual(25)
      at = next
    }
  })
})

describe('dateOccurrence', () => {
  const config = (fields: Partial<TriggerConfigs['date']>) => ({
    property: 'd',
    repeat: 'yearly' as const,
    ...fields,
  })
  const DAY = '1990-05-17T00:00:00Z'
  const INSTANT = '2026-05-17T14:30:15.250Z'
  const LEAP = '2000-02-29T00:00:00Z'

  test.each<[string, string, Partial<TriggerConfigs['date']>, string | null, string, string | null]>([
    ['this year', DAY, {}, null, '2026-01-01T00:00:00Z', '2026-05-17T00:00:00Z'],
    ['now', DAY, {}, null, '2026-05-17T00:00:00Z', '2026-05-17T00:00:00Z'],
    ['next year', DAY, {}, null, '2026-05-17T00:00:00.001Z', '2027-05-17T00:00:00Z'],
    ['at a time', DAY, { time: '09:00' }, BERLIN, '2026-01-01T00:00:00Z', '2026-05-17T07:00:00Z'],
    [
      'the same day far in the west',
      DAY,
      { time: '09:00' },
      'Pacific/Honolulu',
      '2026-01-01T00:00:00Z',
      '2026-05-17T19:00:00Z',
    ],
    [
      'the same day far in the east',
      DAY,
      { time: '09:00' },
      'Pacific/Auckland',
      '2026-01-01T00:00:00Z',
      '2026-05-16T21:00:00Z',
    ],
    [
      'in the zone of the trigger',
      DAY,
      { time: '09:00', time_zone: NEW_YORK },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '2026-05-17T13:00:00Z',
    ],
    [
      'three days before',
      DAY,
      { time: '09:00', offset: '-3 days' },
      null,
      '2026-05-14T09:00:01Z',
      '2027-05-14T09:00:00Z',
    ],
    ['a year before', DAY, { offset: '-365 days' }, null, '2026-01-01T00:00:00Z', '2026-05-17T00:00:00Z'],
    ['a year after', DAY, { offset: '365 days' }, null, '2026-01-01T00:00:00Z', '2026-05-17T00:00:00Z'],
    [
      'hours before',
      DAY,
      { time: '09:00', offset: '-36 hours' },
      null,
      '2026-01-01T00:00:00Z',
      '2026-05-15T21:00:00Z',
    ],
    [
      'not before its own year',
      '2028-05-17T00:00:00Z',
      {},
      null,
      '2026-01-01T00:00:00Z',
      '2028-05-17T00:00:00Z',
    ],
    [
      'before its own year by its offset',
      '2028-01-01T00:00:00Z',
      { offset: '-1 day' },
      null,
      '2026-01-01T00:00:00Z',
      '2027-12-31T00:00:00Z',
    ],
    ['29 February on the 28th', LEAP, {}, null, '2026-01-01T00:00:00Z', '2026-02-28T00:00:00Z'],
    ['29 February on the 28th, not twice', LEAP, {}, null, '2026-02-28T00:00:01Z', '2027-02-28T00:00:00Z'],
    ['29 February in a leap year', LEAP, {}, null, '2028-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    [
      '29 February, not on the 28th of a leap year',
      LEAP,
      {},
      null,
      '2028-02-28T00:00:01Z',
      '2028-02-29T00:00:00Z',
    ],
    ['29 February in 2100', LEAP, {}, null, '2100-01-01T00:00:00Z', '2100-02-28T00:00:00Z'],
    [
      'the day after 29 February',
      LEAP,
      { offset: '1 day' },
      null,
      '2026-01-01T00:00:00Z',
      '2026-03-01T00:00:00Z',
    ],
    [
      'a skipped time at the change',
      '1990-03-29T00:00:00Z',
      { time: '02:30' },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '2026-03-29T01:00:00Z',
    ],
    [
      'the first of two times',
      '1990-10-25T00:00:00Z',
      { time: '02:30' },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '2026-10-25T00:30:00Z',
    ],
    ['the time of an instant', INSTANT, {}, BERLIN, '2027-01-01T00:00:00Z', '2027-05-17T14:30:15Z'],
    [
      'the local day of an instant',
      '2026-05-17T23:00:00Z',
      { time: '09:00' },
      BERLIN,
      '2026-06-01T00:00:00Z',
      '2027-05-18T07:00:00Z',
    ],
    ['once', DAY, { repeat: 'once' }, null, '1990-01-01T00:00:00Z', DAY],
    ['once, over', DAY, { repeat: 'once' }, null, '1990-05-17T00:00:00.001Z', null],
    [
      'once, at local midnight',
      '2026-05-17T00:00:00Z',
      { repeat: 'once' },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '2026-05-16T22:00:00Z',
    ],
    ['an instant once', INSTANT, { repeat: 'once' }, BERLIN, '2026-01-01T00:00:00Z', INSTANT],
    ['an instant once, over', INSTANT, { repeat: 'once' }, BERLIN, '2026-05-17T14:30:15.251Z', null],
    [
      'hours before an instant',
      INSTANT,
      { repeat: 'once', offset: '-2 hours' },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '2026-05-17T12:30:15.250Z',
    ],
    [
      'days before an instant, at its local time',
      '2026-04-01T10:00:00.5Z',
      { repeat: 'once', offset: '-1 week' },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '2026-03-25T11:00:00Z',
    ],
    [
      'an instant at a time',
      INSTANT,
      { repeat: 'once', time: '09:00' },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '2026-05-17T07:00:00Z',
    ],
    [
      'before 1970',
      '1931-07-04T00:00:00Z',
      { time: '12:00' },
      NEW_YORK,
      '2026-01-01T00:00:00Z',
      '2026-07-04T16:00:00Z',
    ],
    [
      'the end of the calendar',
      '9999-12-31T00:00:00Z',
      { offset: '1 day' },
      BERLIN,
      '2026-01-01T00:00:00Z',
      '9999-12-31T23:00:00Z',
    ],
  ])('%s', (_, value, fields, zone, from, expected) => {
    const occurrence = dateOccurrence(new Date(value), config(fields), zone, new Date(from))
    expect(occurrence).toEqual(expected === null ? null : new Date(expected))
  })
})
