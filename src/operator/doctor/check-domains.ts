import type { Config } from '../../config/config.ts'
import type { Queryable } from '../../db/db-types.ts'
import { findDkimKeys } from '../../domains/dkim-keys-queries.ts'
import { withDnsLookup } from '../../domains/dns-lookup.ts'
import { checkRecords } from '../../domains/domain-checks.ts'
import { type ExpectedRecord, expectedRecords } from '../../domains/domain-records.ts'
import {
  type Domain,
  listEveryDomain,
  type RecordChecks,
  type RecordName,
} from '../../domains/domains-queries.ts'
import { quoteText } from '../../domains/publish/record-formats.ts'
import { CHECK_DNS, LOOKUP_FAILED } from './check-names.ts'
import { type Finding, note, ok, problem, warning } from './finding.ts'

interface DomainsDeps {
  config: Pick<Config, 'dnsServers' | 'hostname' | 'publicUrl'>
  db: Queryable
}

const COUNT_MAX = 1000
const LOOKUP_TIMEOUT_MS = 5_000
/** The name of each record for people, and the effect when it is missing or wrong. */
const RECORDS: Readonly<Record<RecordName, readonly [label: string, effect: string]>> = {
  dkim_rsa: ['DKIM', 'The domain is not verified without it.'],
  dkim_ed25519: ['second DKIM key', 'The second signature cannot be verified.'],
  return_path: ['return path', 'Bounces and SPF use the name of this server instead of the domain.'],
  dmarc: ['DMARC', 'Gmail and Yahoo reject bulk mail from domains without it.'],
  tracking: ['tracking host', 'Links and opens are not tracked.'],
}

/**
 * Checks the records of every team's domains. Domains whose records were right at the last check are not looked up: the
 * server checks them daily. The others are, because their owner may have just published them.
 */
export async function* checkDomains(deps: DomainsDeps, now: Date): AsyncGenerator<Finding> {
  const domains = await listEveryDomain(deps.db, COUNT_MAX)
  if (domains.length === 0) {
    yield note('domains', 'No domain exists.', 'Add the one that you send from: sendwright domain add NAME')
  }
  for (const domain of domains) yield* await checkDomain(deps, domain, now)
}

async function checkDomain(deps: DomainsDeps, domain: Domain, now: Date): Promise<Finding[]> {
  const check = `domain ${domain.name}`
  if (domain.captured) return [note(check, 'It is verified in capture mode only.')]
  const { config, db } = deps
  const keys = await findDkimKeys(db, domain.teamId, domain.id)
  const expected = expectedRecords(domain, keys, config)
  const areAllRight = (checks: RecordChecks) => expected.every(({ key }) => checks[key]?.outcome === 'right')
  const isVerified = domain.status === 'verified'
  if (isVerified && areAllRight(domain.checks)) return [ok(check, 'Its records are in DNS.')]
  const checks = await withDnsLookup(config.dnsServers, LOOKUP_TIMEOUT_MS, (lookup) =>
    checkRecords(expected, domain.checks, lookup, now),
  )
  const findings = expected.flatMap((record) => checkRecord(domain, record, checks) ?? [])
  if (checks.dkim_rsa?.outcome === 'right') {
    findings.unshift(
      isVerified
        ? ok(check, 'It is verified.')
        : warning(check, 'Its DKIM record is in DNS now.', `Run: sendwright domain verify ${domain.name}`),
    )
  }
  return findings
}

/** Returns null if the record is in DNS. */
function checkRecord(domain: Domain, record: ExpectedRecord, checks: RecordChecks): Finding | null {
  const [label, effect] = RECORDS[record.key]
  const check = `${label} of ${domain.name}`
  const { outcome = 'unknown', found = [], advice } = checks[record.key] ?? {}
  if (outcome === 'right') return null
  if (outcome === 'unknown') return warning(check, LOOKUP_FAILED, CHECK_DNS)
  const line = `${record.name}. ${record.type} ${record.type === 'TXT' ? quoteText(record.value) : `${record.value}.`}`
  const state =
    outcome === 'missing'
      ? `DNS has no ${record.type} record of ${record.name}.`
      : `DNS has another value at ${record.name}: ${found.join(', ')}.`
  const grade = record.required && domain.status !== 'pending' ? problem : warning
  const explained = advice == null ? effect : `${advice} ${effect}`
  return grade(check, `${state} ${explained}`, `Publish: ${line}`)
}
