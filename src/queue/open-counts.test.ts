import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSendwright, type TestSendwright } from '../../test/support/sendwright.ts'
import { countOpen, countOpenByClass } from './open-counts-queries.ts'

let service: TestSendwright
beforeAll(async () => {
  // No process delivers: accepted mail stays as it is.
  service = await startTestSendwright({ roles: ['api'] })
})
afterAll(() => service.stop())

test('counts what is ready, leased, delayed and scheduled; finished deliveries do not count', async () => {
  const ann = await service.givenSender()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  for (let count = 0; count < 4; count++) await ann.send({ to: ['a@x.test', 'b@x.test'] })
  await ann.send({ scheduled_at: later })
  const canceled = await ann.send({ scheduled_at: later })
  await ann.post(`/emails/${canceled}/cancel`)
  const change = (no: number, fields: string) =>
    service.db.query(
      `update delivery d
       set ready = false, ${fields}
       from (select email_id from delivery where team_id = $1 and ready and no = $2 order by email_id limit 1) k
       where d.team_id = $1 and d.email_id = k.email_id and d.no = $2`,
      [ann.id, no],
    )
  await change(0, `leased_until = due_at, leased_by = '${crypto.randomUUID()}'`)
  await change(1, `status = 'delivery_delayed'`)
  const transactional = { ready: 6, leased: 1, delayed: 1, scheduled: 1 }
  expect(await countOpen(service.db)).toEqual(transactional)
  await ann.send({ to: ['a@x.test', 'b@x.test'], class: 'bulk' })
  await ann.send({ scheduled_at: later, class: 'bulk' })
  expect(await countOpenByClass(service.db)).toEqual({
    transactional,
    bulk: { ready: 2, leased: 0, delayed: 0, scheduled: 1 },
  })
  expect(await countOpen(service.db)).toMatchObject({ ready: 8, scheduled: 2 })
})
