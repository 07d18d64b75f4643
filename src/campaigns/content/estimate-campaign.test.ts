import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import type { GivenTeam } from '../../../test/support/teams.ts'
import { contactRoutes } from '../../audience/contacts/contacts-routes.ts'
import { listRoutes } from '../../audience/lists/lists-routes.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import { campaignRoutes } from '../campaigns-routes.ts'
import { campaignContentRoutes } from './content-routes.ts'

/** Saturday, 11:00 in Berlin. */
const clock: Clock = { ...systemClock, now: () => new Date('2026-01-17T10:00:00Z') }

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let id: string

beforeAll(async () => {
  api = await startApi({
    routes: [...listRoutes, ...contactRoutes, ...campaignRoutes, ...campaignContentRoutes],
    clock,
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  const listId = (await ann.post('/lists', { name: 'Readers' })).json.id
  for (const name of ['ann', 'ben', 'cleo', 'dora'])
    await ann.post('/contacts', { email: `${name}@readers.test`, list_ids: [listId] })
  await ann.post('/contacts', { email: 'eve@readers.test', list_ids: [listId], unsubscribed: true })
  id = (await ann.post('/campaigns', { name: 'Spring', list_id: listId, rate_per_hour: 2 })).json.id
})

afterAll(() => api.stop())

test('200 with the contacts that would get it, and when by its rate and hours', async () => {
  const path = `/campaigns/${id}/estimate`
  const estimated = { object: 'campaign_estimate', count: 4, is_estimated: false }
  const now = await ann.get(path)
  expect(now.json).toEqual({
    ...estimated,
    begins_at: '2026-01-17 10:00:00',
    ends_at: '2026-01-17 12:00:00',
  })
  const window = { from: '09:00', to: '10:00', time_zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5] }
  await ann.patch(`/campaigns/${id}`, { send_window: window })
  const later = await ann.get(`${path}?scheduled_at=2026-01-24T12:00:00Z`)
  expect(later.json).toEqual({
    ...estimated,
    begins_at: '2026-01-26 08:00:00',
    ends_at: '2026-01-27 09:00:00',
  })
  await ann.patch(`/campaigns/${id}`, { send_window: null, rate_per_hour: null })
  expect((await ann.get(path)).json).toEqual({
    ...estimated,
    begins_at: '2026-01-17 10:00:00',
    ends_at: null,
  })
})

test('200 without an audience, 422 for a past time, 404 for another team, 409 once it has begun', async () => {
  const empty = (await ann.post('/campaigns', { name: 'Empty', rate_per_hour: 1 })).json.id
  expect((await ann.get(`/campaigns/${empty}/estimate`)).json).toMatchObject({
    count: 0,
    ends_at: '2026-01-17 10:00:00',
  })
  const past = await ann.get(`/campaigns/${empty}/estimate?scheduled_at=2026-01-16T12:00:00Z`)
  expect([past.status, past.json.errors.scheduled_at]).toEqual([
    422,
    ['The scheduled_at field must be a date in the future.'],
  ])
  expect((await bob.get(`/campaigns/${empty}/estimate`)).status).toBe(404)
  await api.db.query(
    `update campaign
     set status = 'sending', version = 1, started_at = created_at
     where team_id = $1 and id = $2`,
    [ann.id, empty],
  )
  expect((await ann.get(`/campaigns/${empty}/estimate`)).status).toBe(409)
})
