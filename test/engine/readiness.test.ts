import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSendwright, type TestSendwright } from '../support/sendwright.ts'

let service: TestSendwright
beforeAll(async () => {
  // No process delivers.
  service = await startTestSendwright({ roles: ['api'], environment: { SENDWRIGHT_READY_AGE_MAX: '10m' } })
})
afterAll(() => service.stop())

test('503 with the reason when a ready delivery has waited too long; 200 again when it is gone', async () => {
  const ann = await service.givenSender()
  const id = await ann.send()
  const ready = () =>
    fetch(`${service.url}/readyz`).then(async (reply) => ({
      status: reply.status,
      json: JSON.parse(await reply.text()),
    }))
  const age = (interval: string) =>
    service.db.query(
      `update delivery set due_at = due_at - $3::interval where team_id = $1 and email_id = $2`,
      [ann.id, id, interval],
    )
  await age('9 minutes')
  expect((await ready()).status).toBe(200)
  await age('2 minutes')
  const { status, json } = await ready()
  expect(status).toBe(503)
  expect(json.checks.queue).toMatchObject({ status: 'unavailable', oldest_ready_seconds_max: 600 })
  expect(json.checks.queue.oldest_ready_seconds).toBeGreaterThan(600)
  expect(json.checks.database.status).toBe('ok')
  await service.db.query('delete from delivery where team_id = $1 and email_id = $2', [ann.id, id])
  expect((await ready()).status).toBe(200)
})
