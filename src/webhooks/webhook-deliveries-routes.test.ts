import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { EVENT_KINDS, type EventType } from '../events/catalogue.ts'
import { recordEvents } from '../events/record-queries.ts'
import { newId } from '../lib/ids.ts'
import { createGuard } from '../lib/net/egress-guard.ts'
import { webhookDeliveryRoutes } from './webhook-deliveries-routes.ts'
import { webhookRoutes } from './webhooks-routes.ts'

const routes = [...webhookRoutes, ...webhookDeliveryRoutes]
let api: Api
let team: GivenTeam
let id: string

beforeAll(async () => {
  const guard = createGuard({ allowPrivate: false })
  api = await startApi({ routes, deps: { secret: randomBytes(32), guard } })
})
beforeEach(async () => {
  team = await api.givenTeam()
  id = (await team.post('/webhooks', { endpoint: 'https://shop.example.com/hooks' })).json.id
})
afterAll(() => api?.stop())

const HALF_HOUR_MS = 1_800_000
const HOUR_AGO = new Date(Date.now() - 2 * HALF_HOUR_MS)
const domainId = newId()

/** Records `count` events of the team. */
const recordEventsNow = (count: number, type: EventType = 'domain.created', at = new Date()) =>
  api.db.transaction(async (tx) =>
    recordEvents(
      tx,
      Array.from({ length: count }, (_, index) => ({
        teamId: team.id,
        subjectId: domainId,
        type,
        data: { name: `n${index}.example` },
      })),
      at,
    ),
  )

/** Marks all events as processed by the webhook. */
const catchUp = () =>
  api.db.query(
    'update webhook w set position = f.position from event_feed f where f.team_id = w.team_id and w.id = $1',
    [id],
  )

/** Writes the result that the engine writes at the end of a delivery. */
const end = (deliveryId: string, status: string, tries = 1) =>
  api.db.query(
    `update webhook_delivery
     set status = $2, due_at = null, answer_status = 503, answer = 'busy',
       tries = (select jsonb_agg(jsonb_build_object('at', '2026-01-15T09:30:00.000Z', 'status', 503, 'latency_ms', n,
         'error', 'It answered 503.')) from generate_series(1, $3) n)
     where id = $1`,
    [deliveryId, status, tries],
  )

interface Seen {
  id: string
  eventId: string | null
  status: string
  dueAt: Date | null
  replayedAs: string | null
}
/** The events of the waiting deliveries, as they are due. Ties are in the wrong order. */
async function queued() {
  const rows = await api.db.query<{ eventId: string }>(
    'select event_id from webhook_delivery where webhook_id = $1 and due_at <= $2 order by due_at, id desc',
    [id, new Date()],
  )
  return rows.map(({ eventId }) => eventId)
}
const deliveries = () =>
  api.db.query<Seen>(
    'select id, event_id, status, due_at, replayed_as from webhook_delivery where webhook_id = $1 order by id',
    [id],
  )
const nextRetry = async () =>
  (await api.db.query<{ at: Date | null }>('select next_retry_at as at from webhook where id = $1', [id]))[0]
    ?.at
const replay = (body: object = {}) =>
  team.post(`/webhooks/${id}/replay`, { since: HOUR_AGO.toISOString(), ...body })

describe('POST /webhooks/{id}/test', () => {
  test('202 with a delivery of an example event that is due now', async () => {
    const { status, json } = await team.post(`/webhooks/${id}/test`, { type: 'email.bounced' })
    expect([status, json]).toEqual([
      202,
      {
        object: 'webhook_delivery',
        id: expect.any(String),
        webhook_id: id,
        event_id: null,
        type: 'email.bounced',
        status: 'waiting',
        attempt_count: 0,
        response_status: null,
        latency_ms: null,
        next_attempt_at: expect.any(String),
        replayed_as: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect((await nextRetry())?.getTime()).toBeLessThanOrEqual(Date.now())
    const { json: whole } = await team.get(`/webhooks/${id}/deliveries/${json.id}`)
    const kind = EVENT_KINDS.find(({ type }) => type === 'email.bounced')
    expect(whole).toMatchObject({ ...json, response: null, attempts: [] })
    expect({ ...whole.request, body: JSON.parse(whole.request.body) }).toEqual({
      method: 'POST',
      url: 'https://shop.example.com/hooks',
      headers: { 'content-type': 'application/json', 'webhook-id': json.id },
      body: { type: 'email.bounced', created_at: json.created_at, data: kind?.example },
    })
  })

  test('202 without a body, with the first event type of the webhook', async () => {
    expect((await team.post(`/webhooks/${id}/test`)).json.type).toBe('email.delivered')
    await team.patch(`/webhooks/${id}`, { events: ['domain.failed', 'email.sent'] })
    expect((await team.post(`/webhooks/${id}/test`)).json.type).toBe('domain.failed')
  })

  test('422 for an unknown event type, 409 while the webhook is disabled', async () => {
    expect((await team.post(`/webhooks/${id}/test`, { type: 'toString' })).json.errors).toHaveProperty('type')
    await team.patch(`/webhooks/${id}`, { status: 'disabled' })
    const { status, json } = await team.post(`/webhooks/${id}/test`)
    expect([status, json.message]).toEqual([409, 'This webhook is disabled: enable it first.'])
    expect(await deliveries()).toEqual([])
  })
})

describe('GET /webhooks/{id}/deliveries', () => {
  test('200 newest first, in pages, by status and by event type', async () => {
    const ids: string[] = []
    for (const type of ['email.sent', 'email.opened', 'email.sent', 'email.opened']) {
      ids.unshift((await team.post(`/webhooks/${id}/test`, { type })).json.id)
    }
    const [a, b, c, d] = ids as [string, string, string, string]
    await end(a, 'delivered')
    await end(b, 'failed')
    const read = async (query: string) => {
      const { json } = await team.get(`/webhooks/${id}/deliveries?${query}`)
      return [json.data.map((row: { id: string }) => row.id), json.has_more, json.meta.total]
    }
    expect(await read('')).toEqual([ids, false, 4])
    expect(await read('limit=2')).toEqual([[a, b], true, 4])
    expect(await read(`limit=1&after=${b}`)).toEqual([[c], true, 4])
    expect(await read(`limit=1&before=${d}`)).toEqual([[c], true, 4])
    expect(await read('per_page=3&page=2')).toEqual([[d], false, 4])
    expect(await read('status=delivered')).toEqual([[a], false, 1])
    expect(await read('status=failed')).toEqual([[b], false, 1])
    expect(await read('status=waiting')).toEqual([[c, d], false, 2])
    expect(await read('type=email.sent')).toEqual([[b, d], false, 2])
    expect(await read('type=email.sent&status=waiting')).toEqual([[d], false, 1])
    expect(await read('type=email.sent&status=delivered')).toEqual([[], false, 0])
  })

  test('200 with links that keep the filters', async () => {
    await team.post(`/webhooks/${id}/test`)
    await team.post(`/webhooks/${id}/test`)
    const { links } = (await team.get(`/webhooks/${id}/deliveries?status=waiting&limit=1`)).json
    expect(links.next).toBe(`https://api.test/webhooks/${id}/deliveries?limit=1&status=waiting&page=2`)
  })

  test('200 with every attempt and the response', async () => {
    const { json } = await team.post(`/webhooks/${id}/test`)
    await end(json.id, 'failed', 2)
    const { json: whole } = await team.get(`/webhooks/${id}/deliveries/${json.id}`)
    expect(whole).toMatchObject({
      status: 'failed',
      attempt_count: 2,
      response_status: 503,
      latency_ms: 2,
      next_attempt_at: null,
      response: { status: 503, body: 'busy' },
    })
    const attempt = { at: '2026-01-15 09:30:00', status: 503, error: 'It answered 503.' }
    expect(whole.attempts).toEqual([
      { ...attempt, latency_ms: 1 },
      { ...attempt, latency_ms: 2 },
    ])
  })

  test('404 for deliveries of another team, of another webhook, and of a deleted webhook', async () => {
    const { json } = await team.post(`/webhooks/${id}/test`)
    const other = (await team.post('/webhooks', { endpoint: 'https://b.example' })).json.id
    const eve = await api.givenTeam()
    expect((await eve.get(`/webhooks/${id}/deliveries`)).status).toBe(404)
    expect((await team.get(`/webhooks/${other}/deliveries/${json.id}`)).status).toBe(404)
    expect((await team.post(`/webhooks/${other}/deliveries/${json.id}/replay`)).status).toBe(404)
    await team.delete(`/webhooks/${id}`)
    expect((await team.get(`/webhooks/${id}/deliveries/${json.id}`)).status).toBe(404)
  })
})

describe('POST /webhooks/{id}/deliveries/{deliveryId}/replay', () => {
  test('202 with a new delivery of the same event, which the old one names', async () => {
    await recordEventsNow(1)
    await catchUp()
    await replay()
    const [first] = (await deliveries()) as [Seen]
    await end(first.id, 'failed')
    await api.db.query('update webhook set next_retry_at = null where id = $1', [id])
    const { status, json } = await team.post(`/webhooks/${id}/deliveries/${first.id}/replay`)
    expect(status).toBe(202)
    expect(json).toMatchObject({ event_id: first.eventId, status: 'waiting', attempt_count: 0 })
    expect(json.id).not.toBe(first.id)
    expect((await team.get(`/webhooks/${id}/deliveries/${first.id}`)).json.replayed_as).toBe(json.id)
    expect(await nextRetry()).not.toBeNull()
    const { json: whole } = await team.get(`/webhooks/${id}/deliveries/${json.id}`)
    expect(JSON.parse(whole.request.body)).toMatchObject({
      type: 'domain.created',
      data: { name: 'n0.example' },
    })
    expect(whole.request.headers['webhook-id']).toBe(first.eventId)
  })

  test('202 with the webhook-id of the first delivery, however often one without an event is replayed', async () => {
    const first = (await team.post(`/webhooks/${id}/test`)).json.id
    let last = first
    for (let count = 0; count < 2; count++) {
      await end(last, 'failed')
      last = (await team.post(`/webhooks/${id}/deliveries/${last}/replay`)).json.id
    }
    expect(last).not.toBe(first)
    const { json } = await team.get(`/webhooks/${id}/deliveries/${last}`)
    expect(json.request.headers['webhook-id']).toBe(first)
  })

  test('202 with the same delivery, due now, if it waits', async () => {
    const { json } = await team.post(`/webhooks/${id}/test`)
    await api.db.query(`update webhook_delivery set due_at = now() + interval '1 day' where id = $1`, [
      json.id,
    ])
    const again = await team.post(`/webhooks/${id}/deliveries/${json.id}/replay`)
    expect([again.status, again.json.id]).toEqual([202, json.id])
    const [row] = (await deliveries()) as [Seen]
    expect(row.dueAt?.getTime()).toBeLessThanOrEqual(Date.now())
    expect(await deliveries()).toHaveLength(1)
  })
})

describe('POST /webhooks/{id}/replay', () => {
  test('202 with the events of the time range, in order, whether or not they were sent before', async () => {
    await recordEventsNow(2, 'domain.created', new Date(HOUR_AGO.getTime() - 1))
    await recordEventsNow(3, 'domain.failed', HOUR_AGO)
    await recordEventsNow(2, 'domain.created', new Date(HOUR_AGO.getTime() + 1))
    await recordEventsNow(100, 'contact.created', new Date(HOUR_AGO.getTime() + HALF_HOUR_MS))
    await catchUp()
    const until = new Date(HOUR_AGO.getTime() + HALF_HOUR_MS).toISOString()
    const reply = await replay({ until })
    expect([reply.status, reply.json]).toEqual([
      202,
      { object: 'webhook_replay', webhook_id: id, count: 5, has_more: false, cursor: null },
    ])
    const events = await api.db.query<{ id: string }>(
      'select id from event where team_id = $1 and position between 3 and 7 order by position',
      [team.id],
    )
    expect((await deliveries()).map((row) => row.eventId)).toEqual(events.map((event) => event.id))
    expect((await replay({ types: ['domain.failed'] })).json.count).toBe(3)
    expect((await replay({ until: new Date(HOUR_AGO.getTime() + 1).toISOString() })).json.count).toBe(3)
    await team.patch(`/webhooks/${id}`, { events: ['contact.created'] })
    expect((await replay({ until })).json.count).toBe(0)
    expect((await replay()).json.count).toBe(100)
    expect((await nextRetry())?.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('202 without events that the webhook has not reached', async () => {
    await recordEventsNow(2)
    await catchUp()
    await recordEventsNow(3)
    expect((await replay()).json.count).toBe(2)
  })

  test('202 with a full batch and a cursor, until every event was replayed once', async () => {
    await recordEventsNow(10_500)
    await catchUp()
    const first = (await replay()).json
    expect(first).toMatchObject({ count: 10_000, has_more: true, cursor: expect.any(String) })
    expect((await replay({ cursor: first.cursor })).json).toMatchObject({ count: 500, cursor: null })
    const events = (await deliveries()).map((row) => row.eventId)
    expect([events.length, new Set(events).size]).toEqual([10_500, 10_500])
    expect(await queued()).toEqual(events)
  })

  test('202 at once with the events on both sides of a gap in the feed, as a restore leaves it', async () => {
    await recordEventsNow(2)
    await api.db.query('update event_feed set position = position + 1000000000 where team_id = $1', [team.id])
    await recordEventsNow(3)
    await catchUp()
    expect((await replay()).json).toMatchObject({ count: 5, has_more: false })
    await api.db.query('delete from event where team_id = $1', [team.id])
    expect((await replay()).json).toMatchObject({ count: 0, has_more: false })
  })

  test('202 with failed deliveries that were not replayed since', async () => {
    await recordEventsNow(1, 'domain.created', new Date(HOUR_AGO.getTime() - 1000))
    await recordEventsNow(4)
    await catchUp()
    await replay({ since: '2020-01-01T00:00:00Z' })
    const made = await deliveries()
    const [early, a, b, c, d] = made as [Seen, Seen, Seen, Seen, Seen]
    for (const { id: failed } of [early, a, b, c]) await end(failed, 'failed')
    await end(d.id, 'delivered')
    await team.post(`/webhooks/${id}/test`).then(({ json }) => end(json.id, 'failed'))
    await team.post(`/webhooks/${id}/deliveries/${a.id}/replay`)
    const before = (await deliveries()).length
    expect((await replay({ only_failed: true })).json).toMatchObject({ count: 2, cursor: null })
    const after = await deliveries()
    expect(after.slice(before).map((row) => row.eventId)).toEqual([b.eventId, c.eventId])
    const eventIds = [b.eventId, c.eventId]
    expect((await queued()).filter((eventId) => eventIds.includes(eventId))).toEqual(eventIds)
    expect(after.find((row) => row.id === b.id)?.replayedAs).toBe(after[before]?.id)
    expect((await replay({ only_failed: true })).json.count).toBe(0)
  })

  test('422 for invalid times, events and cursors, 409 while the webhook is disabled, 404 for an unknown webhook', async () => {
    const errors = async (body: object) => Object.keys((await replay(body)).json.errors ?? {})
    expect(await errors({ since: undefined })).toEqual(['since'])
    expect(await errors({ since: 'yesterday' })).toEqual(['since'])
    expect(await errors({ until: '2001-01-01T00:00:00Z' })).toEqual(['until'])
    expect(await errors({ types: ['x', 'email.sent'] })).toEqual(['types.0'])
    expect(await errors({ cursor: newId() })).toEqual(['cursor'])
    expect(await errors({ cursor: '12', only_failed: true })).toEqual(['cursor'])
    await recordEventsNow(1)
    await catchUp()
    await team.patch(`/webhooks/${id}`, { status: 'disabled' })
    expect((await replay()).status).toBe(409)
    expect(await deliveries()).toEqual([])
    expect((await team.post(`/webhooks/${newId()}/replay`, { since: HOUR_AGO.toISOString() })).status).toBe(
      404,
    )
  })
})

test('null as the request body once the event is deleted', async () => {
  await recordEventsNow(1)
  await catchUp()
  await replay()
  await api.db.query('delete from event where team_id = $1', [team.id])
  const [row] = (await deliveries()) as [Seen]
  expect((await team.get(`/webhooks/${id}/deliveries/${row.id}`)).json.request.body).toBeNull()
})
