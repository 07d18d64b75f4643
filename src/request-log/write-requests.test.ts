import { Writable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../lib/time/clock.ts'
import type { AnsweredRequest } from './answered-request.ts'
import { createRequestWriter, type LossReason } from './write-requests.ts'

const TEAM = '01900000-0000-7000-8000-000000000001'

function requestOf(change: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return {
    teamId: TEAM,
    id: newId(),
    apiKeyId: TEAM,
    method: 'GET',
    route: '/domains',
    path: '/domains',
    status: 200,
    durationMs: 3,
    requestBytes: null,
    responseBytes: 2,
    ipAddress: '203.0.113.9',
    userAgent: null,
    recordId: null,
    error: null,
    ...change,
  }
}

/** A writer whose batches `write` decides on, with what it lost. */
function givenWriter(write: (count: number) => Promise<void> = async () => {}) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const batches: string[][] = []
  const lost: [LossReason, number][] = []
  const lines: string[] = []
  const output = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const writer = createRequestWriter({
    async write(requests) {
      await write(requests.length)
      batches.push(requests.map(({ id }) => id))
    },
    clock: systemClock,
    log: createLog('warn', output),
    onLost: (reason, count) => lost.push([reason, count]),
  })
  return { writer, batches, lost, lines }
}

test('one batch for the requests of half a second, and none before', async () => {
  const { writer, batches, lost } = givenWriter()
  const ids = Array.from({ length: 30 }, () => newId())
  for (const id of ids) writer.record(requestOf({ id }))
  await vi.advanceTimersByTimeAsync(499)
  expect(batches).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(batches).toEqual([ids])
  expect(lost).toEqual([])
})

test('written at once on stop', async () => {
  const { writer, batches } = givenWriter()
  writer.record(requestOf())
  await writer.stop()
  expect(batches).toHaveLength(1)
})

test('written later, once, when the database comes back', async () => {
  let isAway = true
  const { writer, batches, lost } = givenWriter(async () => {
    if (isAway) throw new DatabaseUnavailable(new Error('away'))
  })
  const ids = [newId(), newId()] as const
  writer.record(requestOf({ id: ids[0] }))
  await vi.advanceTimersByTimeAsync(600)
  writer.record(requestOf({ id: ids[1] }))
  isAway = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(batches).toEqual([[...ids]])
  expect(lost).toEqual([])
})

test('a bounded buffer: what exceeds it is counted, and said once in a minute', async () => {
  const { writer, batches, lost, lines } = givenWriter()
  for (let count = 0; count < 20_003; count++) writer.record(requestOf())
  expect(lost).toEqual(Array.from({ length: 3 }, () => ['buffer_full', 1]))
  await vi.advanceTimersByTimeAsync(500)
  expect(batches.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 1_000))
  expect(lines.filter((line) => line.includes('requests are missing in the request log'))).toHaveLength(1)
})

test('a batch that PostgreSQL rejects is lost, and later ones are written', async () => {
  let isFirst = true
  const { writer, batches, lost } = givenWriter(async () => {
    const fails = isFirst
    isFirst = false
    if (fails) throw new Error('no partition')
  })
  writer.record(requestOf())
  await vi.advanceTimersByTimeAsync(500)
  writer.record(requestOf())
  await vi.advanceTimersByTimeAsync(500)
  expect(lost).toEqual([['database', 1]])
  expect(batches).toHaveLength(1)
})

test('sixty rejections of one team in a minute, and all other requests', async () => {
  const { writer, batches, lost } = givenWriter()
  for (let count = 0; count < 65; count++) writer.record(requestOf({ status: count % 2 === 0 ? 403 : 429 }))
  writer.record(requestOf({ status: 403, teamId: TEAM.replace('1', '2') }))
  writer.record(requestOf({ status: 422 }))
  await vi.advanceTimersByTimeAsync(500)
  expect(batches.flat()).toHaveLength(62)
  expect(lost).toEqual(Array.from({ length: 5 }, () => ['too_many_rejections', 1]))
})
