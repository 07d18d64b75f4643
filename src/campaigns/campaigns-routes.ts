import Type, { type Static } from 'typebox'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db } from '../db/db-types.ts'
import { listOf, listToJson, PAGE_PARAMETERS, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { aliasOf, type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams, Timestamp, TimestampOrNull, Uuid } from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { type CampaignInput, changeCampaign, createCampaign, removeCampaign } from './campaigns.ts'
import {
  CAMPAIGN_COUNTER,
  type Campaign,
  type CampaignSummary,
  countCampaigns,
  findCampaign,
  listCampaigns,
} from './campaigns-queries.ts'

interface Deps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

const { route } = routesOf<Deps>()

const EXAMPLE = {
  object: 'campaign',
  id: '0198c0de-0000-7000-8000-0000000000f1',
  name: 'Spring offer',
  status: 'scheduled',
  sender_id: '0197a1c2-7b44-7c3e-9a51-3f0c4d5e6f70',
  template_id: null,
  subject: 'Spring is here',
  html: '<p>Everything at half the price.</p>',
  text: null,
  segment_id: '0198c0de-0000-7000-8000-0000000000e1',
  list_id: null,
  scheduled_at: '2026-03-20 08:00:00',
  created_at: '2026-03-01 09:30:00',
  updated_at: '2026-03-01 09:30:00',
}

const IdOrNull = (description: string) => Type.Union([Uuid, Type.Null()], { description })
const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const Status = Type.Enum(['draft', 'scheduled', 'sending', 'sent', 'canceled'])

const SUMMARY = {
  object: Type.Literal('campaign'),
  id: Uuid,
  name: Type.String({ description: 'A name for people.' }),
  status: Status,
  sender_id: IdOrNull('The sender.'),
  template_id: IdOrNull('The template; null after it is deleted.'),
  subject: TextOrNull('The subject, when there is no template.'),
  segment_id: IdOrNull('The segment it is sent to; null after the segment is deleted.'),
  list_id: IdOrNull('The list it is sent to; null after the list is deleted.'),
  scheduled_at: TimestampOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
}
const { html: _html, text: _text, ...EXAMPLE_SUMMARY } = EXAMPLE
/** As lists show it: a hundred contents of a megabyte each are no page. */
export const CampaignSummaryAnswer = Type.Object(SUMMARY, {
  title: 'CampaignSummary',
  examples: [EXAMPLE_SUMMARY],
})
export const CampaignAnswer = Type.Object(
  {
    ...SUMMARY,
    html: TextOrNull('The subject, when there is no template.'),
    text: TextOrNull('The subject, when there is no template.'),
  },
  { title: 'Campaign', examples: [EXAMPLE] },
)

const Name = Type.String({ minLength: 1, maxLength: 255, description: 'Does not have to be unique.' })
const optionalId = (description: string) => Type.Optional(IdOrNull(description))
const REST = {
  sender_id: optionalId('A sender of the account. Required to be scheduled.'),
  template_id: optionalId(
    'A template of the account. To be scheduled it must be published. Not together with subject, html or text.',
  ),
  subject: Type.Optional(
    Type.Union([Type.String({ maxLength: 998 }), Type.Null()], {
      description: 'Without line breaks. To be scheduled, required without a template.',
    }),
  ),
  html: Type.Optional(TextOrNull('To be scheduled, required without a template and without text.')),
  text: Type.Optional(TextOrNull('To be scheduled, required without a template and without html.')),
  segment_id: optionalId(
    'A segment of the account. Not together with list_id; one of both is required to be scheduled.',
  ),
  list_id: optionalId('A list of the account. Not together with segment_id.'),
  status: Type.Optional(
    Type.Enum(['draft', 'scheduled', 'canceled'], {
      description:
        'From draft to scheduled or canceled, from scheduled to draft or canceled, from canceled to draft. sending and sent are set by the service alone.',
    }),
  ),
  scheduled_at: Type.Optional(
    Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description:
        'ISO 8601, UTC without an offset; in the future and within 365 days. Required to be scheduled.',
    }),
  ),
}

const CampaignBody = Type.Object(
  { name: Name, ...REST },
  { examples: [{ name: EXAMPLE.name, subject: EXAMPLE.subject, html: EXAMPLE.html, status: 'draft' }] },
)
const CampaignChanges = Type.Object(
  { name: Type.Optional(Name), ...REST },
  { examples: [{ name: 'Spring offer, second try', status: 'draft' }] },
)
const CampaignQuery = Type.Object({
  ...PAGE_PARAMETERS,
  status: Type.Optional(
    Type.Enum(['draft', 'scheduled', 'sending', 'sent', 'canceled'], {
      description: 'Campaigns with this status. With it, `total` stops at 10,000.',
    }),
  ),
})

function campaignToJson(campaign: Campaign): Static<typeof CampaignAnswer> {
  return { ...summaryToJson(campaign), html: campaign.html, text: campaign.text }
}

function summaryToJson(campaign: CampaignSummary): Static<typeof CampaignSummaryAnswer> {
  return {
    object: 'campaign',
    id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    sender_id: campaign.senderId,
    template_id: campaign.templateId,
    subject: campaign.subject,
    segment_id: campaign.segmentId,
    list_id: campaign.listId,
    scheduled_at: formatTime(campaign.scheduledAt),
    created_at: formatTime(campaign.createdAt),
    updated_at: formatTime(campaign.updatedAt),
  }
}

/** Only what the request names. */
function readChanges(body: Static<typeof CampaignChanges>): Partial<CampaignInput> {
  const named = {
    name: body.name,
    senderId: lower(body.sender_id),
    templateId: lower(body.template_id),
    segmentId: lower(body.segment_id),
    listId: lower(body.list_id),
    subject: body.subject,
    html: body.html,
    text: body.text,
    status: body.status,
    scheduledAt: body.scheduled_at,
  }
  return Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as Partial<CampaignInput>
}

function lower(id: string | null | undefined): string | null | undefined {
  return id?.toLowerCase() ?? id
}

const COMMON = { tag: 'Campaigns', permission: 'full', limit: 'general' } as const
const ONE = { description: 'The campaign.', schema: CampaignAnswer }
const NOT_YET =
  'This version stores campaigns but does not send them: a campaign that is due stays scheduled.'

const postCampaign = route('POST', '/campaigns', {
  ...COMMON,
  operationId: 'createCampaign',
  action: 'campaigns.create',
  summary: 'Create a campaign',
  description: `An email to a segment or a list. It starts as a draft. ${NOT_YET}`,
  body: CampaignBody,
  responses: { 201: { ...ONE, description: 'The new campaign.' } },
  async handle({ caller, body, audited, deps: { clock } }) {
    const input = { ...readChanges(body), name: body.name }
    const campaign = await audited.transaction((tx) => createCampaign(tx, caller.teamId, input, clock.now()))
    return { status: 201, json: campaignToJson(campaign) }
  },
})

const getCampaigns = route('GET', '/campaigns', {
  ...COMMON,
  operationId: 'listCampaigns',
  summary: 'List campaigns',
  description: `Newest first, without \`html\` and \`text\`. ${NOT_YET}`,
  query: CampaignQuery,
  responses: { 200: { description: 'A page of campaigns.', schema: listOf(CampaignSummaryAnswer) } },
  async handle({ caller, query, deps: { lists, config } }) {
    const page = readPage(query)
    const { status = null } = query
    const { rows, hasMore } = await listCampaigns(lists, caller.teamId, status, page)
    const total =
      status === null
        ? await readCounter(lists, caller.teamId, CAMPAIGN_COUNTER)
        : await countCampaigns(lists, caller.teamId, status)
    const list = { publicUrl: config.publicUrl, path: '/campaigns', query, page, total, hasMore }
    return { status: 200, json: listToJson({ ...list, data: rows.map(summaryToJson) }) }
  },
})

const getCampaign = route('GET', '/campaigns/:id', {
  ...COMMON,
  operationId: 'getCampaign',
  summary: 'Get a campaign',
  description: NOT_YET,
  params: IdParams,
  responses: { 200: ONE },
  async handle({ caller, params, deps: { db } }) {
    const campaign = await findCampaign(db, caller.teamId, params.id)
    if (campaign === null) throw new ApiError('not_found')
    return { status: 200, json: campaignToJson(campaign) }
  },
})

const patchCampaign = route('PATCH', '/campaigns/:id', {
  ...COMMON,
  operationId: 'updateCampaign',
  action: 'campaigns.update',
  summary: 'Update a campaign',
  description: `Changes only the fields you send; the result is validated as a whole. A canceled, sending, or sent campaign accepts only a new name, unless the same request makes it a draft again. ${NOT_YET}`,
  params: IdParams,
  body: CampaignChanges,
  responses: { 200: ONE },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const changes = readChanges(body)
    const campaign = await audited.transaction((tx) =>
      changeCampaign(tx, caller.teamId, params.id, changes, clock.now()),
    )
    return { status: 200, json: campaignToJson(campaign) }
  },
})

const deleteCampaign = route('DELETE', '/campaigns/:id', {
  ...COMMON,
  operationId: 'deleteCampaign',
  action: 'campaigns.delete',
  summary: 'Delete a campaign',
  description: 'Returns 409 while it is being sent.',
  params: IdParams,
  responses: { 200: { description: 'The record was deleted.', schema: Deleted } },
  async handle({ caller, params, audited }) {
    const id = params.id.toLowerCase()
    await audited.transaction((tx) => removeCampaign(tx, caller.teamId, id))
    return { status: 200, json: deletedToJson('campaign', id) }
  },
})

export const campaignRoutes: readonly Route<Deps>[] = [
  postCampaign,
  getCampaigns,
  getCampaign,
  patchCampaign,
  aliasOf(patchCampaign, { method: 'PUT' }),
  deleteCampaign,
]
