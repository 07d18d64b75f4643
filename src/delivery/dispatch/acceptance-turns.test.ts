import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { due, startDelivery, turn } from '../../../test/support/delivery.ts'
import { AcceptanceTurns } from './acceptance-turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Turns of a process that works at `utilization` and from which `count` deliveries left in the last second. */
function givenTurns(count: number, utilization = 0.9) {
  const turns = new AcceptanceTurns(() => utilization)
  const going: string[] = []
  vi.advanceTimersByTime(1000)
  for (let left = 0; left < count; left++) turns.left(true)
  vi.advanceTimersByTime(1000)
  return {
    turns,
    /** What went on after its wait, in order. */
    going,
    ask(name: string, { teamId = 'team', recipients = 1, bytes = 10 } = {}): boolean {
      const wait = turns.wait(teamId, recipients, bytes)
      void wait?.then(() => going.push(name))
      return wait !== null
    },
    async leave(times: number, wasHandedOff = true) {
      for (let left = 0; left < times; left++) turns.left(wasHandedOff)
      await turn()
    },
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
  await leave(3, false)
  expect(going).toEqual(['first'])
})

test('teams take turns', async () => {
  const { ask, going, leave } = givenTurns(100)
  for (const name of ['a1', 'a2', 'a3']) ask(name, { teamId: 'a' })
  ask('b1', { teamId: 'b' })
  await leave(4)
  expect(going).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('nobody waits longer than a second', async () => {
  const { ask, going } = givenTurns(100)
  ask('first')
  vi.advanceTimersByTime(999)
  await turn()
  expect(going).toEqual([])
  vi.advanceTimersByTime(1)
  await turn()
  expect(going).toEqual(['first'])
})

test.each([
  ['in a process that mostly waits', 100, 0.4, {}],
  ['for more deliveries than left in the last second', 5, 0.9, { recipients: 6 }],
  ['if deliveries have ceased to leave', 0, 0.9, {}],
  ['with messages of more than 16 MiB', 100, 0.9, { bytes: 16 * 1024 * 1024 + 1 }],
])('nobody waits %s', (_, count, utilization, request) => {
  expect(givenTurns(count, utilization).ask('first', request)).toBe(false)
})

test('what left before a request waited does not count for it', async () => {
  const { ask, going, leave } = givenTurns(100)
  await leave(50)
  ask('first')
  await turn()
  expect(going).toEqual([])
})

test('a busy process lets teams with many deliveries wait, but not one with few', async () => {
  const world = startDelivery({ turns: new AcceptanceTurns(() => 0.9) })
  const add = (count: number) =>
    world.deliverer.add(
      Array.from({ length: count }, (_, n) => ({ ...due(`a${n}@to.test`), teamId: 'large' })),
    )
  await add(100)
  await vi.waitUntil(() => world.deliverer.heldCount === 0)
  vi.advanceTimersByTime(1000)
  const { promise: isSettled, resolve: settle } = Promise.withResolvers<void>()
  world.settle = () => isSettled
  await add(99)
  expect(world.deliverer.turn('large', 1, 10)).toBeNull()
  await add(1)
  expect(world.deliverer.turn('small', 1, 10)).toBeNull()
  const waiting = world.deliverer.turn('large', 1, 10)
  expect(waiting).not.toBeNull()
  settle()
  await waiting
})
