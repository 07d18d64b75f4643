import type { ExpectedRecord } from '../domain-records.ts'

/** A record to publish, and whether the last check found it in DNS. */
export type PublishedRecord = Pick<ExpectedRecord, 'type' | 'name' | 'value' | 'purpose'> & {
  isInDns: boolean
}

/**
 * `zone`: master file format (RFC 1035 section 5.1), which every DNS server imports. The others are commands for the
 * APIs of the providers that host the most zones; each of these APIs creates all records in one request.
 */
export const RECORD_FORMATS = ['zone', 'cloudflare', 'route53', 'google'] as const
export type RecordFormat = (typeof RECORD_FORMATS)[number]

const TTL_SECONDS = 3600
/** A string of a TXT record has at most 255 octets (RFC 1035 section 3.3.14). */
const STRING_OCTETS_MAX = 255

const WRITERS: Readonly<Record<RecordFormat, (records: readonly PublishedRecord[]) => string[]>> = {
  zone: zoneLines,
  cloudflare: cloudflareLines,
  route53: route53Lines,
  google: googleLines,
}

/**
 * Returns the records of a domain as text for an operator to publish. The commands create records and never replace
 * any, so that an existing DMARC policy stays as it is. They omit records that are already in DNS.
 */
export function formatRecords(
  domainName: string,
  records: readonly PublishedRecord[],
  format: RecordFormat,
): string {
  const remaining = format === 'zone' ? records : records.filter(({ isInDns }) => !isInDns)
  const mark = format === 'zone' ? ';' : '#'
  const head = [`${mark} DNS records of ${domainName} for Sendwright`]
  if (remaining.length === 0) return `${[...head, `${mark} All records are in DNS.`].join('\n')}\n`
  return `${[...head, ...WRITERS[format](remaining)].join('\n')}\n`
}

/**
 * Returns the value of a TXT record as quoted strings of at most 255 octets, the presentation format of RFC 1035
 * section 5.1. Receivers join the strings.
 */
export function quoteText(value: string): string {
  const octets = Buffer.from(value, 'utf8')
  const count = Math.max(1, Math.ceil(octets.length / STRING_OCTETS_MAX))
  return Array.from({ length: count }, (_, index) =>
    quoteOctets(octets.subarray(index * STRING_OCTETS_MAX, (index + 1) * STRING_OCTETS_MAX)),
  ).join(' ')
}

function quoteOctets(octets: Uint8Array): string {
  const characters = Array.from(octets, (octet) => {
    const character = String.fromCharCode(octet)
    if (character === '"' || character === '\\') return `\\${character}`
    return octet < 0x20 || octet > 0x7e ? `\\${String(octet).padStart(3, '0')}` : character
  })
  return `"${characters.join('')}"`
}

/** Returns the data of a record in the presentation format. */
function dataOf({ type, value }: PublishedRecord): string {
  return type === 'TXT' ? quoteText(value) : `${value}.`
}

function zoneLines(records: readonly PublishedRecord[]): string[] {
  return records.flatMap((record) => [
    `; ${record.purpose}`,
    `${record.name}. ${TTL_SECONDS} IN ${record.type} ${dataOf(record)}`,
  ])
}

/** Switches off Cloudflare's proxy, so that links reach this server directly, and bounces its SMTP port. */
function cloudflareLines(records: readonly PublishedRecord[]): string[] {
  const posts = records.map((record) => ({
    type: record.type,
    name: record.name,
    content: record.type === 'TXT' ? quoteText(record.value) : record.value,
    ttl: TTL_SECONDS,
    ...(record.type === 'CNAME' ? { proxied: false } : {}),
  }))
  return [
    '# Set CLOUDFLARE_API_TOKEN (permission: Zone, DNS, Edit) and ZONE_ID first.',
    'curl --fail-with-body -X POST "https://api.cloudflare.com/client/v4/zones/$ZONE_ID/dns_records/batch" \\',
    '  -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data ${quoteJson({ posts })}`,
  ]
}

function route53Lines(records: readonly PublishedRecord[]): string[] {
  const changes = records.map((record) => ({
    Action: 'CREATE',
    ResourceRecordSet: {
      Name: `${record.name}.`,
      Type: record.type,
      TTL: TTL_SECONDS,
      ResourceRecords: [{ Value: dataOf(record) }],
    },
  }))
  return [
    '# Set HOSTED_ZONE_ID first, and log in to the AWS CLI.',
    'aws route53 change-resource-record-sets --hosted-zone-id "$HOSTED_ZONE_ID" \\',
    `  --change-batch ${quoteJson({ Changes: changes })}`,
  ]
}

function googleLines(records: readonly PublishedRecord[]): string[] {
  const additions = records.map((record) => ({
    name: `${record.name}.`,
    type: record.type,
    ttl: TTL_SECONDS,
    rrdatas: [dataOf(record)],
  }))
  return [
    '# Set PROJECT and MANAGED_ZONE first, and log in with gcloud.',
    'curl --fail-with-body -X POST "https://dns.googleapis.com/dns/v1/projects/$PROJECT/managedZones/$MANAGED_ZONE/changes" \\',
    '  -H "Authorization: Bearer $(gcloud auth print-access-token)" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data ${quoteJson({ additions })}`,
  ]
}

/** Returns JSON as one quoted word, in which a POSIX shell expands nothing. */
function quoteJson(value: unknown): string {
  return `'${JSON.stringify(value, null, 2).replaceAll("'", String.raw`\u0027`)}'`
}
