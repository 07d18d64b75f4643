import { expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from './passes.ts'

function keepBusy(ms: number): void {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

test('passes distinguish linear from quadratic work', () => {
  const text = `${'a'.repeat(12_000)}b`
  const backtracking = /a+$/
  expect(passesOf(() => text.replaceAll('b', 'c'), text)).toBeLessThan(PASSES_MAX)
  expect(passesOf(() => backtracking.test(text), text)).toBeGreaterThan(PASSES_MAX)
})

test('the fastest measurement counts, so that linear work delayed at first succeeds', () => {
  let calls = 0
  const heldUp = () => keepBusy(++calls <= 3 ? 20 : 0)
  expect(passesOf(heldUp, 'a'.repeat(100))).toBeLessThan(PASSES_MAX)
  expect(calls).toBeGreaterThan(3)
})

test('the first measurement below the limit ends the measuring', () => {
  let calls = 0
  const work = () => keepBusy(++calls === 1 ? 5 : 60_000)
  expect(passesOf(work, 'a'.repeat(1_000_000))).toBeLessThan(PASSES_MAX)
  expect(calls).toBe(1)
})
