import { expect, test } from 'vitest'
import { divideShaping } from './divide-shaping.ts'
import type { Shaping } from './shaping.ts'

const SHAPING: Shaping = {
  connectionsMax: 20,
  connectionsStart: 2,
  messagesPerConnection: 100,
  rate: null,
  replies: [],
  rules: [],
}

test('one worker keeps the limits of a site', () => {
  expect(divideShaping(SHAPING, 1)).toBe(SHAPING)
})

test('several workers together keep the limits of a site, with at least one connection each', () => {
  expect(divideShaping(SHAPING, 3)).toEqual({ ...SHAPING, connectionsMax: 6, connectionsStart: 1 })
  expect(divideShaping(SHAPING, 64)).toMatchObject({ connectionsMax: 1, connectionsStart: 1 })
})

test('several workers together keep the rate of a site, over a longer interval if it is low', () => {
  const rateOf = (count: number, workers: number) =>
    divideShaping({ ...SHAPING, rate: { count, perMs: 60_000 } }, workers).rate
  expect(rateOf(100, 3)).toEqual({ count: 33, perMs: 60_000 })
  expect(rateOf(3, 3)).toEqual({ count: 1, perMs: 60_000 })
  expect(rateOf(2, 3)).toEqual({ count: 1, perMs: 90_000 })
})
