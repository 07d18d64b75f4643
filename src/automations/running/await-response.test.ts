import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenEngine } from '../../../test/support/automation-engine.ts'
import { type ChainStep, chainOf, onEvent } from '../../../test/support/automations.ts'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { daysBefore, makeWeekOf } from '../../../test/support/old-weeks.ts'
import { newId } from '../../lib/ids.ts'
import { moveRuns } from '../move-runs.ts'
import { type RunContact, readRunContacts } from '../rows/contact-scopes-queries.ts'
import type { AutomationRun } from '../rows/runs-queries.ts'
import { callWebhook } from './step-effects.ts'

let database: TestDatabase
/** Calls have ids of the time at which they are made. */
const START = daysBefore(new Date(), 3)
beforeAll(async () => {
  database = await createDatabase()
  await makeWeekOf(database.db, START)
})
afterAll(() => database.drop())

/** An automation whose run asks an endpoint, and ends as `default` or `timeout` with the payload that it has then. */
async function given(config: object = { response_timeout: '1 hour' }, ...behind: ChainStep[]) {
  const { db } = database
  const engine = await givenEngine(db, START)
  const webhookId = newId()
  await db.query(
    `insert into webhook (team_id, id, url, types, status, sealed_secret, position, created_at, updated_at)
     values ($1, $2, 'https://hooks.test/', '{email.bounced}', 'enabled', '', 0, now(), now())`,
    [engine.teamId, webhookId],
  )
  const graphOf = (more: object) => {
    const graph = chainOf(onEvent('go'), ['ask', 'webhook', { webhook_id: webhookId, ...more }], ...behind, [
      'default',
      'exit',
      { reason: 'default' },
    ])
    if (!('response_timeout' in more)) return graph
    graph.steps.push({ key: 'late', type: 'exit', config: { reason: 'timeout' } })
    graph.connections.push({ from: 'ask', to: 'late', type: 'timeout' })
    return graph
  }
  const { id } = await engine.activate(graphOf(config))
  const [contactId = ''] = await engine.contacts(1)
  await engine.report('go', contactId)
  await engine.work()
  return {
    ...engine,
    id,
    contactId,
    graphOf,
    calls: () =>
      db.query<{ id: string }>('select id from webhook_delivery where team_id = $1', [engine.teamId]),
    async respond(status: string, code: number | null, text: string | null): Promise<void> {
      await db.query(
        `update webhook_delivery
         set status = $2, due_at = case when $2 = 'waiting' then due_at end, answer_status = $3, answer = $4
         where team_id = $1`,
        [engine.teamId, status, code, text],
      )
    },
    async expectEnd(reason: string, payload: object): Promise<void> {
      await engine.work()
      expect(await engine.runs()).toMatchObject([{ state: 'ended', reason, payload }])
    },
  }
}

const SECOND = 1 / 3600

test('a run looks for its response soon, later less often, and calls once', async () => {
  const engine = await given()
  for (const seconds of [1, 30, 600]) {
    await engine.work()
    const [run] = await engine.runs()
    expect(run).toMatchObject({ state: 'active', step: 'ask', awaits: 'automation.webhook' })
    const waitMs = (run?.dueAt?.getTime() ?? 0) - engine.at().getTime()
    expect(waitMs).toBeGreaterThanOrEqual(1000)
    expect(waitMs).toBeLessThanOrEqual(60_000)
    engine.later(seconds * SECOND)
  }
  await engine.respond('delivered', 200, '{"ok": true}')
  engine.later(60 * SECOND)
  await engine.expectEnd('default', { ask: { status: 200, body: { ok: true } } })
  expect(await engine.calls()).toHaveLength(1)
})

describe('the connection timeout is taken', () => {
  test('after the time, with the last response', async () => {
    const engine = await given()
    await engine.respond('waiting', 503, 'busy')
    engine.later(0.9)
    await engine.work()
    await engine.expectOutcomes({ active: 1 })
    engine.later(0.11)
    await engine.expectEnd('timeout', { ask: { status: 503, body: 'busy' } })
  })

  test('when the call is given up, or its webhook is gone', async () => {
    for (const end of ['failed', 'gone']) {
      const engine = await given()
      if (end === 'failed') await engine.respond('failed', 410, null)
      else await database.db.query('delete from webhook_delivery where team_id = $1', [engine.teamId])
      engine.later(0.1)
      await engine.expectEnd('timeout', { ask: { status: end === 'failed' ? 410 : null, body: null } })
    }
  })
})

test('a call fails when its webhook is being disabled while the call is committed', async () => {
  const engine = await given()
  const { db } = database
  const { teamId, contactId } = engine
  const [run] = (await engine.runs()) as [AutomationRun]
  const [webhook] = (await db.query('select id from webhook where team_id = $1', [teamId])) as [
    { id: string },
  ]
  const step = { key: 'ask', type: 'webhook', config: { webhook_id: webhook.id } } as const
  const contact = (await readRunContacts(db, teamId, [contactId])).get(contactId) as RunContact
  const call = () => {
    run.moves++
    return db.transaction((tx) => callWebhook(tx, run, step, contact, engine.at()))
  }
  const waiting = () =>
    db.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  const sent = await call()
  let late: Promise<string> | undefined
  await db.transaction(async (tx) => {
    await tx.query(`update webhook set status = 'disabled', disabled_at = now() where team_id = $1`, [teamId])
    late = call()
    await expect.poll(waiting).toHaveLength(1)
  })
  const statuses = await db.query(
    'select id, status, due_at is null as is_over from webhook_delivery where id = any ($1) order by status desc',
    [`{${sent},${await late}}`],
  )
  expect(statuses).toEqual([
    { id: sent, status: 'waiting', isOver: false },
    { id: await late, status: 'failed', isOver: true },
  ])
})

test('the timeout counts from the call, which a pause held up', async () => {
  const engine = await given({})
  await engine.expectEnd('default', {})
  await engine.change(engine.id, {
    ...engine.graphOf({ response_timeout: '1 hour' }),
    settings: { reentry: 'after_exit' },
  })
  const [contactId = ''] = await engine.contacts(1)
  await engine.change(engine.id, { status: 'paused' })
  await engine.change(engine.id, { status: 'active' })
  await engine.report('go', contactId)
  engine.later(48)
  await engine.work()
  await engine.expectOutcomes({ exited: 1, active: 1 })
  expect(await engine.calls()).toHaveLength(2)
})

test('a run waits on where it called, and is moved only to a version that calls the same webhook', async () => {
  const engine = await given()
  const move = async (fromVersion: number) =>
    database.db.transaction((tx) => moveRuns(tx, engine.teamId, engine.id, { fromVersion, isDryRun: false }))
  await engine.change(engine.id, engine.graphOf({}))
  expect(await move(1)).toMatchObject({ moved: 0, left: 1 })
  await engine.change(engine.id, engine.graphOf({ response_timeout: '2 hours' }))
  expect(await move(1)).toMatchObject({ moved: 1, left: 0 })
  engine.later(1.5)
  await engine.work()
  await engine.expectOutcomes({ active: 1 })
  await engine.respond('delivered', 200, '"late"')
  engine.later(0.1)
  await engine.expectEnd('default', { ask: { status: 200, body: 'late' } })
  expect(await engine.calls()).toHaveLength(1)
})

test('an event that came before the response is heard by the wait behind it', async () => {
  const engine = await given({ response_timeout: '1 hour' }, [
    'callback',
    'wait_for_event',
    { event_name: 'back', timeout: '1 hour' },
  ])
  await engine.report('back', engine.contactId, { no: 1 })
  await engine.work()
  await engine.respond('delivered', 200, '"ok"')
  engine.later(0.1)
  await engine.expectEnd('default', { ask: { status: 200, body: 'ok' }, no: 1 })
})

test('a response after the timeout is late, also when the run looks for it later', async () => {
  const engine = await given()
  await engine.change(engine.id, { status: 'paused' })
  engine.later(2)
  await engine.respond('delivered', 200, '{}')
  await database.db.query('update webhook_delivery set updated_at = $2 where team_id = $1', [
    engine.teamId,
    engine.at(),
  ])
  await engine.work()
  await engine.change(engine.id, { status: 'active' })
  engine.later(1)
  await engine.expectEnd('timeout', { ask: { status: 200, body: {} } })
})

test.each([
  ['', ''],
  ['no JSON {', 'no JSON {'],
  ['{"a": [1, {"__proto__": {"b": null}}]}', JSON.parse('{"a": [1, {"__proto__": {"b": null}}]}')],
  // PostgreSQL stores neither in JSON.
  [String.raw`{"a": "\u0000"}`, String.raw`{"a": "\u0000"}`],
  [String.raw`["\ud800"]`, String.raw`["\ud800"]`],
  [String.raw`"\\u0000"`, String.raw`\u0000`],
])('the body %j joins the payload as JSON or text', async (text, body) => {
  const engine = await given()
  await engine.respond('delivered', 200, text)
  engine.later(0.1)
  await engine.expectEnd('default', { ask: { status: 200, body } })
})

test('a body for which the payload has no room is left out', async () => {
  const engine = await given()
  await database.db.query('update automation_run set payload = $2 where team_id = $1', [
    engine.teamId,
    { long: 'x'.repeat(99_000) },
  ])
  await engine.respond('delivered', 200, JSON.stringify('y'.repeat(2_000)))
  engine.later(0.1)
  await engine.expectEnd('default', { ask: { status: 200, body: null } })
})
