import { parse } from 'tldts'
import type { DnsLookup, LookupAnswer } from './dns-lookup.ts'
import type { ExpectedRecord } from './domain-records.ts'
import type { RecordCheck, RecordChecks } from './domains-queries.ts'
import { adviseOnRecord } from './record-advice.ts'
import { outcomeOf } from './record-outcome.ts'

/** The limits on stored DNS values of third parties: enough to diagnose an error, never a megabyte. */
const FOUND_COUNT_MAX = 5
const FOUND_LENGTH_MAX = 1000

/**
 * Looks up the DMARC policy. A domain without a policy uses that of its organizational domain (RFC 7489 section
 * 6.6.3).
 */
async function queryDmarc(record: ExpectedRecord, lookup: DnsLookup): Promise<LookupAnswer> {
  const ownAnswer = await lookup.txt(record.name)
  if (ownAnswer.kind === 'unknown' || outcomeOf(record, ownAnswer) !== 'missing') return ownAnswer
  const parent = parse(record.name).domain
  const parentName = `_dmarc.${parent}`
  if (parent === null || parentName === record.name) return ownAnswer
  const inherited = await lookup.txt(parentName)
  // Without a policy, the values at its own name explain why.
  return outcomeOf(record, inherited) === 'missing' ? ownAnswer : inherited
}

function queryRecord(record: ExpectedRecord, lookup: DnsLookup): Promise<LookupAnswer> {
  if (record.purpose === 'DMARC') return queryDmarc(record, lookup)
  return record.type === 'TXT' ? lookup.txt(record.name) : lookup.cname(record.name)
}

/**
 * Makes a DNS value safe to store and show: replaces control characters (PostgreSQL rejects NUL) and incomplete
 * characters.
 */
function showable(value: string): string {
  return value
    .slice(0, FOUND_LENGTH_MAX)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')
}

/** Looks up all records at the same time. For an `unknown` answer, keeps what was found before. */
export async function checkRecords(
  records: readonly ExpectedRecord[],
  previous: RecordChecks,
  lookup: DnsLookup,
  now: Date,
): Promise<RecordChecks> {
  const checkRecord = async (record: ExpectedRecord): Promise<RecordCheck> => {
    const answer = await queryRecord(record, lookup)
    const outcome = outcomeOf(record, answer)
    const result = { outcome, checked_at: now.toISOString() }
    if (answer.kind === 'unknown') {
      const { found = [], advice = null } = previous[record.key] ?? {}
      return { ...result, found, advice }
    }
    const values = answer.kind === 'none' ? [] : answer.values
    const advice = outcome === 'right' ? null : await adviseOnRecord(record, values, lookup)
    return { ...result, found: values.slice(0, FOUND_COUNT_MAX).map(showable), advice }
  }
  const checks = records.map(async (record) => [record.key, await checkRecord(record)] as const)
  return Object.fromEntries(await Promise.all(checks))
}
