import { expect, test } from 'vitest'
import { seedRandom } from '../../../test/support/random.ts'
import { addDelays, bucketOf, readQuantiles } from './delays.ts'

const DAY_MS = 24 * 3_600_000

function countIn(values: readonly number[]): number[] {
  const counts: number[] = []
  for (const value of values) addDelays(counts, [...Array(bucketOf(value)).fill(0), 1])
  return counts
}

test('within 5 % of the true quantile, from milliseconds to days', () => {
  const random = seedRandom(11)
  const values = Array.from({ length: 3000 }, () => Math.exp(random() * Math.log(5 * DAY_MS)) + 10)
  const sorted = values.toSorted((a, b) => a - b)
  const shares = [0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 1]
  for (const [index, read] of readQuantiles(countIn(values), shares).entries()) {
    const truth = sorted[Math.ceil((shares[index] as number) * sorted.length) - 1] as number
    expect(Math.abs((read as number) - truth)).toBeLessThanOrEqual(0.05 * truth + 0.5)
  }
})

test('null without values; one bucket for negative times, one for infinite ones', () => {
  expect(readQuantiles([], [0.5, 0.99])).toEqual([null, null])
  expect([bucketOf(-5), bucketOf(0), bucketOf(1)]).toEqual([0, 0, 0])
  expect(bucketOf(1000 * DAY_MS)).toBe(bucketOf(10 * DAY_MS))
  expect(bucketOf(10 * DAY_MS)).toBeLessThan(250)
})
