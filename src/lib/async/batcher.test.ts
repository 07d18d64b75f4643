import { expect, test } from 'vitest'
import { createBatcher, OverloadedError } from './batcher.ts'

/** Runs that end on request; an item is its own weight and answer. */
function givenBatcher(waitingWeightMax: number) {
  const runs: { items: number[]; end(): void }[] = []
  const batcher = createBatcher<number, number>({
    run: (items) => {
      const { promise, resolve } = Promise.withResolvers<number[]>()
      runs.push({ items, end: () => resolve(items) })
      return promise
    },
    itemsMax: 2,
    weigh: (item) => item,
    waitingWeightMax,
  })
  return { runs, add: batcher.add }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('overloaded above the weight that may wait, and free again as soon as a run takes it', async () => {
  const { runs, add } = givenBatcher(10)
  const first = [add(6), add(4)]
  await expect(add(1)).rejects.toThrow(OverloadedError)
  await turn()
  expect(runs.map(({ items }) => items)).toEqual([[6, 4]])
  const second = [add(9), add(1)]
  await expect(add(1)).rejects.toThrow(OverloadedError)
  runs[0]?.end()
  expect(await Promise.all(first)).toEqual([6, 4])
  await turn()
  await turn()
  runs[1]?.end()
  expect(await Promise.all(second)).toEqual([9, 1])
})

test('accepted alone if it is heavier than the limit', async () => {
  const { runs, add } = givenBatcher(10)
  const heavy = add(50)
  await expect(add(1)).rejects.toThrow(OverloadedError)
  await turn()
  runs[0]?.end()
  expect(await heavy).toBe(50)
})
