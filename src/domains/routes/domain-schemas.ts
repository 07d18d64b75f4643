import Type, { type Static } from 'typebox'
import { EXAMPLES } from '../../events/example-values.ts'
import type { ResourceDeps } from '../../http/route/resource.ts'
import { Text, TextOrNull, Timestamp, TimestampOrNull, Uuid } from '../../http/route/schemas.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { type DomainRecord, domainRecords } from '../domains.ts'
import type { Domain } from '../domains-queries.ts'
import { RECORD_FORMATS } from '../publish/record-formats.ts'

export interface DomainRouteDeps extends ResourceDeps {
  secret: Buffer
}

const Tls = Type.Enum(['opportunistic', 'enforced'], {
  description: '`enforced`: delivery only over verified TLS. Other emails wait, then fail.',
})
const STATUSES = ['pending', 'verified', 'failed', 'temporary_failure'] as const
const Status = Type.Enum(STATUSES, {
  title: 'DomainStatus',
  description: '`verified` and `temporary_failure` can send.',
})
const RecordStatus = Type.Enum(STATUSES, { description: '`temporary_failure`: DNS did not respond.' })

const OPENS = { description: 'Adds an open pixel to the HTML of emails. Off by default.' }
const CLICKS = { description: 'Routes links in the HTML of emails through this server. Off by default.' }
const ED25519 = {
  description: 'Adds a second DKIM signature (Ed25519) once its record is in DNS. Off by default.',
}
const SETTINGS = {
  open_tracking: Type.Optional(Type.Boolean(OPENS)),
  click_tracking: Type.Optional(Type.Boolean(CLICKS)),
  tls: Type.Optional(Tls),
  dkim_ed25519: Type.Optional(Type.Boolean(ED25519)),
}
export const SettingsInput = Type.Object(SETTINGS, { examples: [{ tls: 'enforced', open_tracking: true }] })
export const RecordsQuery = Type.Object({
  format: Type.Optional(Type.Enum([...RECORD_FORMATS], { description: 'Default: `zone`.' })),
})
export const DomainInput = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      description: 'Domain name in U-labels or A-labels, such as `mail.example.com`.',
    }),
    ...SETTINGS,
  },
  { examples: [{ name: 'mail.example.com' }] },
)

const DOMAIN_FIELDS = {
  object: Type.Literal('domain'),
  id: Uuid,
  name: Type.String({ description: 'Domain name in A-labels, in lower case.' }),
  status: Status,
  status_reason: TextOrNull('Why the domain is not verified, or may lose its verification.'),
  captured: Type.Boolean({
    description: 'Whether only capture mode verified the domain, which counts in no other mode.',
  }),
  open_tracking: Type.Boolean(OPENS),
  click_tracking: Type.Boolean(CLICKS),
  tls: Tls,
  dkim_ed25519: Type.Boolean(ED25519),
  region: Type.Null({ description: 'Always null. For programs written for Resend.' }),
  capabilities: Type.Object({ sending: Type.Literal('enabled'), receiving: Type.Literal('disabled') }),
  verified_at: TimestampOrNull,
  checked_at: TimestampOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
}
const RecordAnswer = Type.Object(
  {
    record: Type.String({ description: '`DKIM`, `SPF` (the return path), `DMARC`, or `Tracking`.' }),
    type: Type.String({ description: '`TXT` or `CNAME`.' }),
    name: Type.String({ description: 'Fully qualified name.' }),
    value: Text('Value to publish.'),
    ttl: Text('`Auto`: the default of your DNS provider.'),
    status: RecordStatus,
    required: Type.Boolean({ description: 'Whether verification requires this record.' }),
    found: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Values at the last check. Null before the first check.',
    }),
    advice: TextOrNull('How to fix this record. Null if it is right, or nothing more is known.'),
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
  { title: 'Domain', 'x-extends': 'DomainSummary', examples: [EXAMPLES.domain] },
)

export function domainSummaryToJson(domain: Domain): Static<typeof DomainSummary> {
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
    dkim_ed25519: domain.dkimEd25519,
    region: null,
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
    // The DNS provider chooses the TTL; Resend's API calls it `Auto`.
    ttl: 'Auto',
    status,
    required,
    found: check?.found ?? null,
    advice: check?.advice ?? null,
    checked_at: check === null ? null : formatTime(new Date(check.checked_at)),
  }
}

export async function domainToJson(
  deps: DomainRouteDeps,
  domain: Domain,
): Promise<Static<typeof DomainAnswer>> {
  const records = await domainRecords(deps, domain)
  return { ...domainSummaryToJson(domain), records: records.map(recordToJson) }
}
