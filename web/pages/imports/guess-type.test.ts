import { expect, test } from 'vitest'
import { readPropertyValue } from '../../../src/audience/properties/property-values.ts'
import { guessType } from './guess-type.ts'

const FITTING: Readonly<Record<string, readonly string[]>> = {
  number: ['0', '12', ' -3.5 ', '0.25', '', '123456789012345'],
  date: [
    '2026-01-15',
    '2024-02-29',
    '2026-01-15T09:30:00Z',
    '2026-01-15 09:30:00',
    '2026-01-15T09:30:00+02:00',
  ],
}

test.each(Object.entries(FITTING))('%s, and the server takes each of the values', (type, values) => {
  expect(guessType(values)).toBe(type)
  for (const value of values.filter((text) => text !== '')) {
    expect(readPropertyValue(type as 'number' | 'date', value, 'x'), value).toHaveProperty('value')
  }
})

test.each([
  ['nothing', ['', ' ']],
  ['words', ['pro']],
  ['postcodes', ['10115', '01067', '80331']],
  ['telephone numbers', ['4930123', '+4930123']],
  ['telephone numbers that begin with zero', ['0301234']],
  ['ids with more digits than a number holds', ['1', '1234567890123456']],
  ['decimal commas', ['1', '2,5']],
  ['groups of digits', ['1,000']],
  ['days that do not exist', ['2026-01-15', '2026-02-30']],
  ['times that do not exist', ['2026-01-15 99:99']],
  ['minutes beyond the hour', ['2026-01-15T24:30']],
  ['the empty date of .NET', ['0001-01-01']],
  ['days of other countries', ['15.01.2026']],
  ['text after a day', ['2026-01-15 (Thursday)']],
  ['numbers and days', ['1', '2026-01-15']],
])('string for %s', (_name, values) => {
  expect(guessType(values)).toBe('string')
})

test('one late value decides', () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => String(index))
  expect(guessType(numbers)).toBe('number')
  expect(guessType([...numbers, 'n/a'])).toBe('string')
})
