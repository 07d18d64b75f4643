import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

interface Item {
  teamId: string
  n: number
  isBulk: boolean
}

/** Adds items 0, 1, 2 ... of one team and class. */
function fill(queue: FairQueue<Item>, teamId: string, isBulk: boolean, count: number): void {
  for (let n = 0; n < count; n++) queue.add({ teamId, n, isBulk })
}

const takeMany = (queue: FairQueue<Item>, count: number) => Array.from({ length: count }, () => queue.take())

test("taken from the teams in turn, in each team's order", () => {
  const queue = new FairQueue<Item>()
  for (let n = 0; n < 4; n++) queue.add({ teamId: 'big', n, isBulk: false })
  queue.add({ teamId: 'small', n: 9, isBulk: false })
  const taken = Array.from({ length: 5 }, () => queue.take()?.n)
  expect(taken).toEqual([0, 9, 1, 2, 3])
  expect(queue.take()).toBe(null)
})

test('loses nothing, repeats nothing and keeps the order of each team and class under any sequence of adds and takes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }), { maxLength: 600 }),
      (steps) => {
        const queue = new FairQueue<Item>()
        const last = new Map<string, number>()
        let waiting = 0
        for (const [n, team] of steps.entries()) {
          if (team !== null) {
            queue.add({ teamId: String(team), n, isBulk: n % 3 === 0 })
            waiting++
            continue
          }
          const item = queue.take()
          expect(item === null).toBe(waiting === 0)
          if (item === null) continue
          waiting--
          const line = `${item.teamId} ${item.isBulk}`
          expect(item.n).toBeGreaterThan(last.get(line) ?? -1)
          last.set(line, item.n)
        }
        expect(queue.size).toBe(waiting)
        expect(queue.takeAll()).toHaveLength(waiting)
        expect(queue.size).toBe(0)
      },
    ),
  )
})

test('transactional before bulk in each team, with one bulk item in twenty while both wait', () => {
  const queue = new FairQueue<Item>()
  fill(queue, 'mixed', true, 100)
  fill(queue, 'mixed', false, 60)
  const taken = takeMany(queue, 63)
  const bulk = taken.flatMap((item, place) => (item?.isBulk ? [place] : []))
  expect(bulk).toEqual([19, 39, 59])
  expect(queue.bulkSize).toBe(97)
  expect(takeMany(queue, 97).every((item) => item?.isBulk)).toBe(true)
  expect(queue.take()).toBeNull()
})

test("taken from the teams in turn whatever the class: one team's transactional mail costs no other its turn", () => {
  const queue = new FairQueue<Item>()
  fill(queue, 'bulk', true, 5)
  fill(queue, 'urgent', false, 5)
  const taken = takeMany(queue, 10).map((item) => item?.teamId)
  expect(taken).toEqual(Array.from({ length: 5 }, () => ['bulk', 'urgent']).flat())
})

test('left in the queue while bulk may not be taken, and the team keeps its turn', () => {
  const queue = new FairQueue<Item>()
  fill(queue, 'bulk', true, 2)
  expect(queue.take(false)).toBeNull()
  fill(queue, 'mixed', true, 1)
  fill(queue, 'mixed', false, 1)
  expect(queue.take(false)).toEqual({ teamId: 'mixed', n: 0, isBulk: false })
  expect(queue.take(false)).toBeNull()
  expect(takeMany(queue, 3).map((item) => item?.teamId)).toEqual(['bulk', 'mixed', 'bulk'])
})
