import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { IdParams } from '../../http/route/schemas.ts'
import { orNotFound } from '../../lib/api-error.ts'
import { dnsProviderOf } from '../dns-providers.ts'
import { findDomain } from '../domains-queries.ts'
import type { FindZone } from '../find-zone.ts'
import { DnsProviderRecord } from './dns-provider-schemas.ts'

interface Deps extends ResourceDeps {
  findZone: FindZone
}

const { route } = routesOf<Deps>()

const getProvider = route('GET', '/domains/:id/provider', {
  area: 'domains',
  permission: 'full',
  operationId: 'getDomainProvider',
  summary: 'Get the DNS provider of a domain',
  description: 'Queries the name servers of its zone, for up to 4 seconds.',
  params: IdParams,
  responses: { 200: { description: 'The zone and its provider.', schema: DnsProviderRecord } },
  async handle({ caller, params, deps: { lists, findZone } }) {
    const domain = orNotFound(await findDomain(lists, caller.teamId, params.id.toLowerCase()))
    const zone = await findZone(domain.name)
    const servers = zone?.servers ?? []
    const { name, url } = dnsProviderOf(servers) ?? { name: null, url: null }
    const json = { object: 'dns_provider', zone: zone?.name ?? null, name_servers: servers, name, url }
    return { status: 200, json }
  },
})

export const dnsProviderRoutes: readonly Route<Deps>[] = [getProvider]
