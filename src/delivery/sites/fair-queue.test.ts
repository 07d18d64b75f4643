import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

interface Item {
  teamId: string
  n: number
  isBulk: boolean
  /** Null if the item is large. */
  message: object | null
}

const SMALL = {}

/** Adds items 0, 1, 2 ... of one team and class. */
function fill(queue: FairQueue<Item>, teamId: string, isBulk: boolean, count: number): void {
  for (let n = 0; n < count; n++) queue.add({ teamId, n, isBulk, message: SMALL })
}

const takeMany = (queue: FairQueue<Item>, count: number) => Array.from({ length: count }, () => queue.take())

test("taken from the teams in turn, in each team's order", () => {
  const queue = new FairQueue<Item>()
  for (let n = 0; n < 4; n++) queue.add({ teamId: 'big', n, isBulk: false, message: SMALL })
  queue.add({ teamId: 'small', n: 9, isBulk: false, message: SMALL })
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
            queue.add({ teamId: String(team), n, isBulk: n % 3 === 0, message: n % 5 === 0 ? null : SMALL })
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
  expect(queue.take(false)).toMatchObject({ teamId: 'mixed', n: 0, isBulk: false })
  expect(queue.take(false)).toBeNull()
  expect(takeMany(queue, 3).map((item) => item?.teamId)).toEqual(['bulk', 'mixed', 'bulk'])
})

/** Adds items 0, 1, 2 ... of one team and class: a large one for each `L`, a small one for each other letter. */
function fillSizes(queue: FairQueue<Item>, teamId: string, isBulk: boolean, sizes: string): void {
  for (const [n, size] of [...sizes].entries()) {
    queue.add({ teamId, n, isBulk, message: size === 'L' ? null : SMALL })
  }
}

const takeSmall = (queue: FairQueue<Item>) => queue.take(true, false)

test('small items pass large ones that may not be taken, in order of arrival once both may be', () => {
  const queue = new FairQueue<Item>()
  fillSizes(queue, 'team', false, 'LsLsLs')
  expect([takeSmall(queue)?.n, takeSmall(queue)?.n]).toEqual([1, 3])
  expect([queue.size, queue.largeSize, queue.largeBulkSize]).toEqual([4, 3, 0])
  expect(queue.take()?.n).toBe(0)
  const counts = [queue.largeCountOf('team', false), queue.largeCountOf('team', true)]
  expect([...counts, queue.largeCountOf('other', false)]).toEqual([2, 0, 0])
  expect(takeMany(queue, 4).map((item) => item?.n)).toEqual([2, 4, 5, undefined])
  expect([queue.size, queue.largeSize]).toEqual([0, 0])
})

test('a team that has only large items keeps its turn while they may not be taken', () => {
  const queue = new FairQueue<Item>()
  fillSizes(queue, 'large', false, 'LL')
  fillSizes(queue, 'small', false, 'sss')
  expect([takeSmall(queue), takeSmall(queue)].map((item) => item?.teamId)).toEqual(['small', 'small'])
  expect(takeMany(queue, 3).map((item) => item?.teamId)).toEqual(['large', 'small', 'large'])
  expect(queue.take()).toBeNull()
})

test('a small bulk item goes before a large transactional one that may not be taken', () => {
  const queue = new FairQueue<Item>()
  fillSizes(queue, 'team', false, 'L')
  fillSizes(queue, 'team', true, 'Ls')
  expect(queue.take(false, false)).toBeNull()
  expect(takeSmall(queue)).toMatchObject({ n: 1, isBulk: true })
  expect(takeSmall(queue)).toBeNull()
  expect([queue.size, queue.bulkSize, queue.largeSize, queue.largeBulkSize]).toEqual([2, 1, 2, 1])
  expect(takeMany(queue, 2).map((item) => item?.isBulk)).toEqual([false, true])
})

test('one item in twenty is bulk, whatever their sizes', () => {
  const queue = new FairQueue<Item>()
  fillSizes(queue, 'team', true, 'Ls'.repeat(10))
  fillSizes(queue, 'team', false, 'sL'.repeat(50))
  const taken = takeMany(queue, 60)
  expect(taken.flatMap((item, place) => (item?.isBulk ? [place] : []))).toEqual([19, 39, 59])
  const transactional = taken.filter((item) => item?.isBulk === false)
  expect(transactional.map((item) => item?.n)).toEqual(transactional.map((_, n) => n))
})

test('all taken at once in order of arrival, transactional items first, and the queue is empty', () => {
  const queue = new FairQueue<Item>()
  fillSizes(queue, 'team', true, 'sL')
  fillSizes(queue, 'team', false, 'LsL')
  expect(queue.takeAll().map(({ n, isBulk }) => `${isBulk ? 'bulk' : 'transactional'} ${n}`)).toEqual([
    'transactional 0',
    'transactional 1',
    'transactional 2',
    'bulk 0',
    'bulk 1',
  ])
  expect([queue.size, queue.bulkSize, queue.largeSize, queue.largeBulkSize]).toEqual([0, 0, 0, 0])
  expect(queue.take()).toBeNull()
})
