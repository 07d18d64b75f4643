import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import {
  addCampaignCounts,
  type CampaignRow,
  noCampaignCounts,
} from '../metrics/campaigns/campaign-counts-queries.ts'
import { campaignRoutes } from './campaigns-routes.ts'

let api: Api
let ann: GivenTeam
let bob: GivenTeam

beforeAll(async () => {
  api = await startApi({ routes: campaignRoutes })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
})

afterAll(() => api.stop())

async function givenCampaign(team: GivenTeam, status: 'draft' | 'sent' | 'sending'): Promise<string> {
  const { id } = (await team.post('/campaigns', { name: status })).json
  if (status === 'draft') return id
  await api.db.query(
    `with begun as (
       update campaign
       set status = $3, version = 1, audience_done = true, started_at = created_at,
         ended_at = case when $3 = 'sent' then created_at end
       where team_id = $1 and id = $2
     )
     insert into campaign_progress (team_id, campaign_id, waiting, accepted, skipped, failed)
     values ($1, $2, 4, 30, 2, 1)`,
    [team.id, id, status],
  )
  return id
}

/** Counts for a campaign in each of two hours, at each of two providers. */
async function giveResults(team: GivenTeam, campaignId: string, counts: Partial<CampaignRow['counts']>) {
  const rows = [0, 3_600_000].flatMap((sinceMs) =>
    ['google', 'yahoo'].map((provider) => ({
      teamId: team.id,
      campaignId,
      sinceMs,
      provider,
      counts: { ...noCampaignCounts(), ...counts },
    })),
  )
  await api.db.transaction((tx) => addCampaignCounts(tx, rows))
}

test('200 with the recipients and the sums of the results of each campaign, and of no other', async () => {
  const draft = await givenCampaign(ann, 'draft')
  const sent = await givenCampaign(ann, 'sent')
  const underWay = await givenCampaign(ann, 'sending')
  const foreign = await givenCampaign(bob, 'sent')
  await giveResults(ann, sent, { attempted: 5, bounced: 1, opened_unique: 3, failed: 1 })
  await giveResults(ann, underWay, { attempted: 2, clicked_unique: 1 })
  await giveResults(bob, foreign, { attempted: 99 })

  const recipients = { waiting: 4, accepted: 30, skipped: 2, failed: 1 }
  const none = noCampaignCounts()
  const sums = { ...none, attempted: 20, bounced: 4, opened_unique: 12, failed: 4 }
  const list = await ann.get('/campaigns')
  expect(list.json.data).toEqual([
    expect.objectContaining({
      id: underWay,
      recipients,
      totals: { ...none, attempted: 8, clicked_unique: 4 },
    }),
    expect.objectContaining({ id: sent, recipients, totals: sums }),
    expect.objectContaining({
      id: draft,
      recipients: { waiting: 0, accepted: 0, skipped: 0, failed: 0 },
      totals: none,
    }),
  ])
  const { json: one } = await ann.get(`/campaigns/${sent}`)
  expect(one).toMatchObject({ recipients, totals: sums })
  const { json: metrics } = await ann.get(`/campaigns/${sent}/metrics`)
  expect(metrics).toMatchObject({ recipients, totals: sums })
})
