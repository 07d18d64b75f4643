import { listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import { Resource, type ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { suppressionKey } from '../../mime/address.ts'
import { duplicateCampaign, sendCampaign } from '../campaign-verbs.ts'
import { removeCampaign } from '../campaigns.ts'
import { requireCampaign } from '../results/require-campaign.ts'
import { CAMPAIGN_COUNTER, findCampaign, listCampaigns } from '../rows/campaigns-queries.ts'
import { listBroadcastRecipients } from './broadcast-recipients-queries.ts'
import {
  BroadcastAnswer,
  BroadcastBody,
  BroadcastChanges,
  BroadcastIdAnswer,
  BroadcastLinkAnswer,
  BroadcastRecipientAnswer,
  BroadcastRecipientsQuery,
  BroadcastSendBody,
  BroadcastSummaryAnswer,
  broadcastIdToJson,
  broadcastLinkToJson,
  broadcastRecipientToJson,
  broadcastSummaryToJson,
  broadcastToJson,
} from './broadcast-schemas.ts'
import { cancelBroadcast, changeBroadcast, createBroadcast, fromOf } from './broadcasts.ts'
import { listClickedLinks } from './clicked-links-queries.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'broadcasts', permission: 'full' } as const
const broadcasts = new Resource('/broadcasts', 'broadcast', {
  ...COMMON,
  noun: 'broadcast',
  schema: BroadcastIdAnswer,
  toJson: broadcastIdToJson,
})

const [patchBroadcast] = broadcasts.update('updateBroadcast', 'Update a broadcast', {
  description: 'Changes only the fields you send.',
  body: BroadcastChanges,
  input: (body) => body,
  update: changeBroadcast,
})

const postSend = route('POST', '/broadcasts/:id/send', {
  ...COMMON,
  operationId: 'sendBroadcast',
  action: 'broadcasts.send',
  summary: 'Send a broadcast',
  description: 'Sends it now, or at `scheduled_at`.',
  params: IdParams,
  body: BroadcastSendBody,
  responses: { 200: { description: 'The broadcast.', schema: BroadcastIdAnswer } },
  async handle({ caller, params, body, audited, deps: { clock } }) {
    const broadcast = await audited.transaction((tx) =>
      sendCampaign(tx, caller.teamId, params.id, body.scheduled_at, clock.now()),
    )
    return { status: 200, json: broadcastIdToJson(broadcast) }
  },
})

const getRecipients = route('GET', '/broadcasts/:id/recipients', {
  ...COMMON,
  operationId: 'listBroadcastRecipients',
  summary: 'List the recipients of a broadcast',
  description: 'Those with the outcome `type`. Visits by machines do not count.',
  params: IdParams,
  query: BroadcastRecipientsQuery,
  responses: { 200: { description: 'A page of recipients.', schema: listOf(BroadcastRecipientAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const page = readPage(query)
    const campaign = await requireCampaign(deps.lists, caller.teamId, params.id)
    const { type = 'sent', email, bounce_type: bounceType = null } = query
    const filter = { type, email: email === undefined ? null : suppressionKey(email), bounceType }
    const recipients = await listBroadcastRecipients(deps.lists, campaign, filter, page)
    const total = page.offset + recipients.rows.length
    return pageReply(
      request,
      `/broadcasts/${campaign.id}/recipients`,
      { ...recipients, page, total },
      broadcastRecipientToJson,
    )
  },
})

const getClickedLinks = route('GET', '/broadcasts/:id/clicked-links', {
  ...COMMON,
  operationId: 'listBroadcastClickedLinks',
  summary: 'List the clicked links of a broadcast',
  description: 'At most 300. Clicks by machines do not count.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'A page of links.', schema: listOf(BroadcastLinkAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const page = readPage(query)
    const campaign = await requireCampaign(deps.lists, caller.teamId, params.id)
    const links = await listClickedLinks(deps.lists, campaign, page)
    const total = page.offset + links.rows.length
    return pageReply(
      request,
      `/broadcasts/${campaign.id}/clicked-links`,
      { ...links, page, total },
      broadcastLinkToJson,
    )
  },
})

/** Campaigns under the name and in the form of Resend's API (docs/resend.md). */
export const broadcastRoutes: readonly Route<ResourceDeps>[] = [
  broadcasts.create('createBroadcast', 'Create a broadcast', {
    description: 'Creates a campaign to a segment, as a draft unless `send` is true.',
    response: 'The broadcast.',
    body: BroadcastBody,
    bodyExtends: 'UpdateBroadcastRequest',
    input: (body) => body,
    create: createBroadcast,
  }),
  broadcasts.list('listBroadcasts', 'List broadcasts', {
    description: 'All campaigns, newest first, without their content.',
    schema: BroadcastSummaryAnswer,
    read: (db, teamId, page) => listCampaigns(db, teamId, null, page),
    counter: CAMPAIGN_COUNTER,
    toJson: broadcastSummaryToJson,
  }),
  broadcasts.get('getBroadcast', 'Get a broadcast', {
    description: 'Includes the content.',
    schema: BroadcastAnswer,
    async read(db, teamId, id) {
      const campaign = await findCampaign(db, teamId, id)
      return campaign === null ? null : { campaign, from: await fromOf(db, campaign) }
    },
    toJson: ({ campaign, from }) => broadcastToJson(campaign, from),
  }),
  patchBroadcast,
  postSend,
  broadcasts.act('cancel', 'cancelBroadcast', 'Cancel a broadcast', {
    description:
      'A scheduled one becomes a draft. One that is being sent stops, and what is queued is dropped.',
    act: cancelBroadcast,
  }),
  broadcasts.act('duplicate', 'duplicateBroadcast', 'Duplicate a broadcast', {
    description: 'The copy is a draft.',
    status: 201,
    act: duplicateCampaign,
  }),
  getRecipients,
  getClickedLinks,
  broadcasts.delete('deleteBroadcast', 'Delete a broadcast', {
    description: 'Returns 409 while it is being sent.',
    remove: removeCampaign,
  }),
]
