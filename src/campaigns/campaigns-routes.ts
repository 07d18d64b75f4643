import type { Static } from 'typebox'
import { Resource, type ResourceDeps } from '../http/route/resource.ts'
import { type Route, routesOf } from '../http/route/route.ts'
import { IdParams } from '../http/route/schemas.ts'
import { orNotFound } from '../lib/api-error.ts'
import { omitUndefined } from '../lib/omit-undefined.ts'
import { readAudience } from './audience/audience-schemas.ts'
import { readCampaignMetrics } from './campaign-metrics.ts'
import {
  CampaignAnswer,
  CampaignBody,
  CampaignChanges,
  CampaignMetricsAnswer,
  CampaignQuery,
  CampaignSummaryAnswer,
  campaignMetricsToJson,
  campaignToJson,
  listedToJson,
} from './campaign-schemas.ts'
import { type CampaignInput, changeCampaign, createCampaign, removeCampaign } from './campaigns.ts'
import { type CountedCampaign, countCampaign, findCountedCampaign } from './counted-campaign.ts'
import { listCampaignsWithFigures } from './listed-campaigns.ts'
import { CAMPAIGN_COUNTER, countCampaigns } from './rows/campaigns-queries.ts'
import type { SendWindow } from './rows/send-window.ts'

const { route } = routesOf<ResourceDeps>()

/** Returns only the fields that the request gives. */
function readChanges(body: Static<typeof CampaignChanges>): Partial<CampaignInput> {
  return omitUndefined({
    name: body.name,
    senderId: lower(body.sender_id),
    templateId: lower(body.template_id),
    segmentId: lower(body.segment_id),
    listId: lower(body.list_id),
    subject: body.subject,
    audience: readAudience(body.audience),
    previewText: emptyAsNull(body.preview_text),
    replyTo: emptyAsNull(body.reply_to),
    html: body.html,
    text: body.text,
    status: body.status,
    scheduledAt: body.scheduled_at,
    ratePerHour: body.rate_per_hour,
    sendWindow: readSendWindow(body.send_window),
  })
}

function readSendWindow(
  window: Static<typeof CampaignChanges>['send_window'],
): SendWindow | null | undefined {
  if (window == null) return window
  const { from, to, time_zone: timeZone, days = null, by_contact: byContact } = window
  return { from, to, timeZone, days, byContact: byContact ?? false }
}

function lower(id: string | null | undefined): string | null | undefined {
  return id?.toLowerCase() ?? id
}

function emptyAsNull(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text
}

const COMMON = { area: 'campaigns', permission: 'full' } as const
const campaigns = new Resource('/campaigns', 'campaign', {
  ...COMMON,
  noun: 'campaign',
  schema: CampaignAnswer,
  toJson: (campaign: CountedCampaign, { deps: { clock } }) => campaignToJson(campaign, clock.now()),
})

const getCampaignMetrics = route('GET', '/campaigns/:id/metrics', {
  ...COMMON,
  operationId: 'getCampaignMetrics',
  summary: 'Get the metrics of a campaign',
  description: 'Counted within seconds. Opens and clicks of machines are apart.',
  params: IdParams,
  responses: { 200: { description: 'The metrics.', schema: CampaignMetricsAnswer } },
  async handle({ caller, params, deps: { db } }) {
    const metrics = orNotFound(await readCampaignMetrics(db, caller.teamId, params.id))
    return { status: 200, json: campaignMetricsToJson(metrics) }
  },
})

export const campaignRoutes: readonly Route<ResourceDeps>[] = [
  campaigns.create('createCampaign', 'Create a campaign', {
    description: 'An email to each contact of a segment or a list.',
    body: CampaignBody,
    bodyExtends: 'UpdateCampaignRequest',
    input: (body) => ({ ...readChanges(body), name: body.name }),
    create: async (tx, teamId, input, now) => countCampaign(tx, await createCampaign(tx, teamId, input, now)),
  }),
  campaigns.list('listCampaigns', 'List campaigns', {
    description: 'Newest first, without `html` and `text`.',
    query: CampaignQuery,
    schema: CampaignSummaryAnswer,
    response: 'A page of campaigns.',
    async read(db, teamId, page, { query: { status = null } }) {
      const campaigns = await listCampaignsWithFigures(db, teamId, status, page)
      return status === null ? campaigns : { ...campaigns, total: await countCampaigns(db, teamId, status) }
    },
    counter: CAMPAIGN_COUNTER,
    toJson: listedToJson,
  }),
  campaigns.get('getCampaign', 'Get a campaign', {
    description: 'Includes the content.',
    read: findCountedCampaign,
  }),
  getCampaignMetrics,
  ...campaigns.update('updateCampaign', 'Update a campaign', {
    description: 'Changes only the fields you send.',
    body: CampaignChanges,
    input: readChanges,
    update: async (tx, teamId, id, changes, now) =>
      countCampaign(tx, await changeCampaign(tx, teamId, id, changes, now)),
  }),
  campaigns.delete('deleteCampaign', 'Delete a campaign', {
    description: 'Returns 409 while it is being sent.',
    remove: removeCampaign,
  }),
]
