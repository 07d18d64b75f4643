import { expect, test } from 'vitest'
import { TtlCache } from './ttl-cache.ts'

let nowMs = 0
let searches = 0

/** Room for five entries of 500 bytes. */
function givenCache(): (name: string, value?: string) => Promise<string> {
  nowMs = 0
  searches = 0
  const clock = { now: () => new Date(nowMs) }
  const cache = new TtlCache<string>({ clock, bytesMax: 5000, measure: (value) => value.length })
  return (name, value = 'x'.repeat(500)) =>
    cache.get(name, async () => {
      searches++
      return { value, ttlMs: 1000 }
    })
}

test('cached for its time; looked up once for all concurrent callers', async () => {
  const get = givenCache()
  await Promise.all([get('a'), get('a'), get('a')])
  nowMs = 999
  await get('a')
  expect(searches).toBe(1)
  nowMs = 1000
  await get('a')
  expect(searches).toBe(2)
})

test('looked up again after the clock was set back', async () => {
  const get = givenCache()
  nowMs = 3_600_000
  await get('a')
  nowMs = 0
  await get('a')
  expect(searches).toBe(2)
})

test('evicted: the least recently used first, as many as one large value requires', async () => {
  const get = givenCache()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await get(name)
  await get('a')
  await get('large', 'x'.repeat(2000))
  searches = 0
  await get('a')
  await get('large')
  expect(searches).toBe(0)
  await get('b')
  expect(searches).toBe(1)
})
