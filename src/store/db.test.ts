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

test('answered although this process stood still for longer than it waits: the answer was there', async () => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 100, name: 'test' })
  onTestFinished(() => db.close())
  await db.query('select 1')
  const asked = db.query('select 2 as two')
  const inTransaction = db.transaction((tx) => tx.query('select 3 as three'))
  await new Promise((resolve) => setImmediate(resolve))
  const stoodStillUntilMs = performance.now() + 400
  while (performance.now() < stoodStillUntilMs);
  expect(await asked).toEqual([{ two: 2 }])
  expect(await inTransaction).toEqual([{ three: 3 }])
})

test('usable again after a statement that nobody waited for any longer', async () => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 200, name: 'test' })
  onTestFinished(() => db.close())
  await expect(db.query('select pg_sleep(1)')).rejects.toThrow(DatabaseUnavailable)
  await expect.poll(() => db.query('select 1 as one').catch(() => null)).toEqual([{ one: 1 }])
})

test('refused when a statement failed and its error was caught: nothing is committed, and nobody may believe it was', async () => {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs: 5000, name: 'test' })
  onTestFinished(() => db.close())
  const careless = db.transaction(async (tx) => {
    await tx.query('select 1 / 0').catch(() => null)
    return 'done'
  })
  await expect(careless).rejects.toThrow('A statement failed')
  expect(await db.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }])
})
