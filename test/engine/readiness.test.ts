import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { requester } from '../support/client.ts'
import { startMx } from '../support/mx.ts'
import { makeRules } from '../support/rules.ts'
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

const OPERATOR = 'the-token-of-the-operator-of-this-test'
/** Sites are reported every three seconds. */
const POLL = { timeout: 60_000 }

/** Starts a service that delivers, in which a reply with `blocked` pauses a site for an hour. */
async function startDelivering(environment: Record<string, string>): Promise<TestSendwright> {
  const rules = makeRules()
  rules.write({ shaping: [{ replies: [{ pattern: 'blocked', action: 'pause', for: '1h' }] }] })
  const delivering = await startTestSendwright({
    environment: {
      SENDWRIGHT_RULES_FILE: rules.path,
      SENDWRIGHT_READY_AGE_MAX: '10m',
      SENDWRIGHT_OPERATOR_TOKEN: OPERATOR,
      ...environment,
    },
  })
  onTestFinished(async () => {
    await delivering.stop()
    rules.remove()
  })
  return delivering
}

test.each(['a provider', 'a relay'])(
  '200 while the late mail waits for %s that paused it by a reply',
  async (kind) => {
    const blocking = await startMx({
      script: [{ expect: 'MAIL FROM', answer: '421 4.7.0 You are blocked', times: 1 }],
    })
    onTestFinished(() => blocking.close())
    const delivering = await startDelivering(
      kind === 'a relay' ? { SENDWRIGHT_DELIVERY: `smtp://127.0.0.1:${blocking.port}` } : {},
    )
    if (kind === 'a provider')
      delivering.mx.script({ expect: 'MAIL FROM', answer: '421 4.7.0 You are blocked', times: 1 })
    const ann = await delivering.givenSender()
    const to = `bob@${delivering.givenDestination()}`
    await ann.seen(await ann.send({ to }), ({ status }) => status === 'delivery_delayed')
    const id = await ann.send({ to })
    const late = `update delivery set due_at = due_at - interval '20 minutes'
    where team_id = $1 and email_id = $2 and ready
    returning no`
    await expect.poll(() => delivering.db.query(late, [ann.id, id]), POLL).toHaveLength(1)
    const oldest = async () => {
      const reply = await fetch(`${delivering.url}/readyz`)
      const { checks } = JSON.parse(await reply.text())
      return [reply.status, checks.queue.oldest_ready_seconds]
    }
    await expect.poll(oldest, POLL).toEqual([200, 0])
    const operator = requester(delivering.url, OPERATOR)
    expect((await operator.get('/operator/health')).json.queue.oldest_ready_seconds).toBe(0)
    expect((await operator.get('/operator/queue')).json.oldest_ready_seconds).toBe(0)
  },
)
