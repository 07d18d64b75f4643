import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { Queryable } from '../../db/db-types.ts'
import { INDEXED_SCAN_MAX, listEmails, SCAN_MAX } from './list-emails-queries.ts'
import { readSearch } from './read-search.ts'

const TEAM = '01900000-0000-7000-8000-000000000001'
const COUNT = SCAN_MAX + 140
const FIRST_PAGE = { size: 25, offset: 0, after: null, before: null }

let database: TestDatabase

/** Inserts emails 1 to COUNT, oldest first, one per second, the last one just now. All but the first 100 are bulk. */
beforeAll(async () => {
  database = await createDatabase()
  const rows = `select n, (lpad(to_hex((extract(epoch from now())::int8 - $2 + n) * 1000), 12, '0') || '7000'
      || '8000' || lpad(to_hex(n), 12, '0'))::uuid as id
    from generate_series(1, $2::int4) as n`
  await database.db.query(
    `insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject,
       recipient_count, status, last_event, size, created_at, bulk)
     select $1, id, $1, '', 'a@b.test', case when n % 3 = 0 then 'news@b.test' else 'a@b.test' end, '{}',
       case when n in (3, 90) then 'Zebra ' else 'Order ' end || n, 1,
       case when n % 3 = 1 then 'bounced' else 'delivered' end, 'x', 1, now(), n > 100
     from (${rows}) r`,
    [TEAM, COUNT],
  )
  await database.db.query(
    `update email
     set message_id = case when subject = 'Order 5' then 'own-5@caller.test' else id || '@b.test' end,
       sender_address = case when subject = 'Order 5' then 'once@b.test' else sender_address end,
       addressees = case when subject = 'Order 5' then '{"to": ["Jo \\"J\\" Ng <jo@x.test>"]}'::jsonb else '{}' end
     where team_id = $1`,
    [TEAM],
  )
  await database.db.query(
    `insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready, attempts,
       expires_at, updated_at)
     select team_id, id, 0, 'to', k.address, k.address, 'x.test', 'delivered', false, 0, now(), now()
     from email
     cross join lateral (select 'person-' || replace(lower(subject), ' ', '-') || '@x.test' as address) k
     where team_id = $1`,
    [TEAM],
  )
  await database.db.query('analyze email, delivery')
  await database.db.query(
    `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
     values ($1, '2026-01-01', 0, '2026-01-01', 0, $2)`,
    [TEAM, COUNT],
  )
})
afterAll(() => database.drop())

const numbersOf = ({ rows }: { rows: { subject: string }[] }) =>
  rows.map((row) => Number(row.subject.split(' ')[1]))

test('found in the next range if none matches nearby: `stoppedAt` continues the scan, forwards and backwards', async () => {
  const filter = { subjectPart: 'zebra' }
  const first = await listEmails(database.db, TEAM, filter, FIRST_PAGE)
  expect(first).toMatchObject({ rows: [], hasMore: true, total: 0 })
  expect(first.stoppedAt).toBeTypeOf('string')
  const next = await listEmails(database.db, TEAM, filter, { ...FIRST_PAGE, after: first.stoppedAt ?? null })
  expect(next).toMatchObject({ hasMore: false, stoppedAt: null })
  expect(numbersOf(next)).toEqual([90, 3])
  const [oldest] = (await listEmails(database.db, TEAM, {}, { ...FIRST_PAGE, offset: COUNT - 1 })).rows
  const back = await listEmails(database.db, TEAM, filter, { ...FIRST_PAGE, before: oldest?.id ?? null })
  expect(numbersOf(back)).toEqual([90, 3])
  expect(back.stoppedAt).toBeTypeOf('string')
})

test('found in the next range if each of several filters matches many', async () => {
  const filter = { subjectPart: 'zebra', from: 'news@b.test', status: 'delivered' }
  const first = await listEmails(database.db, TEAM, filter, FIRST_PAGE)
  expect(first.hasMore).toBe(true)
  const next = await listEmails(database.db, TEAM, filter, { ...FIRST_PAGE, after: first.stoppedAt ?? null })
  expect([...numbersOf(first), ...numbersOf(next)]).toEqual([90, 3])
  expect(COUNT / 3).toBeGreaterThan(INDEXED_SCAN_MAX)
})

test('read from the other end beyond the middle, with the same pages as from the start', async () => {
  const page = (number: number) =>
    listEmails(database.db, TEAM, {}, { ...FIRST_PAGE, size: 30, offset: (number - 1) * 30 })
  const middle = COUNT / 60
  for (const number of [1, middle - 1, middle, middle + 1, COUNT / 30 - 1, COUNT / 30]) {
    const { rows, hasMore, total } = await page(number)
    const newest = COUNT - (number - 1) * 30
    expect(numbersOf({ rows })).toEqual(
      Array.from({ length: Math.min(30, newest) }, (_, index) => newest - index),
    )
    expect([hasMore, total]).toEqual([newest > 30, COUNT])
  }
  expect(await page(COUNT / 30 + 1)).toMatchObject({ rows: [], hasMore: false })
})

test('counted up to ten thousand with one filter', async () => {
  expect((await listEmails(database.db, TEAM, { domainId: TEAM }, FIRST_PAGE)).total).toBe(10_000)
  expect((await listEmails(database.db, TEAM, { status: 'bounced' }, FIRST_PAGE)).total).toBe(COUNT / 3)
})

test('listed by class: bulk by its index, transactional mail by a scan that continues behind the bulk mail', async () => {
  const bulk = await listEmails(database.db, TEAM, { isBulk: true }, FIRST_PAGE)
  expect(numbersOf(bulk)[0]).toBe(COUNT)
  expect(bulk).toMatchObject({ hasMore: true, total: 10_000 })
  expect(bulk.stoppedAt).toBeUndefined()
  const lastBulk = await listEmails(
    database.db,
    TEAM,
    { isBulk: true },
    { ...FIRST_PAGE, offset: COUNT - 101 },
  )
  expect(numbersOf(lastBulk)).toEqual([101])
  const first = await listEmails(database.db, TEAM, { isBulk: false }, FIRST_PAGE)
  expect(first).toMatchObject({ rows: [], hasMore: true })
  const next = await listEmails(
    database.db,
    TEAM,
    { isBulk: false },
    { ...FIRST_PAGE, after: first.stoppedAt ?? null },
  )
  expect(numbersOf(next).slice(0, 2)).toEqual([100, 99])
})

/** A partition without rows is read whole, at no cost. */
const SEQUENTIAL = /Seq Scan on \S+ \S+ +\(cost=(?!0\.00\.\.0\.00)/

/** Runs a search, and returns the emails found and the plans of its statements. */
async function search(text: string) {
  const plans: string[] = []
  const watched: Queryable = {
    ...database.db,
    async query(sql: string, values?: readonly unknown[], options?: object) {
      const lines = await database.db.query<Record<string, string>>(`explain ${sql}`, values, options)
      plans.push(lines.map((line) => Object.values(line)[0]).join('\n'))
      return database.db.query(sql, values, options)
    },
  } as Queryable
  const found = await listEmails(watched, TEAM, readSearch(text), FIRST_PAGE)
  return { found, plan: plans.join('\n') }
}

test('found by the start of an address, by sender, id, Message-ID and name, by indexes alone', async () => {
  const [oldest] = (await listEmails(database.db, TEAM, {}, { ...FIRST_PAGE, offset: COUNT - 1 })).rows
  const found: Record<string, number[]> = {
    'person-zebra-90@x': [90],
    'Person <person-order-77@x.test>': [77],
    'ONCE@': [5],
    '<own-5@caller.test>': [5],
    'own-5@caller.test': [5],
    [oldest?.id.toUpperCase() ?? '']: [1],
    [`<${oldest?.id}@b.test>`]: [1],
    [`<${oldest?.id}@other.test>`]: [],
    'own-5@caller': [],
    'kind:order': [],
    '100%@': [],
  }
  for (const [text, numbers] of Object.entries(found)) {
    const { found: page, plan } = await search(text)
    expect(numbersOf(page), text).toEqual(numbers)
    expect(page.hasMore, text).toBe(false)
    expect(plan, text).not.toMatch(SEQUENTIAL)
  }
})

test('an address that matches many emails is scanned for, newest first, and a word in subjects and names', async () => {
  const many = await search('a@')
  expect(numbersOf(many.found)[0]).toBe(COUNT - (COUNT % 3 === 0 ? 1 : 0))
  expect(many.found).toMatchObject({ hasMore: true })
  expect(many.plan).not.toMatch(SEQUENTIAL)
  for (const [text, number] of [
    ['zebra', 90],
    ['jo', 5],
    ['Jo "J" Ng', 5],
    ['once', 5],
  ] as const) {
    const first = await search(text)
    expect(first.found.rows, text).toEqual([])
    const range = { ...FIRST_PAGE, after: first.found.stoppedAt ?? null }
    expect(numbersOf(await listEmails(database.db, TEAM, readSearch(text), range))[0], text).toBe(number)
  }
})
