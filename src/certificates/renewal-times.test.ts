import { expect, test } from 'vitest'
import { readRetryAfter } from './load-library.ts'
import { renewalAt, retryAt } from './renewal-times.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const from = new Date('2026-11-23T12:00:00Z')
const after = (ms: number) => new Date(from.getTime() + ms)

test('renewed 30 days before the end, or in the last third of a short time', () => {
  expect(renewalAt(from, after(90 * DAY_MS))).toEqual(after(60 * DAY_MS))
  expect(renewalAt(from, after(398 * DAY_MS))).toEqual(after(368 * DAY_MS))
  expect(renewalAt(from, after(6 * DAY_MS))).toEqual(after(4 * DAY_MS))
})

test('at most five failures in the first hour, then rarer attempts, half a day apart at last', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 1000].map(
    (failures) => retryAt(failures, from, 0).getTime() - from.getTime(),
  )
  expect(waits.map((ms) => ms / MINUTE_MS)).toEqual([5, 15, 60, 180, 360, 720, 720, 720])
  expect(retryAt(1, from, 1)).toEqual(after(6 * MINUTE_MS))
})

test('no attempt before the time that the certificate authority asks for', () => {
  expect(retryAt(1, from, 0, 3 * DAY_MS)).toEqual(after(3 * DAY_MS))
  expect(retryAt(2, from, 0, 1000)).toEqual(after(15 * MINUTE_MS))
  expect(readRetryAfter('120', from.getTime())).toBe(120_000)
  expect(readRetryAfter(after(MINUTE_MS).toUTCString(), from.getTime())).toBe(MINUTE_MS)
  expect(readRetryAfter('99999999', from.getTime())).toBe(7 * DAY_MS)
  for (const value of [undefined, '', 'soon', '0', '-5', from.toUTCString()])
    expect(readRetryAfter(value, from.getTime())).toBeNull()
})
