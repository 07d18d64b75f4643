import { expect, test } from 'vitest'
import { OverloadedError } from './batcher.ts'
import { createFairSemaphore } from './fair-semaphore.ts'

/** Work that ends on request, by the name of its team. */
function givenGate(places: number, waitMs = 60_000) {
  const gate = createFairSemaphore({ places, waitMs })
  const running: { teamId: string; end(): void }[] = []
  const run = (teamId: string) =>
    gate.run(teamId, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      running.push({ teamId, end: resolve })
      return promise
    })
  const teams = () => running.map(({ teamId }) => teamId).join('')
  return { gate, run, running, teams }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('running: half of the places for one team, the others in order of arrival, one always left for the next team', async () => {
  const { run, running, teams } = givenGate(4)
  const all = ['a', 'a', 'a', 'b', 'b', 'c'].map(run)
  await turn()
  expect(teams()).toBe('aabc')
  running[0]?.end()
  await turn()
  expect(teams()).toBe('aabc')
  all.push(run('d'))
  await turn()
  expect(teams()).toBe('aabcd')
  for (let ended = 1; ended < all.length; ended++) {
    running[ended]?.end()
    await turn()
  }
  await Promise.all(all)
  expect(teams()).toBe('aabcdab')
})

test('failed work returns its place', async () => {
  const { gate, run, running } = givenGate(1)
  await expect(gate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const next = run('a')
  await turn()
  running[0]?.end()
  await next
})

test('overloaded after too long a wait, which then uses no place', async () => {
  const { run, running, teams } = givenGate(1, 30)
  const first = run('a')
  await expect(run('b')).rejects.toThrow(OverloadedError)
  running[0]?.end()
  await first
  await turn()
  expect(teams()).toBe('a')
})
