import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { createLog } from '../../lib/log.ts'
import { deleteWarmupBefore, listWarmup, returnWarmup, takeWarmup } from './sources-queries.ts'
import { blockSize, WarmupRoom } from './warmup-room.ts'

let database: TestDatabase
let nowMs = Date.UTC(2026, 10, 21, 12)
let counter = 0

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const keyOf = (source: string) => ({ source, group: 'google', day: '2026-11-21' })

/** The warm-up room of one process; `writes` counts its statements. */
function openRoom(): { room: WarmupRoom; writes(): number } {
  let writes = 0
  const room = new WarmupRoom({
    clock: { now: () => new Date(nowMs) },
    log: createLog('silent'),
    take: (...given) => {
      writes++
      return takeWarmup(database.db, ...given)
    },
    giveBack: (...given) => {
      writes++
      return returnWarmup(database.db, ...given)
    },
  })
  return { room, writes: () => writes }
}

async function takenOf(source: string): Promise<number> {
  const rows = await listWarmup(database.db, '2026-11-21')
  return rows.find((row) => row.source === source)?.taken ?? 0
}

const drawMany = async (room: WarmupRoom, source: string, count: number, limit: number) => {
  const draws = await Promise.all(Array.from({ length: count }, () => room.draw(keyOf(source), limit)))
  return draws.filter(Boolean).length
}

test('drawn exactly up to the limit by three processes at once', async () => {
  const rooms = [openRoom(), openRoom(), openRoom()]
  const drawn = await Promise.all(rooms.map(({ room }) => drawMany(room, 'three', 100, 100)))
  expect(drawn.reduce((sum, count) => sum + count)).toBe(100)
  await Promise.all(rooms.map(({ room }) => room.close()))
  expect(await takenOf('three')).toBe(100)
})

test('returned except for one that the database rejects: it is lost, and nothing fails', async () => {
  const room = new WarmupRoom({
    clock: { now: () => new Date(nowMs) },
    log: createLog('silent'),
    take: (...given) => takeWarmup(database.db, ...given),
    giveBack: (key, count) =>
      // An invalid date, which PostgreSQL rejects.
      returnWarmup(database.db, key.source === 'lost' ? { ...key, day: 'never' } : key, count),
  })
  for (const source of ['lost', 'kept']) await drawMany(room, source, 1, 100)
  await room.giveBack()
  expect(await takenOf('kept')).toBe(1)
  expect(await takenOf('lost')).toBe(5)
  await room.close()
})

test('drawn one by one with one write for many messages', async () => {
  const { room, writes } = openRoom()
  for (let index = 0; index < 2000; index++) expect(await room.draw(keyOf('single'), 10_000)).toBe(true)
  expect(writes()).toBe(4)
  await room.close()
  expect(await takenOf('single')).toBe(2000)
})

test('returned for others: the unused rest when a process ends or goes idle', async () => {
  const first = openRoom()
  expect(await first.room.draw(keyOf('shared'), 6)).toBe(true)
  const second = openRoom()
  expect(await drawMany(second.room, 'shared', 6, 6)).toBe(1)
  await first.room.close()
  // It remembers for a moment that nothing was left.
  expect(await second.room.draw(keyOf('shared'), 6)).toBe(false)
  nowMs += 5001
  expect(await drawMany(second.room, 'shared', 6, 6)).toBe(4)
  await second.room.close()
})

test('free again: a message that was drawn and not sent', async () => {
  const { room } = openRoom()
  expect(await drawMany(room, 'undrawn', 3, 2)).toBe(2)
  room.undraw(keyOf('undrawn'))
  expect(await drawMany(room, 'undrawn', 2, 2)).toBe(1)
  await room.close()
})

test('none when the limit is zero, and none when it was lowered below the messages sent', async () => {
  const { room } = openRoom()
  expect(await room.draw(keyOf('lowered'), 0)).toBe(false)
  expect(await drawMany(room, 'lowered', 10, 10)).toBe(10)
  await room.giveBack()
  expect(await room.draw(keyOf('lowered'), 5)).toBe(false)
  nowMs += 5001
  expect(await drawMany(room, 'lowered', 10, 12)).toBe(2)
  await room.close()
})

test('deleted after their day', async () => {
  const { room } = openRoom()
  await room.draw({ ...keyOf('old'), day: '2026-10-01' }, 5)
  await room.close()
  await deleteWarmupBefore(database.db, '2026-10-02')
  expect(await listWarmup(database.db, '2026-10-01')).toEqual([])
})

test('never smaller than the waiting messages, and only slightly ahead of them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 1, max: 3000 }),
      (limit, waiting) => {
        const size = blockSize(limit, waiting)
        expect(size).toBeGreaterThanOrEqual(waiting)
        expect(size).toBeLessThanOrEqual(Math.max(waiting, 5, Math.min(500, limit / 20)))
      },
    ),
  )
})

test('never above the limit for any sequence of draws, returns, exits and crashes', async () => {
  const step = fc.record({
    process: fc.integer({ min: 0, max: 2 }),
    what: fc.constantFrom('draw', 'draw', 'draw', 'undraw', 'give back', 'crash', 'wait'),
    count: fc.integer({ min: 1, max: 20 }),
  })
  const run = async (limit: number, steps: (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const source = `property${++counter}`
    const rooms = [openRoom(), openRoom(), openRoom()]
    let sent = 0
    for (const { process, what, count } of steps) {
      const { room } = rooms[process] as (typeof rooms)[number]
      if (what === 'draw') sent += await drawMany(room, source, count, limit)
      else if (what === 'undraw' && sent > 0) {
        sent--
        room.undraw(keyOf(source))
      } else if (what === 'give back') await room.giveBack()
      else if (what === 'crash') rooms[process] = openRoom()
      else nowMs += 5001
      expect(sent).toBeLessThanOrEqual(limit)
      expect(await takenOf(source)).toBeLessThanOrEqual(limit)
    }
    await Promise.all(rooms.map(({ room }) => room.close()))
    expect(await takenOf(source)).toBeGreaterThanOrEqual(sent)
  }
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.array(step, { maxLength: 25 }), run), {
    numRuns: 25,
  })
})
