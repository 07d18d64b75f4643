import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../db/db-types.ts'
import { hashToken } from '../lib/crypto/random-token.ts'
import { createTokenLookup } from './token-lookup.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const OWNERS = new Map([
  [hashToken('a').toString('hex'), 'ann'],
  [hashToken('b').toString('hex'), 'bob'],
])

/** A lookup that answers when it is released, and the number of hashes in each statement. */
function givenLookup() {
  const statements: number[] = []
  let release = (_error?: Error): void => {}
  let isHeld = false
  const lookup = createTokenLookup<string>(async (hashes) => {
    statements.push(hashes.length)
    if (isHeld) {
      await new Promise<void>((resolve, reject) => {
        release = (error) => (error === undefined ? resolve() : reject(error))
      })
    }
    return hashes.map((hash) => OWNERS.get(hash.toString('hex')) ?? null)
  })
  return { lookup, statements, hold: () => (isHeld = true), release: (error?: Error) => release(error) }
}

test('one statement for many requests with one token, known or not, until 900 ms after it began', async () => {
  const { lookup, statements } = givenLookup()
  expect(await Promise.all(['a', 'a', 'x', 'x', 'b'].map((token) => lookup.find(token)))).toEqual([
    'ann',
    'ann',
    null,
    null,
    'bob',
  ])
  const count = statements.reduce((sum, hashes) => sum + hashes, 0)
  expect(count).toBe(3)
  vi.advanceTimersByTime(899)
  expect([await lookup.find('a'), await lookup.find('x')]).toEqual(['ann', null])
  expect(statements.reduce((sum, hashes) => sum + hashes, 0)).toBe(count)
  vi.advanceTimersByTime(1)
  expect(await lookup.find('a')).toBe('ann')
  expect(statements.reduce((sum, hashes) => sum + hashes, 0)).toBe(count + 1)
})

test('the owner that was found last, however old; none before that and after forget', async () => {
  const { lookup } = givenLookup()
  expect(lookup.peek('a')).toBeNull()
  await lookup.find('a')
  vi.advanceTimersByTime(60_000)
  expect(lookup.peek('a')).toBe('ann')
  lookup.forget()
  expect(lookup.peek('a')).toBeNull()
})

test('a look-up that began before forget answers its request alone', async () => {
  const { lookup, statements, hold, release } = givenLookup()
  hold()
  const before = lookup.find('a')
  await vi.waitFor(() => expect(statements).toEqual([1]))
  lookup.forget()
  const after = lookup.find('a')
  release()
  expect(await before).toBe('ann')
  expect(lookup.peek('a')).toBeNull()
  await vi.waitFor(() => expect(statements).toEqual([1, 1]))
  release()
  expect(await after).toBe('ann')
})

test('rejected while the database is unavailable, and looked up again after that', async () => {
  const { lookup, statements, hold, release } = givenLookup()
  hold()
  const failing = lookup.find('a')
  const alsoFailing = lookup.find('a')
  await vi.waitFor(() => expect(statements).toEqual([1]))
  release(new DatabaseUnavailable('away'))
  await expect(failing).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(alsoFailing).rejects.toBeInstanceOf(DatabaseUnavailable)
  const next = lookup.find('a')
  await vi.waitFor(() => expect(statements).toEqual([1, 1]))
  release()
  expect(await next).toBe('ann')
})
