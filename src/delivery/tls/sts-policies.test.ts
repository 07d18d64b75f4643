import { beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { createStsPolicies, type StsPolicies, type TxtAnswer } from './sts-policies.ts'
import type { StoredStsPolicy } from './sts-policies-queries.ts'
import type { StsPolicy } from './sts-syntax.ts'

const HOUR_MS = 3_600_000
const policy: StsPolicy = { mode: 'enforce', mx: ['mx.a.test'], maxAgeSeconds: 7 * 24 * 3600 }
const down = { failure: 'sts-policy-fetch-error', reason: 'down' } as const

let nowMs: number
let record: TxtAnswer
/** The policy host's response. */
let served: Promise<{ policy: StsPolicy } | typeof down>
let fetches: number
let kept: Map<string, StoredStsPolicy>
/** Whether the database is down. */
let isDown: boolean
let policies: StsPolicies

/** Starts another process on the same database. */
function startProcess(): StsPolicies {
  return createStsPolicies({
    clock: { now: () => new Date(nowMs) },
    log: createLog('silent'),
    txt: async () => record,
    fetchPolicy: () => {
      fetches++
      return served
    },
    find: async (domain) => {
      if (isDown) throw new Error('the database is down')
      return kept.get(domain) ?? null
    },
    save: async (domain, one) => void kept.set(domain, one),
  })
}

beforeEach(() => {
  nowMs = Date.parse('2026-11-21T12:00:00Z')
  record = { kind: 'records', records: ['v=STSv1; id=one'], ttlSeconds: 300 }
  served = Promise.resolve({ policy })
  fetches = 0
  kept = new Map()
  isDown = false
  policies = startProcess()
})

const ask = (domain = 'a.test') => policies.policyOf(domain, 'team')

describe('fetched', () => {
  test('fetched once for all concurrent callers, and not by a second process', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatchObject({ policy: { mode: 'enforce', id: 'one' } })
    expect(await startProcess().policyOf('a.test', 'team')).toMatchObject({ policy: { id: 'one' } })
    expect(fetches).toBe(1)
  })

  test('fetched again when the record has another id, once its TTL is over', async () => {
    await ask()
    record = { kind: 'records', records: ['v=STSv1; id=two'], ttlSeconds: 300 }
    served = Promise.resolve({ policy: { ...policy, mode: 'none', mx: [] } })
    nowMs += 299_000
    expect(await ask()).toMatchObject({ policy: { id: 'one' } })
    nowMs += 2000
    expect(await ask()).toMatchObject({ policy: { id: 'two', mode: 'none' } })
  })

  test('fetched again after a day although the id is the same, in the background', async () => {
    await ask()
    nowMs += 25 * HOUR_MS
    const { promise, resolve } = Promise.withResolvers<{ policy: StsPolicy }>()
    served = promise
    expect(await ask()).toMatchObject({ policy: { id: 'one' } })
    expect(fetches).toBe(2)
    resolve({ policy: { ...policy, mode: 'testing' } })
    await expect.poll(() => kept.get('a.test')?.mode).toBe('testing')
    nowMs += HOUR_MS
    expect(await ask()).toMatchObject({ policy: { mode: 'testing' } })
  })
})

describe('held', () => {
  test.each<[string, TxtAnswer]>([
    ['the record is gone', { kind: 'none', ttlSeconds: null }],
    ['DNS fails', { kind: 'temporary' }],
    [
      'there are two records',
      { kind: 'records', records: ['v=STSv1; id=a', 'v=STSv1; id=b'], ttlSeconds: 1 },
    ],
    [
      'another id is named and the policy host is down',
      { kind: 'records', records: ['v=STSv1; id=b'], ttlSeconds: 1 },
    ],
  ])('held until its max_age is over although %s', async (_what, answer) => {
    await ask()
    record = answer
    served = Promise.resolve(down)
    nowMs += 6 * 24 * HOUR_MS
    expect(await ask()).toMatchObject({ policy: { id: 'one' } })
    nowMs += 24 * HOUR_MS
    const after = await ask()
    expect(after === null || 'failure' in after).toBe(true)
  })

  test('held when the database fails once and the record is gone: the first call rejects, the second returns it', async () => {
    await ask()
    record = { kind: 'none', ttlSeconds: null }
    policies = startProcess()
    isDown = true
    await expect(ask()).rejects.toThrow('the database is down')
    isDown = false
    expect(await ask()).toMatchObject({ policy: { mode: 'enforce', id: 'one' } })
  })
})

describe('none', () => {
  test('none when a fetch fails; retried after five minutes, not before', async () => {
    served = Promise.resolve(down)
    expect(await ask()).toEqual(down)
    nowMs += 4 * 60_000
    expect(await ask()).toEqual(down)
    expect(fetches).toBe(1)
    served = Promise.resolve({ policy })
    nowMs += 61_000
    expect(await ask()).toMatchObject({ policy: { id: 'one' } })
  })

  test('none without a record, and nothing is fetched', async () => {
    record = { kind: 'none', ttlSeconds: 60 }
    expect(await ask()).toBeNull()
    expect(fetches).toBe(0)
  })

  test('used once with a max_age of 0', async () => {
    served = Promise.resolve({ policy: { ...policy, maxAgeSeconds: 0 } })
    expect(await ask()).toMatchObject({ policy: { id: 'one' } })
    nowMs += 301_000
    served = Promise.resolve(down)
    expect(await ask()).toEqual(down)
  })
})
