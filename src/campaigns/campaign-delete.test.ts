import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import { insertOldEmails } from '../../test/support/old-weeks.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { newId } from '../lib/ids.ts'
import { systemClock } from '../lib/time/clock.ts'
import { campaignRoutes } from './campaigns-routes.ts'

let api: Api
let ann: GivenTeam

beforeAll(async () => {
  api = await startApi({ routes: campaignRoutes, deps: { secret: randomBytes(32) }, clock: systemClock })
  ann = await api.givenTeam()
})

afterAll(() => api.stop())

/** Stores a campaign that was canceled on its way, with two emails that were delivered. */
async function givenCanceled(): Promise<{ id: string; emailIds: string[] }> {
  const { id } = (await ann.post('/campaigns', { name: 'Spring' })).json
  const emailIds = await insertOldEmails(api.db, ann.id, 2, { at: new Date() })
  await api.db.query(
    `with canceled as (
       update campaign
       set status = 'canceled', version = 1, audience_done = true, started_at = created_at, ended_at = created_at
       where team_id = $1 and id = $2
     )
     insert into campaign_recipient (team_id, campaign_id, contact_id, state, email_id, updated_at)
     select $1, $2, gen_random_uuid(), 'accepted', k.id, $4
     from unnest($3::uuid[]) as k (id)`,
    [ann.id, id, emailIds, new Date()],
  )
  return { id, emailIds }
}

test.each([
  ['may be delivered at once', "status = 'queued', ready = true, due_at = now()"],
  ['waits for its next attempt', "status = 'delivery_delayed', due_at = now() + interval '1 hour'"],
  [
    'is being delivered',
    `status = 'queued', due_at = now(), leased_by = '${newId()}', leased_until = now() + interval '1 minute'`,
  ],
])('409 for a canceled campaign with an email that %s, until it has left the queue', async (_, fields) => {
  const { id, emailIds } = await givenCanceled()
  const other = await givenCanceled()
  const set = (sql: string) =>
    api.db.query(`update delivery set ${sql} where team_id = $1 and email_id = $2`, [ann.id, emailIds[0]])
  await set(fields)
  const refused = await ann.delete(`/campaigns/${id}`)
  expect([refused.status, refused.json.message]).toEqual([
    409,
    'Emails of this campaign are still in the queue. Try again later.',
  ])
  expect((await ann.delete(`/campaigns/${other.id}`)).status).toBe(200)
  await set("status = 'canceled', ready = false, due_at = null, leased_by = null, leased_until = null")
  expect((await ann.delete(`/campaigns/${id}`)).status).toBe(200)
})
