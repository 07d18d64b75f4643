import type { Tx } from '../db/db-types.ts'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { CampaignAnswer, CampaignRetry, campaignToJson, SendCampaignBody } from './campaign-schemas.ts'
import {
  cancelCampaign,
  duplicateCampaign,
  pauseCampaign,
  resumeCampaign,
  retryCampaign,
  sendCampaign,
} from './campaign-verbs.ts'
import { type CountedCampaign, countCampaign } from './counted-campaign.ts'
import type { Campaign } from './rows/campaigns-queries.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'campaigns', permission: 'full' } as const
const campaigns = new Resource('/campaigns', 'campaign', {
  ...COMMON,
  noun: 'campaign',
  schema: CampaignAnswer,
  toJson: (campaign: CountedCampaign, { deps: { clock } }) => campaignToJson(campaign, clock.now()),
})

const postSend = route('POST', '/campaigns/:id/send', {
  ...COMMON,
  operationId: 'sendCampaign',
  action: 'campaigns.send',
  summary: 'Send a campaign',
  description: 'Now, or at `scheduled_at`. Returns 409 once the campaign has begun.',
  params: IdParams,
  body: SendCampaignBody,
  responses: { 200: { description: 'The campaign.', schema: CampaignAnswer } },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const campaign = await audited.transaction(async (tx) =>
      countCampaign(tx, await sendCampaign(tx, caller.teamId, params.id, body.scheduled_at, clock.now())),
    )
    return { status: 200, json: campaignToJson(campaign, clock.now()) }
  },
})

type Change = (tx: Tx, teamId: string, id: string, now: Date) => Promise<Campaign>

/** Returns the change of a campaign that also counts its emails. */
function counted(change: Change) {
  return async (tx: Tx, teamId: string, id: string, now: Date): Promise<CountedCampaign> =>
    countCampaign(tx, await change(tx, teamId, id, now))
}

export const campaignVerbRoutes: readonly Route<ResourceDeps>[] = [
  postSend,
  campaigns.act('pause', 'pauseCampaign', 'Pause a campaign', {
    description: 'Within a second, none of its emails leaves. Returns 409 unless it is sending or paused.',
    act: counted(pauseCampaign),
  }),
  campaigns.act('resume', 'resumeCampaign', 'Resume a campaign', {
    description: 'Continues with the current content. Returns 409 unless it is paused or sending.',
    act: counted(resumeCampaign),
  }),
  campaigns.act('cancel', 'cancelCampaign', 'Cancel a campaign', {
    description: 'Cancels its emails that have not left. Returns 409 if it is sent.',
    act: counted(cancelCampaign),
  }),
  campaigns.act('duplicate', 'duplicateCampaign', 'Duplicate a campaign', {
    description: 'The copy is a draft named `Copy of ...`, with the same content and audience.',
    status: 201,
    response: 'The new campaign.',
    act: counted(duplicateCampaign),
  }),
  campaigns.act('retry', 'retryCampaign', 'Retry failed recipients of a campaign', {
    description:
      'Sends the current content to the recipients that failed, and resumes the campaign. Returns 409 unless it is paused or sent.',
    response: 'They wait again.',
    schema: CampaignRetry,
    act: async (tx, teamId, id, now) => ({ id, count: await retryCampaign(tx, teamId, id, now) }),
    toJson: ({ id, count }) => ({ object: 'campaign_retry', campaign_id: id, count }),
  }),
]
