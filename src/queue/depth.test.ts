import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { givenDeliveries } from '../../test/support/deliveries.ts'
import { newId } from '../lib/ids.ts'
import { oldestReadyByClass, oldestReadySeconds } from './depth-queries.ts'

test('0 when nothing waits; else the age of the oldest, although it belongs to the last team', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const now = new Date()
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  expect(await oldestReadySeconds(db, now)).toBe(0)
  const many = Array.from({ length: 11_000 }, (_, i) => ({ domain: `d${i % 3}.test`, dueAt: ago(5) }))
  await givenDeliveries(db, newId(), many)
  await givenDeliveries(db, newId(), [
    { domain: 'a.test', dueAt: ago(7) },
    { domain: 'z.test', dueAt: ago(90) },
  ])
  expect(await oldestReadySeconds(db, now)).toBe(90)
  await givenDeliveries(db, newId(), [{ domain: 'a.test', dueAt: ago(200), isBulk: true }])
  expect(await oldestReadyByClass(db, now)).toEqual({ transactional: 90, bulk: 200 })
  expect(await oldestReadySeconds(db, now)).toBe(200)
})
