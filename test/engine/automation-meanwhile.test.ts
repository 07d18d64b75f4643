import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainOf, givenAutomations, onEvent } from '../support/automations.ts'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
beforeAll(async () => {
  service = await startTestSendwright({ environment: { SENDWRIGHT_RETRY_SCHEDULE: '10m' } })
})
afterAll(() => service.stop())

test('no second attempt for those who unsubscribe or are deleted meanwhile, unless a later step of the run did it', async () => {
  const world = await givenAutomations(service)
  const { ann, to } = world
  const email = await world.givenEmail()
  await world.activate(chainOf(onEvent('bulk'), ['mail', 'send_email', email]))
  await world.activate(
    chainOf(onEvent('alone'), ['mail', 'send_email', { ...email, class: 'transactional' }]),
  )
  await world.activate(
    chainOf(onEvent('deletes'), ['mail', 'send_email', email], ['delete', 'contact_delete']),
  )
  await world.activate(
    chainOf(
      onEvent('leaves'),
      ['mail', 'send_email', email],
      ['leave', 'contact_update', { unsubscribed: true }],
    ),
  )
  const events = ['bulk', 'alone', 'bulk', 'alone', 'deletes', 'leaves']
  service.mx.script({ expect: 'RCPT TO:<c', answer: '450 4.2.0 Later', times: events.length })
  for (const [no, event] of events.entries()) await world.report(event, no)
  const listed = async () => (await ann.get(`/emails?per_page=100`)).json.data
  const statuses = async () =>
    Object.fromEntries(
      (await listed()).map((one: { to: string[]; status: string }) => [
        String(one.to[0]).slice(0, 2),
        one.status,
      ]),
    )
  const each = (...all: string[]) => Object.fromEntries(all.map((status, no) => [`c${no}`, status]))
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(each(...events.map(() => 'delivery_delayed')))
  await ann.patch(`/contacts/c0@${to}`, { unsubscribed: true })
  await ann.patch(`/contacts/c1@${to}`, { unsubscribed: true })
  await ann.delete(`/contacts/c2@${to}`)
  await service.db.query(
    `update delivery set due_at = now(), ready = true where team_id = $1 and status = 'delivery_delayed'`,
    [ann.id],
  )
  await expect
    .poll(statuses, { timeout: 30_000 })
    .toEqual(each('suppressed', 'suppressed', 'canceled', 'delivered', 'delivered', 'delivered'))
  const attempts = [0, 1, 2].map(
    (no) => service.mx.commands.filter(({ line }) => line.startsWith(`RCPT TO:<c${no}@${to}`)).length,
  )
  expect(attempts).toEqual([1, 1, 1])
})
