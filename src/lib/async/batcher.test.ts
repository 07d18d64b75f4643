import { describe, expect, onTestFinished, test, vi } from 'vitest'
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

describe('gathering', () => {
  /** A batcher of ten items a run that waits at most 40 ms from six in progress on. Its runs end at once. */
  function givenGathering(inProgress: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const runs: number[][] = []
    const stopping = new AbortController()
    const state = { inProgress }
    const batcher = createBatcher<number, number>({
      run: async (items) => {
        runs.push(items)
        return items
      },
      itemsMax: 10,
      gather: {
        waitMsMax: 40,
        countMin: 6,
        inProgressCount: () => state.inProgress,
        stopped: stopping.signal,
      },
    })
    const add = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => batcher.add(at)))
    const sizes = () => runs.map(({ length }) => length)
    return { state, stopping, add, sizes }
  }

  test('run at once while little is in progress', async () => {
    const { add, sizes } = givenGathering(5)
    await add(1)
    await add(2)
    expect(sizes()).toEqual([1, 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('run together with what arrives within the time, while much is in progress', async () => {
    const { add, sizes } = givenGathering(6)
    const first = add(1)
    await turn()
    await vi.advanceTimersByTimeAsync(39)
    const second = add(2)
    await turn()
    expect(sizes()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all([first, second])
    expect(sizes()).toEqual([3])
  })

  test('run before the time is over once the run is full', async () => {
    const { add, sizes } = givenGathering(100)
    const first = add(1)
    await turn()
    const rest = add(10)
    await first
    expect(sizes()).toEqual([10])
    await vi.advanceTimersByTimeAsync(40)
    await rest
    expect(sizes()).toEqual([10, 1])
  })

  test('run before the time is over once all that is in progress waits', async () => {
    const { add, sizes } = givenGathering(6)
    const first = add(5)
    await turn()
    expect(sizes()).toEqual([])
    await Promise.all([first, add(1)])
    expect(sizes()).toEqual([6])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('run at once if it is the last one in progress, although the run before was large', async () => {
    const { state, add, sizes } = givenGathering(8)
    await add(8)
    state.inProgress = 1
    await add(1)
    expect(sizes()).toEqual([8, 1])
  })

  test('gathered after a large run, although less is in progress by now', async () => {
    const { state, add, sizes } = givenGathering(8)
    await add(8)
    state.inProgress = 3
    const next = add(2)
    await turn()
    expect(sizes()).toEqual([8])
    await Promise.all([next, add(1)])
    expect(sizes()).toEqual([8, 3])
  })

  test('run at once when stopped, and ever after', async () => {
    const { stopping, add, sizes } = givenGathering(6)
    const waiting = add(1)
    await turn()
    expect(sizes()).toEqual([])
    stopping.abort()
    await waiting
    await add(2)
    expect(sizes()).toEqual([1, 2])
    expect(vi.getTimerCount()).toBe(0)
  })
})
