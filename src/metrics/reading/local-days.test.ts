import { describe, expect, test } from 'vitest'
import { isTimeZone } from '../../lib/time/time-zone.ts'
import { dayAt, laterDay, startOfLocalDay } from './local-days.ts'

const startOf = (zone: string, day: string) => startOfLocalDay(zone, new Date(`${day}T00:00Z`)).toISOString()

describe('a day starts at midnight of its zone', () => {
  test.each([
    ['UTC', '2026-01-15', '2026-01-15T00:00:00.000Z'],
    ['Europe/Berlin', '2026-01-15', '2026-01-14T23:00:00.000Z'],
    ['America/Los_Angeles', '2026-07-01', '2026-07-01T07:00:00.000Z'],
    ['Pacific/Auckland', '2026-01-15', '2026-01-14T11:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-15', '2026-01-14T10:00:00.000Z'],
  ])('%s, %s', (zone, day, start) => expect(startOf(zone, day)).toBe(start))

  test('at the whole hour before it where the offset has half an hour', () => {
    expect(startOf('Asia/Kolkata', '2026-01-15')).toBe('2026-01-14T18:00:00.000Z')
  })
})

describe('when clocks change', () => {
  const hoursOf = (zone: string, day: string) => {
    const date = new Date(`${day}T00:00Z`)
    const [from, before] = [date, laterDay(date, 1)].map((each) => startOfLocalDay(zone, each).getTime())
    return ((before ?? 0) - (from ?? 0)) / 3_600_000
  }

  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    // Clocks go from 24:00 to 1:00, so the day has no midnight.
    ['America/Santiago', '2026-09-06', 23],
    // Clocks go from 24:00 back to 23:00, so the day before is longer.
    ['America/Santiago', '2026-04-04', 25],
    ['America/Santiago', '2026-04-05', 24],
  ])('%s: %s has %d hours', (zone, day, hours) => expect(hoursOf(zone, day)).toBe(hours))
})

test('a time belongs to the day that clocks in the zone show', () => {
  expect(dayAt('Europe/Berlin', new Date('2026-01-14T23:30Z')).toISOString()).toBe('2026-01-15T00:00:00.000Z')
  expect(dayAt('America/Los_Angeles', new Date('2026-01-15T07:59Z')).toISOString()).toBe(
    '2026-01-14T00:00:00.000Z',
  )
})

test('a day that starts before midnight contains its start', () => {
  const start = startOf('Asia/Kolkata', '2026-01-15')
  expect(dayAt('Asia/Kolkata', new Date(start)).toISOString()).toBe('2026-01-15T00:00:00.000Z')
  expect(dayAt('Asia/Kolkata', new Date('2026-01-14T17:59Z')).toISOString()).toBe('2026-01-14T00:00:00.000Z')
})

test('a name that is no time zone is recognized', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
  expect(isTimeZone('')).toBe(false)
})
