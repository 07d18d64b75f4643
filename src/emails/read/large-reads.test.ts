import { expect, test } from 'vitest'
import { createFairSemaphore } from '../../lib/async/fair-semaphore.ts'
import { readInTurn } from './large-reads.ts'

const MIB = 1024 * 1024

test('in turn: large reads of one team. At once: small reads and reads of another team', async () => {
  const deps = { largeReads: createFairSemaphore({ places: 2, waitMs: 60_000 }) }
  const begun: string[] = []
  const ends: (() => void)[] = []
  const read = (teamId: string, name: string, sizeBytes: number) =>
    readInTurn(deps, teamId, sizeBytes, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const all = [
    read('a', 'first', 30 * MIB),
    read('a', 'second', MIB),
    read('a', 'small', MIB - 1),
    read('b', 'other', 30 * MIB),
  ]
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun.toSorted()).toEqual(['first', 'other', 'small'])
  for (const end of ends) end()
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun.at(-1)).toBe('second')
  ends.at(-1)?.()
  await Promise.all(all)
})
