import { expect, test } from 'vitest'
import { DnsCache } from './dns-cache.ts'

test('queried again after the clock was set back', async () => {
  let nowMs = 3_600_000
  let queries = 0
  const cache = new DnsCache<string>(10, { now: () => new Date(nowMs) })
  const query = async () => {
    queries++
    return { answer: { kind: 'records' as const, records: ['192.0.2.1'] }, ttlMs: 1000 }
  }
  await cache.get('a.test', query)
  nowMs += 999
  await cache.get('a.test', query)
  expect(queries).toBe(1)
  nowMs = 0
  expect(cache.has('a.test')).toBe(false)
  await cache.get('a.test', query)
  expect(queries).toBe(2)
})
