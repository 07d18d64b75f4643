import { isIPv4 } from 'node:net'
import type { AskDns } from './ask-dns.ts'
import { CHECK_DNS, LOOKUP_FAILED } from './check-names.ts'
import { type AdvisedRecord, type Finding, note, ok, warning } from './finding.ts'
import { evaluateSpf, findSpf } from './spf.ts'

/**
 * Checks that SPF allows the addresses to send for a name of this server. Receivers check the EHLO name, and the return
 * paths at this name and at every domain whose CNAME leads here (RFC 7208 section 2.3, 2.4).
 */
export async function checkSpf(dns: AskDns, name: string, addresses: readonly string[]): Promise<Finding> {
  const check = `SPF of ${name}`
  const policies = await findSpf(dns, name)
  if (policies === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  const [policy] = policies
  const needed = addresses.map(mechanismOf).join(' ')
  const record: AdvisedRecord = { type: 'TXT', name, value: `v=spf1 ${needed} -all` }
  if (policy === undefined) {
    return warning(check, 'It has no SPF record.', `Publish: ${name}. TXT "${record.value}"`, record)
  }
  if (policies.length > 1) {
    const advice = `Publish one alone: ${name}. TXT "${record.value}"`
    const found = `It has ${policies.length} SPF records, so receivers ignore all of them.`
    return warning(check, found, advice, record)
  }
  const results = await Promise.all(
    addresses.map(async (address) => ({ address, result: await evaluateSpf(dns, name, address) })),
  )
  const missing = results.filter(({ result }) => result === 'fail').map(({ address }) => address)
  if (missing.length > 0) {
    const found = `"${policy}" does not allow ${missing.join(', ')}.`
    const inserted = missing.map(mechanismOf).join(' ')
    const corrected = { ...record, value: policy.trim().replace(/^v=spf1/i, `v=spf1 ${inserted}`) }
    return warning(check, found, `Insert after v=spf1: ${inserted}`, corrected)
  }
  if (results.some(({ result }) => result !== 'pass' && result !== 'unknown')) {
    const advice = `Publish: ${name}. TXT "${record.value}"`
    return warning(check, `"${policy}" is not valid, so receivers ignore it.`, advice, record)
  }
  if (results.some(({ result }) => result === 'unknown'))
    return note(check, `"${policy}" cannot be evaluated here.`)
  return ok(check, `It allows ${addresses.join(', ')}.`)
}

const mechanismOf = (address: string) => `${isIPv4(address) ? 'ip4' : 'ip6'}:${address}`
