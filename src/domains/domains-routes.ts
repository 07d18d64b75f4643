import Type, { type Static } from 'typebox'
import type { Config } from '../config/config.ts'
import { readCounter } from '../db/counters.ts'
import type { Db, Transactions } from '../db/db-types.ts'
import { EXAMPLES } from '../events/example-values.ts'
import { listOf, listToJson, PageQuery, readPage } from '../http/page.ts'
import { deletedToJson } from '../http/present.ts'
import { aliasOf, type Route, routesOf } from '../http/route.ts'
import { Deleted, IdParams, Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../http/schemas.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/time/clock.ts'
import { formatTime } from '../lib/time/format-time.ts'
import {
  addDomain,
  DOMAIN_COUNTER,
  type DomainRecord,
  domainRecords,
  removeDomain,
  updateDomain,
} from './domains.ts'
import { type Domain, findDomain, listDomains } from './domains-queries.ts'
import { verifyDomain } from './verify-domain.ts'

interface Deps {
  config: Config
  db: Db
  clock: Clock
  secret: Buffer
}

const { route } = routesOf<Deps>()

const Tls = Type.Enum(['opportunistic', 'enforced'], {
  description:
    'enforced: emails wait, and fail in the end, rather than travel without a verified TLS connection.',
})
const STATUSES = ['pending', 'verified', 'failed', 'temporary_failure'] as const
const Status = Type.Enum(STATUSES, {
  title: 'DomainStatus',
  description: '`verified` and `temporary_failure` can send.',
})
const RecordStatus = Type.Enum(STATUSES, { description: '`temporary_failure`: DNS did not respond.' })

const OPENS = { description: 'Puts an open pixel into the html of its emails; off by default.' }
const CLICKS = { description: 'Leads links in the html of its emails over this service; off by default.' }
const SETTINGS = {
  open_tracking: Type.Optional(Type.Boolean(OPENS)),
  click_tracking: Type.Optional(Type.Boolean(CLICKS)),
  tls: Type.Optional(Tls),
}
const SettingsInput = Type.Object(SETTINGS, { examples: [{ tls: 'enforced', open_tracking: true }] })
const DomainInput = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      description: 'A U-label or A-label name, for example mail.example.com.',
    }),
    ...SETTINGS,
  },
  { examples: [{ name: 'mail.example.com' }] },
)

const DOMAIN_FIELDS = {
  object: Type.Literal('domain'),
  id: Uuid,
  name: Type.String({ description: 'The A-label in lower case.' }),
  status: Status,
  status_reason: TextOrNull('Why it is not verified, or about to be lost.'),
  captured: Type.Boolean({
    description: 'Verified by capture mode alone, which counts for nothing elsewhere.',
  }),
  open_tracking: Type.Boolean(OPENS),
  click_tracking: Type.Boolean(CLICKS),
  tls: Tls,
  capabilities: Type.Object({ sending: Type.Literal('enabled'), receiving: Type.Literal('disabled') }),
  verified_at: TimestampOrNull,
  checked_at: TimestampOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
}
const RecordAnswer = Type.Object(
  {
    record: Type.String({ description: 'DKIM, SPF (the return path), DMARC or Tracking.' }),
    type: Type.String({ description: 'TXT or CNAME.' }),
    name: Type.String({ description: 'Fully qualified.' }),
    value: Text('The value to publish.'),
    ttl: Text('`Auto`: the default of your DNS provider.'),
    status: RecordStatus,
    required: Type.Boolean({ description: 'Whether verification requires this record.' }),
    found: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The values found at the last check; null before the first check.',
    }),
    checked_at: TimestampOrNull,
  },
  { title: 'DnsRecord' },
)
export const DomainSummary = Type.Object(DOMAIN_FIELDS, {
  title: 'DomainSummary',
  examples: [EXAMPLES.domainSummary],
})
export const DomainAnswer = Type.Object(
  { ...DOMAIN_FIELDS, records: Type.Array(RecordAnswer) },
  { title: 'Domain', examples: [EXAMPLES.domain] },
)

function summaryToJson(domain: Domain): Static<typeof DomainSummary> {
  return {
    object: 'domain',
    id: domain.id,
    name: domain.name,
    status: domain.status,
    status_reason: domain.reason,
    captured: domain.captured,
    open_tracking: domain.openTracking,
    click_tracking: domain.clickTracking,
    tls: domain.tls,
    capabilities: { sending: 'enabled', receiving: 'disabled' },
    verified_at: formatTime(domain.verifiedAt),
    checked_at: formatTime(domain.checkedAt),
    created_at: formatTime(domain.createdAt),
    updated_at: formatTime(domain.updatedAt),
  }
}

function recordToJson(record: DomainRecord): Static<typeof RecordAnswer> {
  const { purpose, type, name, value, status, required, check } = record
  return {
    record: purpose,
    type,
    name,
    value,
    // The owner's DNS provider knows best; Resend's API says it in this word.
    ttl: 'Auto',
    status,
    required,
    found: check?.found ?? null,
    checked_at: check === null ? null : formatTime(new Date(check.checked_at)),
  }
}

async function domainToJson(deps: Deps, domain: Domain): Promise<Static<typeof DomainAnswer>> {
  const records = await domainRecords(deps, domain)
  return { ...summaryToJson(domain), records: records.map(recordToJson) }
}

function readSettings(body: Static<typeof SettingsInput>) {
  return {
    ...(body.tls === undefined ? {} : { tls: body.tls }),
    ...(body.open_tracking === undefined ? {} : { openTracking: body.open_tracking }),
    ...(body.click_tracking === undefined ? {} : { clickTracking: body.click_tracking }),
  }
}

const COMMON = { tag: 'Domains', permission: 'full', limit: 'general' } as const

/** Reads as before; the transactions are those of the audited request. */
function changing(deps: Deps, audited: Transactions): Deps {
  return { ...deps, db: { ...deps.db, ...audited } }
}

const createDomain = route('POST', '/domains', {
  ...COMMON,
  operationId: 'createDomain',
  action: 'domains.create',
  summary: 'Add a domain',
  description: 'Returns the DNS records to publish. In capture mode the domain is verified immediately.',
  body: DomainInput,
  responses: { 201: { description: 'The domain, with its records.', schema: DomainAnswer } },
  async handle({ caller, body, audited, deps }) {
    const domain = await addDomain(changing(deps, audited), caller.teamId, {
      name: body.name,
      ...readSettings(body),
    })
    return { status: 201, json: await domainToJson(deps, domain) }
  },
})

const readDomains = route('GET', '/domains', {
  ...COMMON,
  operationId: 'listDomains',
  summary: 'List domains',
  description: 'Newest first, without DNS records.',
  query: PageQuery,
  responses: { 200: { description: 'A page of domains.', schema: listOf(DomainSummary) } },
  async handle({ caller, query, deps }) {
    const page = readPage(query)
    const [{ rows, hasMore }, total] = await Promise.all([
      listDomains(deps.db, caller.teamId, page),
      readCounter(deps.db, caller.teamId, DOMAIN_COUNTER),
    ])
    const { publicUrl } = deps.config
    const data = rows.map(summaryToJson)
    return {
      status: 200,
      json: listToJson({ publicUrl, path: '/domains', query, page, total, data, hasMore }),
    }
  },
})

const readDomain = route('GET', '/domains/:id', {
  ...COMMON,
  operationId: 'getDomain',
  summary: 'Get a domain',
  description: 'Includes the DNS records to publish and their status at the last check.',
  params: IdParams,
  responses: { 200: { description: 'The domain, with its records as last seen.', schema: DomainAnswer } },
  async handle({ caller, params, deps }) {
    const domain = await findDomain(deps.db, caller.teamId, params.id)
    if (domain === null) throw new ApiError('not_found')
    return { status: 200, json: await domainToJson(deps, domain) }
  },
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
    const domain = await updateDomain(changing(deps, audited), caller.teamId, params.id, readSettings(body))
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
    const id = params.id.toLowerCase()
    await removeDomain(changing(deps, audited), caller.teamId, id)
    return { status: 200, json: deletedToJson('domain', id) }
  },
})

const askDns = route('POST', '/domains/:id/verify', {
  ...COMMON,
  operationId: 'verifyDomain',
  action: 'domains.verify',
  summary: 'Verify a domain now',
  description: 'Queries DNS, which may take 5 seconds, and returns the result.',
  params: IdParams,
  responses: { 200: { description: 'The domain, with its records as seen now.', schema: DomainAnswer } },
  async handle({ caller, params, audited, deps }) {
    const domain = await verifyDomain(changing(deps, audited), caller.teamId, params.id)
    return { status: 200, json: await domainToJson(deps, domain) }
  },
})

export const domainRoutes: readonly Route<Deps>[] = [
  createDomain,
  readDomains,
  readDomain,
  changeDomain,
  aliasOf(changeDomain, { method: 'PUT' }),
  deleteDomain,
  askDns,
]
