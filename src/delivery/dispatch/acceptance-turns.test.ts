import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { due, startDelivery, turn } from '../../../test/support/delivery.ts'
import { AcceptanceTurns } from './acceptance-turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const BUSY = 0.9

/** Turns of a process that works at `utilization` and from which `count` deliveries left in the last second. */
function givenTurns(count: number, utilization = BUSY) {
  const turns = new AcceptanceTurns(() => utilization)
  const going: string[] = []
  const leave = async (times: number, { wasHandedOff = true, held = 100 } = {}) => {
    for (let left = 0; left < times; left++) turns.left(wasHandedOff, held)
    await turn()
  }
  /** Lets time pass in which too few deliveries leave to count. */
  const elapse = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    await turn()
  }
  vi.advanceTimersByTime(1000)
  for (let left = 0; left < count; left++) turns.left(true, 100)
  vi.advanceTimersByTime(999)
  turns.left(true, 100)
  vi.advanceTimersByTime(1)
  return {
    /** What went on after its wait, in order. */
    going,
    ask(name: string, { teamId = 'team', recipients = 1, bytes = 10, held = 100 } = {}): boolean {
      const wait = turns.wait(teamId, recipients, bytes, held)
      void wait?.then(() => going.push(name))
      return wait !== null
    },
    leave,
    elapse,
  }
}

test('a request goes on when as many deliveries have left as it adds', async () => {
  const { ask, going, leave } = givenTurns(100)
  expect([ask('first'), ask('second', { recipients: 2 }), ask('third')]).toEqual([true, true, true])
  await leave(2)
  expect(going).toEqual(['first'])
  await leave(1)
  expect(going).toEqual(['first', 'second'])
  await leave(1)
  expect(going).toEqual(['first', 'second', 'third'])
})

test('a claimed delivery that leaves counts half, so that a backlog becomes smaller', async () => {
  const { ask, going, leave } = givenTurns(100)
  for (const name of ['first', 'second']) ask(name)
  await leave(3, { wasHandedOff: false })
  expect(going).toEqual(['first'])
})

test('a large request counts for 50, so that it does not hold others up', async () => {
  const { ask, going, leave } = givenTurns(100)
  ask('large', { recipients: 1000 })
  ask('small', { teamId: 'other' })
  await leave(50)
  expect(going).toEqual(['large'])
  await leave(1)
  expect(going).toEqual(['large', 'small'])
})

test('teams take turns', async () => {
  const { ask, going, leave } = givenTurns(100)
  for (const name of ['a1', 'a2', 'a3']) ask(name, { teamId: 'a' })
  ask('b1', { teamId: 'b' })
  await leave(4)
  expect(going).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('a request waits for a second at most, and does not use the turn of its team then', async () => {
  const { ask, going, leave, elapse } = givenTurns(100)
  ask('a1', { teamId: 'a', recipients: 50 })
  for (let ms = 0; ms < 900; ms += 100) {
    await elapse(100)
    await leave(1)
  }
  ask('b1', { teamId: 'b' })
  ask('a2', { teamId: 'a' })
  expect(going).toEqual([])
  await elapse(100)
  expect(going).toEqual(['a1'])
  await leave(1)
  expect(going).toEqual(['a1', 'a2', 'b1'])
})

test('all requests go on if no delivery has left for 300 ms, and further ones do not wait', async () => {
  const { ask, going, leave, elapse } = givenTurns(100)
  ask('first', { recipients: 3 })
  await elapse(299)
  await leave(1)
  await elapse(299)
  expect(going).toEqual([])
  await elapse(1)
  expect(going).toEqual(['first'])
  expect(ask('second')).toBe(false)
  await leave(1)
  expect(ask('third')).toBe(true)
})

test('all requests go on if no delivery has left for 300 ms, also after others have gone', async () => {
  const { ask, going, leave, elapse } = givenTurns(100)
  ask('first')
  await leave(1)
  ask('second')
  await elapse(300)
  expect(going).toEqual(['first', 'second'])
})

test('credit for a request that waited for too long is not for others', async () => {
  const { ask, going, leave, elapse } = givenTurns(100)
  ask('large', { recipients: 50 })
  for (let ms = 0; ms < 1000; ms += 100) {
    await leave(1)
    await elapse(100)
  }
  expect(going).toEqual(['large'])
  for (const name of ['first', 'second']) ask(name)
  await leave(1)
  expect(going).toEqual(['large', 'first'])
})

test('all requests go on when fewer than 100 deliveries are in progress', async () => {
  const { ask, going, leave } = givenTurns(100)
  for (const name of ['first', 'second']) ask(name, { recipients: 50 })
  await leave(1, { held: 99 })
  expect(going).toEqual(['first', 'second'])
})

test.each([
  ['in a process that mostly waits', 100, 0.4, {}],
  ['with few deliveries in progress', 100, BUSY, { held: 99 }],
  ['for more deliveries than left in the last second', 5, BUSY, { recipients: 7 }],
  ['with messages of more than 16 MiB', 100, BUSY, { bytes: 16 * 1024 * 1024 + 1 }],
])('a request does not wait %s', (_, count, utilization, request) => {
  expect(givenTurns(count, utilization).ask('first', request)).toBe(false)
})

test('as many wait at once as left in the last second, and as many again when those have gone', async () => {
  const { ask, leave } = givenTurns(9)
  const askAll = () => Array.from({ length: 12 }, (_, n) => ask(`${n}`)).filter((waits) => waits).length
  expect(askAll()).toBe(10)
  await leave(10)
  expect(askAll()).toBe(10)
})

test('the messages of waiting requests take 16 MiB at most', async () => {
  const { ask, leave, elapse } = givenTurns(100)
  const [small, large] = [{ bytes: 10 * 1024 * 1024 }, { bytes: 20 * 1024 * 1024 }]
  expect([ask('first', small), ask('second', small)]).toEqual([true, false])
  await leave(1)
  expect(ask('third', small)).toBe(true)
  // The timers of those that went take nothing back.
  for (let ms = 0; ms < 1000; ms += 100) {
    await leave(1)
    await elapse(100)
  }
  expect(ask('fourth', large)).toBe(false)
})

test('a second in which little leaves takes a tenth of the places', async () => {
  const { ask, leave, elapse } = givenTurns(99)
  await leave(1)
  await elapse(999)
  await leave(1)
  await elapse(1)
  expect(Array.from({ length: 100 }, (_, n) => ask(`${n}`)).filter((waits) => waits)).toHaveLength(90)
})

test('deliveries that left while no request waited give no credit', async () => {
  const { ask, going, leave } = givenTurns(100)
  await leave(50)
  ask('first')
  await turn()
  expect(going).toEqual([])
})

test('a process is busy while its event loop works', async () => {
  vi.useRealTimers()
  const turns = new AcceptanceTurns()
  const workFor = (ms: number) => {
    const untilMs = performance.now() + ms
    while (performance.now() < untilMs) turns.left(true, 100)
  }
  workFor(1100)
  const waiting = turns.wait('team', 1, 10, 100)
  expect(waiting).not.toBeNull()
  turns.left(true, 100)
  await waiting
  await pause(1100)
  turns.left(true, 100)
  expect(turns.wait('team', 1, 10, 100)).toBeNull()
})

test('teams with many deliveries wait, but not one with few while there is room', async () => {
  const world = startDelivery({ turns: new AcceptanceTurns(() => BUSY) })
  const handOver = (count: number, teamId = 'large') => {
    const mail = Array.from({ length: count }, (_, n) => ({ ...due(`a${n}@to.test`), teamId }))
    for (const { domain } of mail) expect(world.deliverer.reserve(teamId, domain, 10)).toBe(true)
    world.deliverer.start(mail)
  }
  vi.advanceTimersByTime(1000)
  handOver(100)
  await vi.waitUntil(() => world.deliverer.heldCount === 0)
  vi.advanceTimersByTime(999)
  handOver(1)
  await vi.waitUntil(() => world.deliverer.heldCount === 0)
  vi.advanceTimersByTime(1)
  const { promise: isSettled, resolve: settle } = Promise.withResolvers<void>()
  world.settle = () => isSettled
  handOver(100)
  expect(world.deliverer.waitForTurn('small', 1, 10)).toBeNull()
  const waiting = world.deliverer.waitForTurn('large', 100, 10)
  expect(waiting).not.toBeNull()
  const claimed = Array.from({ length: 1900 }, (_, n) => ({ ...due(`c${n}@to.test`), teamId: 'claimed' }))
  await world.deliverer.add(claimed)
  expect(world.deliverer.room()).toBe(0)
  expect(world.deliverer.waitForTurn('small', 1, 10)).not.toBeNull()
  settle()
  await waiting
})
