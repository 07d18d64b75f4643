import { cutPage, listOf, PageQuery, pageReply, readPage } from '../../http/route/page.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { LinkAnswer, linkToJson } from './link-schemas.ts'
import { listCampaignLinks } from './links-queries.ts'
import { requireCampaign } from './require-campaign.ts'

const { route } = routesOf<ResourceDeps>()

const getLinks = route('GET', '/campaigns/:id/links', {
  area: 'campaigns',
  permission: 'full',
  operationId: 'listCampaignLinks',
  summary: 'List the clicked links of a campaign',
  description: 'Counted within seconds.',
  params: IdParams,
  query: PageQuery,
  responses: { 200: { description: 'Most recipients first.', schema: listOf(LinkAnswer) } },
  async handle(request) {
    const { caller, params, query, deps } = request
    const campaign = await requireCampaign(deps.lists, caller.teamId, params.id)
    const page = readPage(query)
    const all = await listCampaignLinks(deps.lists, campaign)
    const links = { ...cutPage(all, page), page, total: all.length }
    return pageReply(request, `/campaigns/${campaign.id}/links`, links, linkToJson)
  },
})

export const campaignLinkRoutes: readonly Route<ResourceDeps>[] = [getLinks]
