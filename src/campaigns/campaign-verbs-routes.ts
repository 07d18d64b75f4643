import type { Tx } from '../db/db-types.ts'
import type { ResourceDeps } from '../http/route/resource.ts'
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
import { countCampaign } from './counted-campaign.ts'
import type { Campaign } from './rows/campaigns-queries.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { tag: 'Campaigns', permission: 'full', limit: 'general' } as const
const ONE = { description: 'The campaign.', schema: CampaignAnswer }

const postSend = route('POST', '/campaigns/:id/send', {
  ...COMMON,
  operationId: 'sendCampaign',
  action: 'campaigns.send',
  summary: 'Send a campaign',
  description: 'Now, or at `scheduled_at`. Returns 409 once the campaign has begun.',
  params: IdParams,
  body: SendCampaignBody,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const campaign = await audited.transaction(async (tx) =>
      countCampaign(tx, await sendCampaign(tx, caller.teamId, params.id, body.scheduled_at, clock.now())),
    )
    return { status: 200, json: campaignToJson(campaign, clock.now()) }
  },
})

/** A change of the status without parameters. */
function verbRoute(
  verb: 'pause' | 'resume' | 'cancel',
  change: (tx: Tx, teamId: string, id: string, now: Date) => Promise<Campaign>,
  description: string,
): Route<ResourceDeps> {
  const title = verb.charAt(0).toUpperCase() + verb.slice(1)
  return route('POST', `/campaigns/:id/${verb}`, {
    ...COMMON,
    operationId: `${verb}Campaign`,
    action: `campaigns.${verb}`,
    summary: `${title} a campaign`,
    description,
    params: IdParams,
    responses: { 200: ONE },
    async handle({ caller, params, audited, deps: { clock } }) {
      const campaign = await audited.transaction(async (tx) =>
        countCampaign(tx, await change(tx, caller.teamId, params.id, clock.now())),
      )
      return { status: 200, json: campaignToJson(campaign, clock.now()) }
    },
  })
}

const postPause = verbRoute(
  'pause',
  pauseCampaign,
  'Within a second, none of its emails leaves. Returns 409 unless it is sending or paused.',
)
const postResume = verbRoute(
  'resume',
  resumeCampaign,
  'Continues with the current content. Returns 409 unless it is paused or sending.',
)
const postCancel = verbRoute(
  'cancel',
  cancelCampaign,
  'Cancels its emails that have not left. Returns 409 if it is sent.',
)

const postDuplicate = route('POST', '/campaigns/:id/duplicate', {
  ...COMMON,
  operationId: 'duplicateCampaign',
  action: 'campaigns.duplicate',
  summary: 'Duplicate a campaign',
  description: 'The copy is a draft named `Copy of ...`, with the same content and audience.',
  params: IdParams,
  responses: { 201: { ...ONE, description: 'The new campaign.' } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const campaign = await audited.transaction(async (tx) =>
      countCampaign(tx, await duplicateCampaign(tx, caller.teamId, params.id, clock.now())),
    )
    return { status: 201, json: campaignToJson(campaign, clock.now()) }
  },
})

const postRetry = route('POST', '/campaigns/:id/retry', {
  ...COMMON,
  operationId: 'retryCampaign',
  action: 'campaigns.retry',
  summary: 'Retry failed recipients of a campaign',
  description:
    'Sends the current content to the recipients that failed, and resumes the campaign. Returns 409 unless it is paused or sent.',
  params: IdParams,
  responses: { 200: { description: 'They wait again.', schema: CampaignRetry } },
  async handle({ caller, params, audited, deps: { clock } }) {
    const count = await audited.transaction((tx) => retryCampaign(tx, caller.teamId, params.id, clock.now()))
    return { status: 200, json: { object: 'campaign_retry', campaign_id: params.id.toLowerCase(), count } }
  },
})

export const campaignVerbRoutes: readonly Route<ResourceDeps>[] = [
  postSend,
  postPause,
  postResume,
  postCancel,
  postDuplicate,
  postRetry,
]
