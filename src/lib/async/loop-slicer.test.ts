import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoopSlicer } from './loop-slicer.ts'

const NOBODY = () => null

/** Blocks the event loop as a piece of work would. */
function work(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

test('starts at once while there is time in the round, and then in order of arrival, some in each round', async () => {
  const slicer = createLoopSlicer({ pace: () => ({ sliceMs: 4, heldMax: 100 }), yieldTurn: NOBODY })
  const begun: number[] = []
  const rounds: number[] = []
  let round = 0
  const count = () => {
    round++
    if (begun.length < 20) setImmediate(count)
  }
  setImmediate(count)
  const lanes = Array.from({ length: 20 }, async (_, lane) => {
    const turn = slicer.enter()
    if (turn !== null) await turn.granted
    begun.push(lane)
    rounds.push(round)
    work(2)
  })
  expect([1, 2, 3]).toContain(begun.length)
  await Promise.all(lanes)
  expect(begun).toEqual(Array.from({ length: 20 }, (_, lane) => lane))
  // Two or three of two milliseconds each fill a round.
  for (const one of new Set(rounds))
    expect(rounds.filter((other) => other === one).length).toBeLessThanOrEqual(4)
})

test('a skipped turn leaves the order of the others unchanged', async () => {
  const slicer = createLoopSlicer({ pace: () => ({ sliceMs: 1, heldMax: 1 }), yieldTurn: NOBODY })
  const release = slicer.hold()
  const begun: string[] = []
  const [first, second, third] = ['first', 'second', 'third'].map((name) => {
    const turn = slicer.enter()
    void turn?.granted.then(() => begun.push(name))
    return turn
  })
  third?.skip()
  await third?.granted
  expect(begun).toEqual(['third'])
  release()
  await Promise.all([first?.granted, second?.granted])
  expect(begun).toEqual(['third', 'first', 'second'])
})

test('work that cannot wait comes after one work that can, which keeps its place otherwise', async () => {
  const slicer = createLoopSlicer({ pace: () => ({ sliceMs: 1, heldMax: 1 }), yieldTurn: NOBODY })
  const release = slicer.hold()
  const begun: string[] = []
  const enter = (name: string, canWait: boolean) => {
    const turn = slicer.enter(canWait)
    void turn?.granted.then(() => begun.push(name))
    return turn
  }
  const turns = ['a', 'b', 'c', 'd', 'e'].map((name) => enter(name, true))
  turns.push(enter('urgent', false), enter('f', true))
  turns[4]?.markUrgent()
  release()
  await Promise.all(turns.map((turn) => turn?.granted))
  expect(begun).toEqual(['a', 'urgent', 'b', 'e', 'c', 'd', 'f'])
})

test('grants no turn while too much follow-up work is in progress', async () => {
  const slicer = createLoopSlicer({ pace: () => ({ sliceMs: 5, heldMax: 2 }), yieldTurn: NOBODY })
  const releases = [slicer.hold(), slicer.hold()]
  const turn = slicer.enter()
  let isBegun = false
  void turn?.granted.then(() => {
    isBegun = true
  })
  for (let round = 0; round < 5; round++) await nextRound()
  expect(isBegun).toBe(false)
  // Releasing twice counts once.
  releases[0]?.()
  releases[0]?.()
  await turn?.granted
  slicer.hold()
  expect(slicer.enter()).not.toBeNull()
})

test('keeps to the pace of the moment', async () => {
  let heldMax = 1
  const slicer = createLoopSlicer({ pace: () => ({ sliceMs: 5, heldMax }), yieldTurn: NOBODY })
  const release = slicer.hold()
  expect(slicer.enter()).not.toBeNull()
  heldMax = 3
  release()
  await slicer.enter()?.granted
  slicer.hold()
  slicer.hold()
  await nextRound()
  expect(slicer.enter()).toBeNull()
  heldMax = 2
  expect(slicer.enter()).not.toBeNull()
})

test('grants no turn while it yields to priority mail', async () => {
  const standing = Promise.withResolvers<void>()
  let over: Promise<void> | null = standing.promise
  const slicer = createLoopSlicer({ pace: () => ({ sliceMs: 5, heldMax: 9 }), yieldTurn: () => over })
  let isBegun = false
  const turn = slicer.enter()
  void turn?.granted.then(() => {
    isBegun = true
  })
  for (let round = 0; round < 5; round++) await nextRound()
  expect(isBegun).toBe(false)
  over = null
  standing.resolve()
  await turn?.granted
})
