import type { AcceptEmails } from '../../emails/accept/accept-emails.ts'
import { makeTestUnsubscribeUrl } from '../../emails/accept/unsubscribe-links.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import { previewAudience } from '../audience/audience-preview.ts'
import {
  AudienceBody,
  AudiencePreviewAnswer,
  audiencePreviewToJson,
  readAudienceBody,
} from '../audience/audience-schemas.ts'
import { findCampaign } from '../rows/campaigns-queries.ts'
import { checkCampaign } from './campaign-checks.ts'
import {
  CampaignPreviewAnswer,
  CampaignPreviewBody,
  ChecksAnswer,
  campaignPreviewToJson,
  checksToJson,
  TestAnswer,
  TestBody,
  testToJson,
} from './content-schemas.ts'
import { estimateCampaign } from './estimate-campaign.ts'
import { EstimateAnswer, EstimateQuery, estimateToJson } from './estimate-schemas.ts'
import { previewCampaign } from './preview-campaign.ts'
import { testCampaign } from './test-campaign.ts'

interface Deps extends ResourceDeps {
  acceptEmails: AcceptEmails
}

const { route } = routesOf<Deps>()

const COMMON = { area: 'campaigns', permission: 'full', params: IdParams } as const

const audience = route('POST', '/campaigns/audience', {
  area: 'campaigns',
  permission: 'full',
  changesNothing: true,
  operationId: 'previewCampaignAudience',
  summary: 'Count the contacts of an audience',
  description: 'Counts who would get a campaign, without storing anything.',
  body: AudienceBody,
  responses: { 200: { description: 'The counts.', schema: AudiencePreviewAnswer } },
  async handle({ caller, body, deps }) {
    const preview = await previewAudience(deps, caller.teamId, readAudienceBody(body))
    return { status: 200, json: audiencePreviewToJson(preview) }
  },
})

const preview = route('POST', '/campaigns/:id/preview', {
  ...COMMON,
  changesNothing: true,
  operationId: 'previewCampaign',
  summary: 'Preview a campaign',
  description: 'Renders it for a contact, or with fallbacks only. Unsubscribe links change nothing.',
  body: CampaignPreviewBody,
  responses: { 200: { description: 'The rendered content.', schema: CampaignPreviewAnswer } },
  async handle({ caller: { teamId }, params, body, deps: { db, config } }) {
    const campaign = orNotFound(await findCampaign(db, teamId, params.id))
    const testUrl = makeTestUnsubscribeUrl(config.publicUrl)
    const contactId = body.contact_id?.toLowerCase() ?? null
    return {
      status: 200,
      json: campaignPreviewToJson(await previewCampaign(db, campaign, contactId, testUrl)),
    }
  },
})

const test = route('POST', '/campaigns/:id/test', {
  ...COMMON,
  limit: 'send',
  operationId: 'testCampaign',
  summary: 'Send a test of a campaign',
  description:
    'Sends it to up to 10 addresses, with the values of the contact that has the address, or fallbacks. Uses quota. Unsubscribe links change nothing.',
  body: TestBody,
  responses: { 202: { description: 'The result for each address.', schema: TestAnswer } },
  async handle({ caller, params, body, deps }) {
    const campaign = orNotFound(await findCampaign(deps.db, caller.teamId, params.id))
    const testUrl = makeTestUnsubscribeUrl(deps.config.publicUrl)
    const results = await testCampaign(deps, campaign, body.to, caller, testUrl)
    return { status: 202, json: testToJson(results) }
  },
})

const checks = route('GET', '/campaigns/:id/checks', {
  ...COMMON,
  operationId: 'checkCampaign',
  summary: 'Check a campaign',
  description:
    'Lists errors, which block sending, then warnings. Counts above 10,000 contacts are estimates.',
  responses: { 200: { description: 'The findings. Empty: none.', schema: ChecksAnswer } },
  async handle({ caller: { teamId }, params, deps: { lists, config, clock } }) {
    const campaign = orNotFound(await findCampaign(lists, teamId, params.id))
    const testUrl = makeTestUnsubscribeUrl(config.publicUrl)
    return { status: 200, json: checksToJson(await checkCampaign(lists, campaign, testUrl, clock.now())) }
  },
})

const estimate = route('GET', '/campaigns/:id/estimate', {
  ...COMMON,
  operationId: 'estimateCampaign',
  summary: 'Estimate the end of a campaign',
  description: 'By its audience now. Returns 409 once the campaign has begun.',
  query: EstimateQuery,
  responses: { 200: { description: 'The estimate.', schema: EstimateAnswer } },
  async handle({ caller: { teamId }, params, query, deps }) {
    const campaign = orNotFound(await findCampaign(deps.db, teamId, params.id))
    return { status: 200, json: estimateToJson(await estimateCampaign(deps, campaign, query.scheduled_at)) }
  },
})

export const campaignContentRoutes: readonly Route<Deps>[] = [audience, preview, test, checks, estimate]
