import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/support/database.ts'
import { givenDeliveries } from '../../test/support/deliveries.ts'
import { arrays } from '../db/arrays.ts'
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

test('only what could be sent now counts: not what a live process reports as closed', async () => {
  const { db, drop } = await createDatabase()
  onTestFinished(drop)
  const now = new Date()
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  await givenDeliveries(db, newId(), [
    { domain: 'open.test', dueAt: ago(60) },
    { domain: 'paused.test', dueAt: ago(5000) },
  ])
  const [one, other] = [newId(), newId()]
  const report = (nodeId: string, closedDomains: string[], at: Date) =>
    db.query(
      `insert into site_reporter (node_id, reported_at, closed_domains)
       values ($1, $2, $3)
       on conflict (node_id) do update
       set reported_at = excluded.reported_at, closed_domains = excluded.closed_domains`,
      [nodeId, at, arrays.text(closedDomains)],
    )
  await report(one, ['elsewhere.test', 'paused.test'], ago(14))
  await report(other, [], ago(1))
  expect(await oldestReadySeconds(db, now)).toBe(60)
  // A process that no longer reports may have died: nothing shows that the site is still paused.
  await report(one, ['elsewhere.test', 'paused.test'], ago(16))
  expect(await oldestReadySeconds(db, now)).toBe(5000)
  await report(other, ['*'], now)
  expect(await oldestReadySeconds(db, now)).toBe(0)
})
