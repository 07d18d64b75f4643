import { expect, inject, onTestFinished, test } from 'vitest'
import { DatabaseUnavailable, openDb } from './db.ts'

test('unavailable for a statement that the server ends, and not for anybody else', async () => {
  const db = openDb(inject('postgresUrl'), {
    connectionsMax: 2,
    timeoutMs: 5000,
    statementTimeoutMs: 100,
    name: 'test',
  })
  onTestFinished(() => db.close())
  await expect(db.query('select pg_sleep(10)')).rejects.toThrow(DatabaseUnavailable)
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('unavailable at once for everybody after a statement that nobody answered', async () => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 2, timeoutMs: 100, name: 'test' })
  onTestFinished(() => db.close())
  await expect(db.query('select pg_sleep(1)')).rejects.toThrow(DatabaseUnavailable)
  await expect(db.query('select 1')).rejects.toThrow(DatabaseUnavailable)
})
