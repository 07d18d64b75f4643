import { expect, inject, onTestFinished, test } from 'vitest'
import { batchOf } from './batch.ts'
import { openDb } from './db.ts'

function open() {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 20_000, name: 'test' })
  onTestFinished(() => db.close())
  return db
}

const ROWS = batchOf(
  `id uuid, is_new bool, size_bytes int4, first_name text,
   at timestamptz, tags jsonb, hash bytea`,
  { size_bytes: ({ text }: { text: string }) => text.length },
)
const ID = '01970000-0000-7000-8000-00000000000a'
const FULL = {
  id: ID,
  isNew: true,
  text: 'four',
  firstName: 'Ada',
  at: new Date(0),
  tags: ['a'],
  hash: Buffer.of(1),
}
const EMPTY = { id: null, isNew: null, text: '', firstName: null, at: null, tags: null, hash: null }

test('rows arrive as they were given, with computed columns', async () => {
  const rows = await open().query(
    `select * from unnest(${ROWS.arrays}) as r (${ROWS.names})`,
    ROWS.values([FULL, EMPTY]),
  )
  const { text: _, ...full } = FULL
  const { text: __, ...empty } = EMPTY
  expect(rows).toEqual([
    { ...full, sizeBytes: 4 },
    { ...empty, sizeBytes: 0 },
  ])
})

test('a null of JSON becomes a null of SQL', async () => {
  const tags = batchOf('tags jsonb')
  const sql = `select tags is null as is_null from unnest(${tags.arrays}) as r (${tags.names})`
  expect(await open().query(sql, tags.values([{ tags: null }]))).toEqual([{ isNull: true }])
})

test('other parameters can come first, and the length of the arrays can be hidden', async () => {
  const keys = batchOf('id uuid, no int2')
  expect(keys.hiddenFrom(2)).toBe('(select $2::uuid[]), $3::int2[]')
  const sql = `select no from unnest(${keys.hiddenFrom(2)}) as k (${keys.names}) where no > $1`
  const rows = [
    { id: ID, no: 1 },
    { id: ID, no: 2 },
  ]
  expect(await open().query(sql, [1, ...keys.values(rows)])).toEqual([{ no: 2 }])
})

test('a batch may be empty', async () => {
  expect(await open().query(`select from unnest(${ROWS.arrays})`, ROWS.values([]))).toEqual([])
})
