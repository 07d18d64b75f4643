import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

test("taken from the teams in turn, in each team's order", () => {
  const queue = new FairQueue<{ teamId: string; n: number }>()
  for (let n = 0; n < 4; n++) queue.add({ teamId: 'big', n })
  queue.add({ teamId: 'small', n: 9 })
  const taken = Array.from({ length: 5 }, () => queue.take()?.n)
  expect(taken).toEqual([0, 9, 1, 2, 3])
  expect(queue.take()).toBe(null)
})

test("loses nothing, repeats nothing and keeps each team's order under any sequence of adds and takes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }), { maxLength: 600 }),
      (steps) => {
        const queue = new FairQueue<{ teamId: string; n: number }>()
        const last = new Map<string, number>()
        let waiting = 0
        for (const [n, team] of steps.entries()) {
          if (team !== null) {
            queue.add({ teamId: String(team), n })
            waiting++
            continue
          }
          const item = queue.take()
          expect(item === null).toBe(waiting === 0)
          if (item === null) continue
          waiting--
          expect(item.n).toBeGreaterThan(last.get(item.teamId) ?? -1)
          last.set(item.teamId, item.n)
        }
        expect(queue.size).toBe(waiting)
        expect(queue.takeAll()).toHaveLength(waiting)
        expect(queue.size).toBe(0)
      },
    ),
  )
})
