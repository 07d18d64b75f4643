import { expect, test } from 'vitest'
import { AnswerCache } from './answer-cache.ts'

const LONG = { keptMs: 60_000, countMax: 2 }

test('fetched once for all concurrent and later callers, and again after it expires', async () => {
  let loads = 0
  const load = async () => ++loads
  const cache = new AnswerCache<number>(LONG)
  expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([1, 1])
  expect(await cache.get('a', load)).toBe(1)
  expect(await cache.get('b', load)).toBe(2)
  const over = new AnswerCache<number>({ ...LONG, keptMs: 0 })
  expect([await over.get('a', load), await over.get('a', load)]).toEqual([3, 4])
})

test('fetched again after a failure', async () => {
  const cache = new AnswerCache<string>(LONG)
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await cache.get('a', async () => 'back')).toBe('back')
})

test('fetched again for the oldest entry above the limit', async () => {
  let loads = 0
  const load = async () => ++loads
  const cache = new AnswerCache<number>(LONG)
  for (const name of ['a', 'b', 'c']) await cache.get(name, load)
  expect([await cache.get('b', load), await cache.get('c', load), await cache.get('a', load)]).toEqual([
    2, 3, 4,
  ])
})
