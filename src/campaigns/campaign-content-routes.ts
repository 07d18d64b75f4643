import type { AcceptEmails } from '../emails/accept/accept-emails.ts'
import type { ResourceDeps } from '../http/resource.ts'
import { type Route, routesOf } from '../http/route.ts'
import { IdParams } from '../http/schemas.ts'
import { orNotFound } from '../lib/api-error.ts'
import { previewAudience } from './audience/audience-preview.ts'
import {
  AudienceBody,
  AudiencePreviewAnswer,
  audiencePreviewToJson,
  readAudienceBody,
} from './audience/audience-schemas.ts'
import { findCampaign } from './campaigns-queries.ts'
import { checkCampaign } from './content/check-campaign.ts'
import {
  CampaignChecksAnswer,
  CampaignPreviewAnswer,
  CampaignPreviewBody,
  CampaignTestAnswer,
  CampaignTestBody,
  checksToJson,
  previewToJson,
  testToJson,
} from './content/content-schemas.ts'
import { previewCampaign } from './content/preview-campaign.ts'
import { testCampaign } from './content/send-test.ts'

interface Deps extends ResourceDeps {
  acceptEmails: AcceptEmails
}

const { route } = routesOf<Deps>()

const COMMON = { tag: 'Campaigns', permission: 'full', limit: 'general' } as const

const postAudience = route('POST', '/campaigns/audience', {
  ...COMMON,
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

const postPreview = route('POST', '/campaigns/:id/preview', {
  ...COMMON,
  changesNothing: true,
  operationId: 'previewCampaign',
  summary: 'Preview a campaign',
  description: 'Renders it as a contact would get it. Its unsubscribe links change nothing.',
  params: IdParams,
  body: CampaignPreviewBody,
  responses: { 200: { description: 'The rendered content.', schema: CampaignPreviewAnswer } },
  async handle({ caller, params, body, deps: { db, config } }) {
    const campaign = orNotFound(await findCampaign(db, caller.teamId, params.id))
    const { publicUrl } = config
    const preview = await previewCampaign({ db, publicUrl }, campaign, body.contact_id ?? null)
    return { status: 200, json: previewToJson(campaign.id, preview) }
  },
})

const postTest = route('POST', '/campaigns/:id/test', {
  ...COMMON,
  limit: 'send',
  operationId: 'testCampaign',
  summary: 'Send a test of a campaign',
  description:
    'Sends the content to addresses that need not be contacts, with the values of those that are. Its unsubscribe links change nothing. Uses the quota.',
  params: IdParams,
  body: CampaignTestBody,
  responses: { 202: { description: 'The email to each address.', schema: CampaignTestAnswer } },
  async handle({ caller, params, body, deps: { db, config, clock, acceptEmails } }) {
    const campaign = orNotFound(await findCampaign(db, caller.teamId, params.id))
    const deps = { db, clock, acceptEmails, publicUrl: config.publicUrl }
    return { status: 202, json: testToJson(await testCampaign(deps, campaign, caller, body.to)) }
  },
})

const getChecks = route('GET', '/campaigns/:id/checks', {
  ...COMMON,
  operationId: 'checkCampaign',
  summary: 'Check a campaign',
  description: 'Lists what to mend before it is sent.',
  params: IdParams,
  responses: { 200: { description: 'What was found.', schema: CampaignChecksAnswer } },
  async handle({ caller, params, deps: { db, lists, config, clock } }) {
    const campaign = orNotFound(await findCampaign(db, caller.teamId, params.id))
    const deps = { db, lists, clock, publicUrl: config.publicUrl }
    return { status: 200, json: checksToJson(await checkCampaign(deps, campaign)) }
  },
})

export const campaignContentRoutes: readonly Route<Deps>[] = [postAudience, postPreview, postTest, getChecks]
