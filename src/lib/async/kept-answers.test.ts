import { expect, test } from 'vitest'
import { KeptAnswers } from './kept-answers.ts'

const LONG = { keptMs: 60_000, countMax: 2 }

test('fetched once for all concurrent and later callers, and again after its time is over', async () => {
  let asked = 0
  const ask = async () => ++asked
  const kept = new KeptAnswers<number>(LONG)
  expect(await Promise.all([kept.get('a', ask), kept.get('a', ask)])).toEqual([1, 1])
  expect(await kept.get('a', ask)).toBe(1)
  expect(await kept.get('b', ask)).toBe(2)
  const over = new KeptAnswers<number>({ ...LONG, keptMs: 0 })
  expect([await over.get('a', ask), await over.get('a', ask)]).toEqual([3, 4])
})

test('fetched again after a failure', async () => {
  const kept = new KeptAnswers<string>(LONG)
  await expect(kept.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await kept.get('a', async () => 'back')).toBe('back')
})

test('fetched again for the oldest beyond the limit', async () => {
  let asked = 0
  const ask = async () => ++asked
  const kept = new KeptAnswers<number>(LONG)
  for (const name of ['a', 'b', 'c']) await kept.get(name, ask)
  expect([await kept.get('b', ask), await kept.get('c', ask), await kept.get('a', ask)]).toEqual([2, 3, 4])
})
