import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createPackingTemplate,
  HOUR_MS,
  hoursAgo,
  NOW,
  type Packing,
  startPacking,
} from '../../../test/support/packing.ts'
import { newId } from '../../lib/ids.ts'
import { type BodyStore, objectName } from '../store/body-store.ts'
import { collectPacks } from './collect.ts'

const UNUSED = 30
let template: Awaited<ReturnType<typeof createPackingTemplate>>
let packing: Packing
let names: string[]
/** The names of objects that were to be removed. */
let asked: string[]

beforeAll(async () => {
  template = await createPackingTemplate()
})
afterAll(() => template.drop())

beforeEach(async () => {
  packing = await startPacking(template.name)
  asked = []
  names = await givenUnused(UNUSED)
})
afterEach(() => packing.stop())

/** Adds unused packs. Returns the names of their objects in the order of their ids. */
async function givenUnused(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(NOW.getTime())).sort()
  await packing.db.query(
    `insert into body_pack (team_id, id, first_email_id, last_email_id, bytes, state, changed_at)
     select $1, id, id, id, 1, 'unused', $3 from unnest($2::uuid[]) as k (id)`,
    [packing.team, ids, hoursAgo(8 * 24)],
  )
  return ids.map((id) => objectName(packing.team, id))
}

/** A store whose objects are removed by `remove`. */
const storeWith = (remove: BodyStore['remove']): BodyStore => ({
  ...packing.store,
  recognize: async () => {},
  remove(name, signal) {
    asked.push(name)
    return remove(name, signal)
  },
})

const collect = (store: BodyStore, clock = { now: () => NOW }) =>
  collectPacks({ ...packing, store, clock, isStopping: () => false }, null)

const timeout = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')

test('a store that does not answer is asked once a round', async () => {
  const silent = storeWith(() => Promise.reject(timeout()))
  expect(await collect(silent)).toMatchObject({ count: 0, isLate: false })
  expect([asked.length, packing.failures.length]).toEqual([1, 1])
  expect(await packing.statesOf()).toHaveLength(UNUSED)
  await collect(storeWith(async () => {}))
  expect(await packing.statesOf()).toEqual([])
})

test('a store that falls silent is asked no more', async () => {
  const silent = storeWith(() => (asked.length > 10 ? Promise.reject(timeout()) : Promise.resolve()))
  expect(await collect(silent)).toMatchObject({ count: 10, isLate: false })
  expect(asked).toHaveLength(11)
})

test('an object that cannot be removed does not stop the others, in its batch and after it', async () => {
  await givenUnused(500)
  const locked = new Set([names[0], names[7]])
  const store = storeWith((name) => (locked.has(name) ? Promise.reject(new Error('403')) : Promise.resolve()))
  expect(await collect(store)).toMatchObject({ count: UNUSED + 498, isLate: false })
  expect([packing.failures, await packing.statesOf()]).toEqual([['403'], ['unused', 'unused']])
})

test('a store that removes none of 20 objects in a row is asked no more', async () => {
  await collect(storeWith(() => Promise.reject(new Error('503'))))
  expect(asked).toHaveLength(20)
})

test.each([
  ['20 objects that cannot be removed', 20, () => new Error('403')],
  ['an object that is never answered for', 1, timeout],
])('the next time begins after %s, and then tries them again', async (_, count, failure) => {
  let now = NOW
  let locked = names.slice(0, count)
  const store = storeWith((name) => (locked.includes(name) ? Promise.reject(failure()) : Promise.resolve()))
  const round = packing.makeRound({ store, clock: { now: () => now } })
  await round.run()
  expect(asked.splice(0)).toEqual(locked)
  now = hoursAgo(-6)
  await round.run()
  expect(asked.splice(0)).toEqual([...names.slice(count), ...locked])
  expect(await packing.statesOf()).toHaveLength(count)
  locked = []
  now = hoursAgo(-12)
  await round.run()
  expect(await packing.statesOf()).toEqual([])
})

test('what a slow store does not remove in 5 min waits for the next round', async () => {
  let nowMs = NOW.getTime()
  const slow = storeWith(async () => {
    nowMs += 59_000
  })
  const clock = { now: () => new Date(nowMs) }
  expect(await collect(slow, clock)).toMatchObject({ count: 6, isLate: true })
  const round = packing.makeRound({ store: slow, clock })
  for (const left of [18, 12, 6, 0]) {
    await round.run()
    expect(await packing.statesOf()).toHaveLength(left)
  }
})

test('an object that cannot be removed because its file system is not mounted is not forgotten', async () => {
  await packing.store.recognize(true, AbortSignal.timeout(HOUR_MS))
  packing.unmount()
  expect(await collect(packing.store)).toMatchObject({ count: 0 })
  expect(packing.failures).toEqual([expect.stringContaining('may not be mounted')])
  expect(await packing.statesOf()).toHaveLength(UNUSED)
  packing.mount()
  expect(await collect(packing.store)).toMatchObject({ count: UNUSED })
})
