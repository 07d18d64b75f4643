import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenDeliveries } from '../../../test/support/deliveries.ts'
import { newId } from '../../lib/ids.ts'
import { checkDelivered } from './check-delivered.ts'

let database: TestDatabase
const teamId = newId()
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** Inserts a delivery, and sets its result. */
async function given(domain: string, status: string, mxHost: string | null, response: string) {
  const id = newId()
  await givenDeliveries(database.db, teamId, [{ id, domain }])
  await database.db.query(
    `update delivery
     set status = $2, mx_host = $3, response = $4, attempts = 1, updated_at = $5, ready = false,
       due_at = case when $2 = 'delivery_delayed' then due_at end
     where email_id = $1`,
    [id, status, mxHost, response, new Date('2026-11-23T12:00:00Z')],
  )
}

test('a note before the first attempt; mail to capture mode and the simulator does not count', async () => {
  await given('example.com', 'delivered', 'capture', '250 stored')
  await given('simulator.test', 'delivered', 'simulator', '250 OK (simulated)')
  const finding = await checkDelivered(database.db)
  expect(finding).toMatchObject({ level: 'note', found: 'No email has left this machine yet.' })
  expect(finding.advice).toContain('sendwright send')
})

test('a warning with the last reply while no email is delivered', async () => {
  await given('receiver.test', 'delivery_delayed', 'mx.receiver.test', '450 4.7.1 try later')
  expect(await checkDelivered(database.db)).toMatchObject({
    level: 'warning',
    found: 'None yet. The last one, to receiver.test, is delivery_delayed: 450 4.7.1 try later',
  })
})

test('ok with the server that accepted an email', async () => {
  await given('receiver.test', 'delivered', 'mx.receiver.test', '250 OK')
  expect(await checkDelivered(database.db)).toMatchObject({
    level: 'ok',
    found: 'mx.receiver.test accepted an email on 2026-11-23.',
  })
})
