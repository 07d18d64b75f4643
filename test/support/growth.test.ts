import { expect, test } from 'vitest'
import { growthOf, LINEAR_GROWTH_MAX } from './growth.ts'

test('linear work stays below the limit', () => {
  expect(growthOf((size) => 'ab'.repeat(size).replaceAll('b', 'c'), 50_000)).toBeLessThan(LINEAR_GROWTH_MAX)
})

test('quadratic work exceeds the limit', () => {
  const backtracking = /a+$/
  expect(growthOf((size) => backtracking.test(`${'a'.repeat(size)}b`), 4000)).toBeGreaterThan(
    LINEAR_GROWTH_MAX,
  )
})
