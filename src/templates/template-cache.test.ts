import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { Queryable } from '../db/db-types.ts'
import { newId } from '../lib/ids.ts'
import { createTemplateCache } from './template-cache.ts'

const team = newId()
const domainId = newId()
const senderId = newId()
let database: TestDatabase
/** The number of rows that each look-up returned, and how many of them had content. */
let lookUps: { rows: number; contents: number }[] = []
let db: Queryable

beforeAll(async () => {
  database = await createDatabase()
  db = {
    async query<Row>(sql: string, values?: readonly unknown[]) {
      const rows = await database.db.query<Row>(sql, values)
      const contents = rows.filter((row) => (row as { subject: string | null }).subject !== null).length
      lookUps.push({ rows: rows.length, contents })
      return rows
    },
  }
  await database.db.query(
    `insert into domain (team_id, id, name, status, captured, tls, open_tracking, click_tracking, checks,
       return_path_verified, failed_days, created_at, updated_at)
     values ($1, $2, 'a.test', 'verified', false, 'opportunistic', false, false, '{}', false, 0, now(), now())`,
    [team, domainId],
  )
  await database.db.query("insert into sender values ($1, $2, $3, 'Ann', 'ann', null, now(), now())", [
    team,
    senderId,
    domainId,
  ])
})
beforeEach(() => {
  lookUps = []
})
afterAll(() => database.drop())

async function givenTemplate(subject: string): Promise<string> {
  const id = newId()
  await database.db.query(
    `insert into template (team_id, id, sender_id, name, alias, subject, text_content, status, variables, version,
       created_at, updated_at)
     values ($1, $2, $3, 'n', $4, $5, 't', 'published', '[]', 1, now(), now())`,
    [team, id, senderId, `alias-${id.slice(-12)}`, subject],
  )
  return id
}

test('content is read once per version; the version is read on every use', async () => {
  const { find } = createTemplateCache(db)
  const id = await givenTemplate('one')
  expect((await find(team, id))?.compiled.subject.literals).toEqual(['one'])
  const first = await find(team, id.toUpperCase())
  expect(lookUps).toEqual([
    { rows: 1, contents: 1 },
    { rows: 1, contents: 0 },
  ])
  await database.db.query("update template set subject = 'two', version = 2 where id = $1", [id])
  const second = await find(team, id)
  expect(second?.compiled.subject.literals).toEqual(['two'])
  expect((await find(team, id))?.compiled).toBe(second?.compiled)
  expect(lookUps.map(({ contents }) => contents)).toEqual([1, 0, 1, 0])
  // A template in use does not change.
  expect(first?.compiled.subject.literals).toEqual(['one'])
})

test('an alias that moves to another template of the same version resolves to that template', async () => {
  const { find } = createTemplateCache(db)
  const [one, two] = [await givenTemplate('one'), await givenTemplate('two')]
  await database.db.query("update template set alias = 'moving' where id = $1", [one])
  expect((await find(team, 'Moving'))?.id).toBe(one)
  await database.db.query('update template set alias = null where id = $1', [one])
  expect(await find(team, 'moving')).toBeNull()
  await database.db.query("update template set alias = 'moving' where id = $1", [two])
  expect((await find(team, 'moving'))?.compiled.subject.literals).toEqual(['two'])
})

test('concurrent look-ups share one query with each distinct template once', async () => {
  const { find } = createTemplateCache(db)
  const ids = await Promise.all(['a', 'b', 'c'].map(givenTemplate))
  await Promise.all(ids.map((id) => find(team, id)))
  lookUps = []
  const found = await Promise.all(Array.from({ length: 150 }, (_, i) => find(team, ids[i % 3] as string)))
  expect(found.map((template) => template?.compiled.subject.literals[0]).slice(0, 6)).toEqual([
    ...['a', 'b', 'c'],
    ...['a', 'b', 'c'],
  ])
  expect(lookUps).toEqual([{ rows: 3, contents: 0 }])
})

test("null for another team's template, and for text that is neither an id nor an alias", async () => {
  const { find } = createTemplateCache(db)
  const id = await givenTemplate('one')
  expect(await find(newId(), id)).toBeNull()
  for (const name of ['', '/', `${team}/${id}`, "'", '\\', 'x'.repeat(255)])
    expect(await find(team, name)).toBeNull()
})

test.each([
  ['count', { countMax: 2 }],
  ['bytes', { bytesMax: 2 * 2100 }],
])('the least recently used template is evicted past the limit in %s, and found again', async (_, bounds) => {
  const { find } = createTemplateCache(db, bounds)
  const [a, b, c] = (await Promise.all(['a', 'b', 'c'].map(givenTemplate))) as [string, string, string]
  for (const id of [a, b, a, c]) await find(team, id)
  lookUps = []
  for (const id of [a, c, b]) expect((await find(team, id))?.id).toBe(id)
  expect(lookUps.map(({ contents }) => contents)).toEqual([0, 0, 1])
})
