import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import { openDb } from '../db/db.ts'
import type { Db } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { EVENT_TYPES } from './catalogue.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { RARE_TYPES, readFeedPage } from './feed-page-queries.ts'
import { type FeedQuery, findFeedEnd } from './feed-queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database?.drop())

const ALL: FeedQuery = { after: 0, types: [], subjectId: null, domainId: null, countMax: 100 }

/** Creates a feed of `count` `email.queued` events of one email, with other types at the given positions. */
async function givenFeed(count: number, others: Record<number, string> = {}) {
  const teamId = newId()
  const subjectId = newId()
  await database.db.query(
    `insert into event (team_id, subject_id, id, type, data, created_at, position)
     select $1, coalesce(o.subject_id, $2), uuidv7(), coalesce(o.type, 'email.queued'), '{}', now(), n
     from generate_series(1, $3::int4) as n
     left join unnest($4::int4[], $5::text[], $6::uuid[]) as o (position, type, subject_id) on o.position = n`,
    [
      teamId,
      subjectId,
      count,
      Object.keys(others).map(Number),
      Object.values(others),
      Object.keys(others).map(() => newId()),
    ],
  )
  await database.db.query('insert into event_feed (team_id, position) values ($1, $2)', [teamId, count])
  return { teamId, subjectId }
}

describe('a page', () => {
  test('is empty, with nothing after it, when there are no events', async () => {
    const page = await readFeedPage(database.db, newId(), ALL)
    expect(page).toEqual({ events: [], position: 0, hasMore: false })
  })

  test('does not exist after the end of the feed', async () => {
    const { teamId } = await givenFeed(3)
    expect(await readFeedPage(database.db, teamId, { ...ALL, after: 4 })).toBeNull()
    expect(await readFeedPage(database.db, teamId, { ...ALL, after: 3 })).toMatchObject({ hasMore: false })
  })

  test('scans at most 10,000 events for a common type, and continues after them', async () => {
    const { teamId } = await givenFeed(25_000, { 20500: 'email.opened', 24000: 'email.opened' })
    const query = { ...ALL, types: ['email.opened'] }
    const seen: [number, number, boolean][] = []
    for (let after = 0, hasMore = true; hasMore; ) {
      const page = await readFeedPage(database.db, teamId, { ...query, after, countMax: 1 })
      if (page === null) throw new Error('no page')
      after = page.position
      hasMore = page.hasMore
      seen.push([page.events.length, after, hasMore])
    }
    expect(seen).toEqual([
      [0, 10_000, true],
      [0, 20_000, true],
      [1, 20_500, true],
      [1, 24_000, true],
      [0, 25_000, false],
    ])
  })

  test('does not stop at gaps that retention left in the numbers', async () => {
    const { teamId } = await givenFeed(30_000, { 29000: 'email.opened' })
    await database.db.query('delete from event where team_id = $1 and position <= 28000', [teamId])
    const all = await readFeedPage(database.db, teamId, { ...ALL, countMax: 1 })
    expect(all).toMatchObject({ events: [{ position: 28_001 }], hasMore: true })
    const page = await readFeedPage(database.db, teamId, { ...ALL, types: ['email.opened'] })
    expect(page).toMatchObject({ events: [{ position: 29_000 }], position: 30_000 })
  })

  test('finds rare types and single subjects wherever they are, without scanning the feed', async () => {
    const { teamId } = await givenFeed(30_000, { 10: 'email.bounced', 29999: 'email.complained' })
    await database.db.query('vacuum analyze event')
    const rare = { ...ALL, types: ['email.complained', 'email.bounced'] }
    const found = await readFeedPage(database.db, teamId, rare)
    expect(found?.events.map(({ position }) => position)).toEqual([10, 29_999])
    const subjectId = found?.events[1]?.subjectId as string
    const single = openDb(database.url, { connectionsMax: 1, timeoutMs: 10_000, name: 'test' })
    onTestFinished(() => single.close())
    const costOf = async (query: FeedQuery) => {
      const before = await rowsRead(single)
      await readFeedPage(single, teamId, { ...query, after: 11 })
      return (await rowsRead(single)) - before
    }
    for (const query of [rare, { ...ALL, subjectId }, { ...rare, subjectId }]) {
      expect(await costOf(query)).toBeLessThan(10)
    }
    // A check of the measure itself: this query does scan the feed.
    expect(await costOf({ ...ALL, types: ['email.opened'] })).toBeGreaterThanOrEqual(9_999)
  })
})

/** Rows of events that a connection's statements have fetched, as PostgreSQL counts them. */
async function rowsRead(db: Db): Promise<number> {
  // The connection's counts are published at the end of this statement.
  await db.query('select pg_stat_force_next_flush()')
  const rows = await db.query<{ rows: number }>(
    `select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int8 as rows
     from pg_stat_user_tables
     where relname like 'event%'`,
  )
  return rows[0]?.rows ?? 0
}

test('the index of rare types covers exactly the rare types, and each is an event type', async () => {
  const [row] = await database.db.query<{ definition: string }>(
    "select pg_get_expr(indpred, indrelid) as definition from pg_index where indexrelid = 'event_feed_rare'::regclass",
  )
  const indexed = [...(row?.definition ?? '').matchAll(/'([a-z_.]+)'/g)].map((match) => match[1])
  expect(indexed).toEqual([...RARE_TYPES])
  expect(EVENT_TYPES).toEqual(expect.arrayContaining([...RARE_TYPES]))
})

test('a cursor is parsed as it was written, and nothing else is accepted', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (position) => readCursor(writeCursor(position)) === position))
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const position = readCursor(text)
      return position === null || writeCursor(position) === text
    }),
  )
})

test('each team has its own end of the feed', async () => {
  const { teamId } = await givenFeed(7)
  await givenFeed(9)
  expect(await findFeedEnd(database.db, teamId)).toBe(7)
})
