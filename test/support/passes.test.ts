import { expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from './passes.ts'

test('passes tell linear from quadratic work', () => {
  const text = `${'a'.repeat(20_000)}b`
  const backtracking = /a+$/
  expect(passesOf(() => text.replaceAll('b', 'c'), text)).toBeLessThan(PASSES_MAX)
  expect(passesOf(() => backtracking.test(text), text)).toBeGreaterThan(PASSES_MAX)
})
