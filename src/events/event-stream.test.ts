import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { DatabaseUnavailable } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { createLog } from '../lib/log.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type StreamSource, streamEvents } from './event-stream.ts'
import { FeedWatch } from './feed-watch.ts'
import { recordEvents } from './record-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database?.drop())

const NEVER_MS = 60_000
const noWake = { subscribe: () => () => {} }

function openSource(changes: Partial<StreamSource> = {}): StreamSource {
  const watch = new FeedWatch({ db: database.db, wake: noWake, log: createLog('silent') })
  const gone = new AbortController()
  onTestFinished(() => {
    gone.abort()
    watch.stop()
  })
  return {
    db: database.db,
    watch,
    teamId: newId(),
    query: { after: 0, types: [], subjectId: null, domainId: null },
    gone: gone.signal,
    isAdmitted: async () => true,
    ...changes,
  }
}

const record = (teamId: string, count = 1, data = {}) =>
  database.db.transaction(async (tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, () => ({ teamId, subjectId: teamId, type: 'contact.created', data })),
      new Date(),
    ),
  )

async function next(stream: AsyncGenerator<string>): Promise<string | null> {
  const { done, value } = await stream.next()
  return done ? null : value
}

test('a heartbeat is sent while no events arrive, with the cursor after the skipped events', async () => {
  const source = openSource({
    query: { after: 0, types: ['email.complained'], subjectId: null, domainId: null },
  })
  await record(source.teamId, 3)
  const stream = streamEvents(source, { heartbeatMs: 50, admissionMs: NEVER_MS })
  expect(await next(stream)).toBe(`retry: 2000\nid: ${writeCursor(0)}\n\n`)
  for (let beat = 0; beat < 3; beat++) {
    expect(await next(stream)).toBe(`: still here\nid: ${writeCursor(3)}\n\n`)
  }
})

test('the stream ends when the key is revoked', async () => {
  const answers = [true, true, false]
  const source = openSource({ isAdmitted: async () => answers.shift() ?? false })
  const stream = streamEvents(source, { heartbeatMs: NEVER_MS, admissionMs: 20 })
  await next(stream)
  expect(await next(stream)).toBeNull()
  expect(answers).toEqual([])
})

test('the stream ends when the client disconnects or the process stops, even during a wait', async () => {
  const gone = new AbortController()
  const one = openSource({ gone: gone.signal })
  const other = openSource()
  const streams = [one, other].map((source) => streamEvents(source))
  await Promise.all(streams.map(next))
  const ends = Promise.all(streams.map(next))
  gone.abort()
  other.watch.stop()
  expect(await ends).toEqual([null, null])
})

test('a stream survives a database outage, and misses nothing', async () => {
  let failures = 1
  const db: StreamSource['db'] = {
    ...database.db,
    query: (sql, values) =>
      failures-- > 0
        ? Promise.reject(new DatabaseUnavailable(new Error('away')))
        : database.db.query(sql, values),
  }
  const source = openSource({ db })
  await record(source.teamId)
  const stream = streamEvents(source)
  await next(stream)
  expect(await next(stream)).toContain('event: contact.created')
})

test('large pages are sent in parts, and nothing is read ahead of the client', async () => {
  const counts: number[] = []
  const db: StreamSource['db'] = {
    ...database.db,
    async query<Row>(sql: string, values?: readonly unknown[]) {
      const rows = await database.db.query<Row>(sql, values)
      if (sql.includes('from event e')) counts.push(rows.length)
      return rows
    },
  }
  const source = openSource({ db })
  await record(source.teamId, 300, { name: 'x'.repeat(10_000) })
  const stream = streamEvents(source)
  await next(stream)
  const parts: string[] = []
  const ids = () =>
    [...parts.join('').matchAll(/^id: (.*)$/gm)].map((match) => readCursor(match[1] as string))
  while (ids().length < 300) {
    const idCount = ids().length
    parts.push((await next(stream)) ?? '')
    // Events sent before this part, and the page that it belongs to.
    expect(counts.slice(0, -1).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(idCount)
  }
  expect(ids()).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(80_000)
  expect(counts.slice(0, 3)).toEqual([10, 25, 25])
})
