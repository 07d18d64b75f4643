import { expect, inject, onTestFinished, test } from 'vitest'
import { openDb } from './db.ts'
import type { Db, Tx } from './db-types.ts'
import { sqlState } from './sqlstate.ts'

function open(timeoutMs: number): Db {
  const db = openDb(inject('postgresUrl'), { connectionsMax: 1, timeoutMs, name: 'test' })
  onTestFinished(() => db.close())
  return db
}

async function findSetting(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ value: string }>(`select current_setting('test.value', true) as value`)
  return row?.value
}

const setValue = (tx: Tx, value: string) => tx.query(`select set_config('test.value', $1, false)`, [value])

test('committed with statements whose results arrive after the deferred writes were sent', async () => {
  const db = open(5000)
  const order: string[] = []
  await db.transaction(async (tx) => {
    tx.commitBehind(setValue(tx, 'written').then(() => order.push('answered')))
    tx.writeLast('topic', [1], async () => {
      order.push('deferred')
      await tx.query('select 1')
    })
  })
  expect(order).toEqual(['deferred', 'answered'])
  expect(await findSetting(db)).toBe('written')
})

test('rolled back, with its error, when a statement before the commit fails', async () => {
  const db = open(5000)
  await setValue(db as unknown as Tx, 'before')
  const failing = db.transaction(async (tx) => {
    tx.commitBehind(setValue(tx, 'written'))
    tx.commitBehind(tx.query(`select 'x'::uuid`))
    tx.writeLast('topic', [1], async () => void (await tx.query('select 1')))
  })
  const error = await failing.catch((thrown: unknown) => thrown)
  expect(sqlState(error)).toBe('22P02')
  expect(await findSetting(db)).toBe('before')
})

test('rolled back when the work fails after it has sent a statement that fails, too', async () => {
  const db = open(5000)
  const failing = db.transaction(async (tx) => {
    tx.commitBehind(tx.query('select 1 / 0'))
    throw new Error('the work failed')
  })
  await expect(failing).rejects.toThrow('the work failed')
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})

test('committed in time: its own time begins when the statements before it have ended', async () => {
  const db = open(400)
  await db.transaction(async (tx) => {
    tx.commitBehind(tx.query('select pg_sleep(0.8)', [], { timeoutMs: 10_000 }))
  })
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
})
