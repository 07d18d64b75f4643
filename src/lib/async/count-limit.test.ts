import { expect, test } from 'vitest'
import { createCountLimit } from './count-limit.ts'

test('admitted up to the limit in each window, separately for each key', () => {
  const limit = createCountLimit({ countMax: 2, windowMs: 100, keysMax: 2 })
  const admit = (key: string, nowMs: number) => limit.admit(key, nowMs)
  expect([admit('a', 1_000), admit('a', 1_001), admit('a', 1_099)]).toEqual([true, true, false])
  expect(admit('b', 1_099)).toBe(true)
  expect(admit('a', 1_100)).toBe(true)
  expect(admit('b', 500)).toBe(true)
})

test('the oldest key is removed if there are too many', () => {
  const limit = createCountLimit({ countMax: 1, windowMs: 60_000, keysMax: 2 })
  for (const key of ['a', 'b', 'c']) expect(limit.admit(key, 0)).toBe(true)
  expect([limit.admit('c', 0), limit.admit('a', 0)]).toEqual([false, true])
})
