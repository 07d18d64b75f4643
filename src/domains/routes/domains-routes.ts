import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { deletedToJson } from '../../http/route/present.ts'
import { Resource } from '../../http/route/resource.ts'
import { aliasOf, type Route, routesOf, withAudit } from '../../http/route/route.ts'
import { Deleted, IdParams } from '../../http/route/schemas.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import { addDomain, DOMAIN_COUNTER, domainRecords, removeDomain, updateDomain } from '../domains.ts'
import { type Domain, findDomain, listDomains } from '../domains-queries.ts'
import { formatRecords } from '../publish/record-formats.ts'
import { verifyDomain } from '../verify-domain.ts'
import {
  DomainAnswer,
  DomainInput,
  type DomainRouteDeps,
  DomainSummary,
  domainSummaryToJson,
  domainToJson,
  RecordsQuery,
  SettingsInput,
} from './domain-schemas.ts'

const { route } = routesOf<DomainRouteDeps>()

function readSettings(body: Static<typeof SettingsInput>) {
  return omitUndefined({
    tls: body.tls,
    openTracking: body.open_tracking,
    clickTracking: body.click_tracking,
    dkimEd25519: body.dkim_ed25519,
  })
}

const COMMON = { area: 'domains', permission: 'full' } as const
const domains = new Resource<Domain, DomainRouteDeps>('/domains', 'domain', {
  ...COMMON,
  noun: 'domain',
  schema: DomainAnswer,
  toJson: (domain, { deps }) => domainToJson(deps, domain),
})

/** Throws ApiError (403) when the caller is a key that is bound to another domain than `id`; null for a new one. */
function requireOwnDomain({ domainId }: Caller, id: string | null): void {
  if (domainId !== null && domainId !== id?.toLowerCase()) throw new ApiError('restricted_api_key')
}

const createDomain = route('POST', '/domains', {
  ...COMMON,
  operationId: 'createDomain',
  action: 'domains.create',
  summary: 'Add a domain',
  description: 'Returns the DNS records to publish. In capture mode the domain is verified immediately.',
  body: DomainInput,
  bodyExtends: 'UpdateDomainRequest',
  responses: { 201: { description: 'The domain, with its records.', schema: DomainAnswer } },
  async handle({ caller, body, audited, deps }) {
    requireOwnDomain(caller, null)
    const domain = await addDomain(withAudit(deps, audited), caller.teamId, {
      name: body.name,
      ...readSettings(body),
    })
    return { status: 201, json: await domainToJson(deps, domain) }
  },
})

const readDomains = domains.list('listDomains', 'List domains', {
  description: 'Newest first, without DNS records.',
  schema: DomainSummary,
  response: 'A page of domains.',
  read: listDomains,
  counter: DOMAIN_COUNTER,
  toJson: domainSummaryToJson,
})

const readDomain = domains.get('getDomain', 'Get a domain', {
  description: 'Includes the DNS records to publish and their status at the last check.',
  response: 'The domain, with its records at the last check.',
  read: findDomain,
})

const changeDomain = route('PATCH', '/domains/:id', {
  ...COMMON,
  operationId: 'updateDomain',
  action: 'domains.update',
  summary: 'Update a domain',
  description: 'Changes only the fields you send.',
  params: IdParams,
  body: SettingsInput,
  responses: { 200: { description: 'The domain, with its records.', schema: DomainAnswer } },
  async handle({ caller, params, body, audited, deps }) {
    requireOwnDomain(caller, params.id)
    const domain = await updateDomain(withAudit(deps, audited), caller.teamId, params.id, readSettings(body))
    return { status: 200, json: await domainToJson(deps, domain) }
  },
})

const deleteDomain = route('DELETE', '/domains/:id', {
  ...COMMON,
  operationId: 'deleteDomain',
  action: 'domains.delete',
  summary: 'Delete a domain',
  description:
    'New emails from the domain are rejected; emails accepted earlier are still delivered and signed. Returns 409 while the domain has senders.',
  params: IdParams,
  responses: { 200: { description: 'The domain was deleted.', schema: Deleted } },
  async handle({ caller, params, audited, deps }) {
    requireOwnDomain(caller, params.id)
    const id = params.id.toLowerCase()
    await removeDomain(withAudit(deps, audited), caller.teamId, id)
    return { status: 200, json: deletedToJson('domain', id) }
  },
})

const exportRecords = route('GET', '/domains/:id/records', {
  ...COMMON,
  operationId: 'exportDomainRecords',
  summary: 'Export DNS records',
  description: 'The records as a zone file, or as commands for the API of a DNS provider.',
  params: IdParams,
  query: RecordsQuery,
  responses: { 200: { description: 'A zone file or commands.', type: 'text/plain' } },
  async handle({ caller, params, query, deps }) {
    const domain = orNotFound(await findDomain(deps.lists, caller.teamId, params.id.toLowerCase()))
    const records = await domainRecords({ ...deps, db: deps.lists }, domain)
    const text = formatRecords(domain.name, records, query.format ?? 'zone')
    return { status: 200, bytes: text, type: 'text/plain; charset=utf-8' }
  },
})

const verifyNow = route('POST', '/domains/:id/verify', {
  ...COMMON,
  operationId: 'verifyDomain',
  action: 'domains.verify',
  summary: 'Verify a domain now',
  description: 'Queries DNS, which takes up to 5 seconds, and returns the result.',
  params: IdParams,
  responses: { 200: { description: 'The domain, with its records as found now.', schema: DomainAnswer } },
  async handle({ caller, params, audited, deps }) {
    requireOwnDomain(caller, params.id)
    const domain = await verifyDomain(withAudit(deps, audited), caller.teamId, params.id)
    return { status: 200, json: await domainToJson(deps, domain) }
  },
})

export const domainRoutes: readonly Route<DomainRouteDeps>[] = [
  createDomain,
  readDomains,
  readDomain,
  changeDomain,
  aliasOf(changeDomain, { method: 'PUT' }),
  deleteDomain,
  exportRecords,
  verifyNow,
]
