import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { toCamelCase } from './rows.ts'

test('a column becomes a key in camelCase', () => {
  expect(toCamelCase('id')).toBe('id')
  expect(toCamelCase('created_at')).toBe('createdAt')
  expect(toCamelCase('tls_policy_domain')).toBe('tlsPolicyDomain')
  expect(toCamelCase('createdAt')).toBe('createdAt')
})

test('an underscore before a digit is removed; one at the start or a double one remains', () => {
  expect(toCamelCase('line_2')).toBe('line2')
  expect(toCamelCase('http_2xx_count')).toBe('http2xxCount')
  expect(toCamelCase('_hidden_at')).toBe('_hiddenAt')
  expect(toCamelCase('a__b')).toBe('a__b')
  expect(toCamelCase('?column?')).toBe('?column?')
})

test('columns are renamed, but keys inside jsonb values are not', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const sql = `select 1 as team_id, null as sent_at, '{"to_address": {"a_b": 1}}'::jsonb as first_data`
  const expected = [{ teamId: 1, sentAt: null, firstData: { to_address: { a_b: 1 } } }]
  expect(await db.query(sql)).toEqual(expected)
  expect(await db.query(sql)).toEqual(expected)
  expect(await db.query(sql, [], { isOneOff: true })).toEqual(expected)
  expect(await db.transaction((tx) => tx.query(sql))).toEqual(expected)
})

test('a column added to a table is read', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  await db.query('create table leaf (one_column int)')
  await db.query('insert into leaf values (1)')
  expect(await db.query('select * from leaf')).toEqual([{ oneColumn: 1 }])
  await db.query('alter table leaf add column other_column int')
  // The connection that prepared the statement rejects it; others prepare it again.
  const rows = await Promise.all(
    [1, 2, 3].map(() => db.query('select * from leaf').catch((error: Error) => error.message)),
  )
  expect(rows).toContainEqual([{ oneColumn: 1, otherColumn: null }])
})
