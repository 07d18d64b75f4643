import Type from 'typebox'
import type { Db } from '../../db/db-types.ts'
import { rangeAfter, readPages } from '../../db/page.ts'
import { attachCsv, CSV } from '../../http/route/csv.ts'
import { listOf, PAGE_PARAMETERS, pageReply, readPage } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { writeCsvLines } from '../../lib/text/csv.ts'
import type { CampaignKey, RecipientState } from '../rows/recipients-queries.ts'
import { countCampaignRecipients, listCampaignRecipients } from './recipient-list-queries.ts'
import { campaignRecipientToJson, RecipientAnswer, StateFilter } from './recipient-schemas.ts'
import { requireCampaign } from './require-campaign.ts'

const { route } = routesOf<ResourceDeps>()

const COMMON = { area: 'campaigns', permission: 'full' } as const

const getRecipients = route('GET', '/campaigns/:id/recipients', {
  ...COMMON,
  operationId: 'listCampaignRecipients',
  summary: 'List the recipients of a campaign',
  description: 'Newest contact first.',
  params: IdParams,
  query: Type.Object({ ...PAGE_PARAMETERS, ...StateFilter }),
  responses: { 200: { description: 'Newest contact first.', schema: listOf(RecipientAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const campaign = await requireCampaign(deps.lists, caller.teamId, params.id)
    const { state = null } = query
    const page = readPage(query)
    const [recipients, total] = await Promise.all([
      listCampaignRecipients(deps.lists, campaign, state, page),
      countCampaignRecipients(deps.lists, campaign, state),
    ])
    return pageReply(
      request,
      `/campaigns/${campaign.id}/recipients`,
      { ...recipients, page, total },
      campaignRecipientToJson,
    )
  },
})

const COLUMNS = ['contact_id', 'email', 'state', 'reason', 'email_id', 'email_status', 'updated_at']

/** Yields the recipients as lines of a CSV file. Pages are created as fast as the reader consumes them. */
async function* exportRecipients(
  lists: Db,
  campaign: CampaignKey,
  state: RecipientState | null,
): AsyncGenerator<string> {
  yield writeCsvLines([COLUMNS])
  const readPage = (after: string | null) => listCampaignRecipients(lists, campaign, state, rangeAfter(after))
  for await (const page of readPages(readPage)) {
    yield writeCsvLines(
      page.map((one) => [
        one.id,
        one.email,
        one.state,
        one.reason,
        one.emailId,
        one.emailStatus,
        one.updatedAt,
      ]),
    )
  }
}

const getRecipientExport = route('GET', '/campaigns/:id/recipients/export', {
  ...COMMON,
  operationId: 'exportCampaignRecipients',
  summary: 'Export the recipients of a campaign as CSV',
  description:
    'Streams a file, with the filter of `GET /campaigns/{id}/recipients` and the precautions of `GET /contacts/export`.',
  params: IdParams,
  query: Type.Object(StateFilter),
  responses: {
    200: {
      description: 'The CSV file.',
      type: 'text/csv',
      schema: CSV,
      example: `${COLUMNS.join(',')}\r\n`,
    },
  },
  async handle({ caller, params, query: { state = null }, deps: { lists, clock } }) {
    const campaign = await requireCampaign(lists, caller.teamId, params.id)
    return attachCsv(exportRecipients(lists, campaign, state), 'recipients', clock.now())
  },
})

export const campaignRecipientRoutes: readonly Route<ResourceDeps>[] = [getRecipients, getRecipientExport]
