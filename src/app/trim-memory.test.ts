import { expect, test } from 'vitest'
import { createIdleWatch, readYoungBytes, trimMemory } from './trim-memory.ts'

const LARGE = 64 * 1024 ** 2
const SMALL = 16 * 1024 ** 2
const idle = { utilization: 0.01, youngBytes: LARGE }
const busy = { utilization: 0.3, youngBytes: LARGE }

test('trims the young generation that a burst has enlarged', () => {
  const survivors: object[] = []
  for (let number = 0; survivors.length < 400_000; number++) survivors.push({ number, text: `${number}` })
  const before = readYoungBytes()
  survivors.length = 0
  trimMemory()
  expect(readYoungBytes()).toBeLessThan(before)
  expect(typeof (globalThis as { gc?: unknown }).gc).toBe('undefined')
})

test('trims once a process has been idle for three intervals, and again only after three more', () => {
  const isTimeToTrim = createIdleWatch()
  expect([busy, idle, idle, idle, idle, idle, idle].map(isTimeToTrim)).toEqual([
    ...[false, false, false, true, false, false, true],
  ])
})

test('does not trim between bursts, nor a young generation that is small', () => {
  const isTimeToTrim = createIdleWatch()
  const small = { ...idle, youngBytes: SMALL }
  expect([idle, idle, busy, idle, idle, busy, small, small, small, small].some(isTimeToTrim)).toBe(false)
})
