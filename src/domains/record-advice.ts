import { parse } from 'tldts'
import type { DnsLookup, LookupAnswer } from './dns-lookup.ts'
import type { ExpectedRecord } from './domain-records.ts'
import { outcomeOf } from './record-outcome.ts'
import { adviseOnValues } from './value-advice.ts'

/**
 * Returns what is wrong with a record that is missing or wrong, and how to mend it; null if nothing is known but that
 * it is missing. Makes at most seven lookups, and none if the values under the name explain it.
 * @param values the values under the name
 */
export async function adviseOnRecord(
  record: ExpectedRecord,
  values: readonly string[],
  lookup: DnsLookup,
): Promise<string | null> {
  const advice = adviseOnValues(record, values)
  if (advice !== null) return advice
  const [doubled, misplaced, mistyped] = await Promise.all([
    findDoubled(record, lookup),
    findMisplaced(record, lookup),
    record.type === 'TXT' ? findCname(record, lookup) : findOtherTypes(record, lookup),
  ])
  return doubled ?? misplaced ?? mistyped
}

/** The zones to which the record may belong: that of the domain, and that of its organizational domain. */
function zonesOf({ domain }: ExpectedRecord): string[] {
  const organization = parse(domain).domain ?? domain
  return [...new Set([domain, organization])]
}

function relativeTo(zone: string, name: string): string {
  return name.slice(0, -zone.length - 1)
}

/** Returns the first of the names that has the record. */
async function findAt(
  names: readonly string[],
  record: ExpectedRecord,
  lookup: DnsLookup,
): Promise<string | null> {
  const query = record.type === 'TXT' ? lookup.txt : lookup.cname
  const isThere = await Promise.all(
    names.map(async (name) => outcomeOf(record, await query(name)) === 'right'),
  )
  return names[isThere.indexOf(true)] ?? null
}

/** Most providers append the zone to the name that is entered. */
async function findDoubled(record: ExpectedRecord, lookup: DnsLookup): Promise<string | null> {
  const zones = zonesOf(record)
  const place = await findAt(
    zones.map((zone) => `${record.name}.${zone}`),
    record,
    lookup,
  )
  const zone = zones.find((each) => place === `${record.name}.${each}`)
  if (zone === undefined) return null
  return `The record is at ${place}, because the provider appends ${zone} to the name. Enter only ${relativeTo(zone, record.name)} as the name.`
}

async function findMisplaced(record: ExpectedRecord, lookup: DnsLookup): Promise<string | null> {
  const place = await findAt(namesInstead(record), record, lookup)
  return place === null ? null : `The record is at ${place}. Move it to ${record.name}.`
}

/** Returns the names at which people put the record instead. */
function namesInstead(record: ExpectedRecord): string[] {
  const { name, domain, purpose } = record
  const host = relativeTo(domain, name)
  // In the zone of the organizational domain, the name of a subdomain must name the subdomain too.
  const inParent = zonesOf(record)
    .filter((zone) => zone !== domain)
    .map((zone) => `${host}.${zone}`)
  if (purpose === 'DKIM') {
    const [selector] = host.split('.')
    return [...inParent, domain, `${selector}.${domain}`, `_domainkey.${domain}`]
  }
  // The policy of the organizational domain counts, so that it is not at a wrong name.
  return purpose === 'DMARC' ? [domain, `dmarc.${domain}`] : inParent
}

async function findCname({ name }: ExpectedRecord, lookup: DnsLookup): Promise<string | null> {
  const answer = await lookup.cname(name)
  if (answer.kind !== 'records') return null
  return 'This name is a CNAME that leads to no such record. Delete the CNAME, and enter a TXT record.'
}

async function findOtherTypes({ name, value }: ExpectedRecord, lookup: DnsLookup): Promise<string | null> {
  const [texts, addresses] = await Promise.all([lookup.txt(name), lookup.addresses(name)])
  if (valuesOf(texts).some((text) => hostIn(text) === value)) {
    return 'The value is in a TXT record. Delete it, and enter a CNAME record.'
  }
  if (valuesOf(addresses).length === 0) return null
  return 'DNS has addresses (A or AAAA) at this name instead of the CNAME. Turn off the proxy of the provider (in Cloudflare: "DNS only") and CNAME flattening for it, and delete A and AAAA records of this name.'
}

const hostIn = (text: string) => text.replaceAll(/["\s]/g, '').replace(/\.$/, '').toLowerCase()

const valuesOf = (answer: LookupAnswer) => (answer.kind === 'records' ? answer.values : [])
