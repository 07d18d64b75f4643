import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { AskDns } from './ask-dns.ts'

/** `unknown`: a look-up failed, or the policy uses a mechanism that this program does not evaluate. */
export type SpfResult = 'pass' | 'fail' | 'none' | 'several' | 'invalid' | 'unknown'

/** RFC 7208 section 4.6.4. */
const LOOKUPS_MAX = 10
const TERM = /^([+\-~?]?)([a-z0-9]+)(?::([^/]+))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/i

interface Term {
  qualifier: string
  name: string
  domain: string
  bits: { v4: number; v6: number }
}

/** The state of one evaluation, over all included policies. */
interface Evaluation {
  dns: AskDns
  address: string
  lookupsLeft: number
}

/** Returns the SPF policies of a name (RFC 7208 section 4.5), or null if the look-up failed. */
export async function findSpf(dns: AskDns, domain: string): Promise<readonly string[] | null> {
  const texts = await dns.txt(domain)
  return texts === null ? null : texts.filter((text) => /^v=spf1( |$)/i.test(text))
}

/**
 * Evaluates the SPF policy of a name for a sending address (RFC 7208 section 4). Results other than pass count as a
 * failure. The mechanisms `exists` and `ptr`, and macros, are not evaluated.
 */
export async function evaluateSpf(dns: AskDns, domain: string, address: string): Promise<SpfResult> {
  return evaluatePolicy({ dns, address, lookupsLeft: LOOKUPS_MAX }, domain)
}

async function evaluatePolicy(evaluation: Evaluation, domain: string): Promise<SpfResult> {
  const policies = await findSpf(evaluation.dns, domain)
  if (policies === null) return 'unknown'
  const [policy] = policies
  if (policy === undefined) return 'none'
  if (policies.length > 1) return 'several'
  const words = policy.trim().split(/ +/).slice(1)
  for (const word of words.filter((one) => !one.includes('='))) {
    const term = readTerm(word, domain)
    if (term === null) return word.includes('%') ? 'unknown' : 'invalid'
    const matches = await matchTerm(evaluation, term)
    if (typeof matches === 'string') return matches
    if (matches) return term.qualifier === '+' ? 'pass' : 'fail'
  }
  const redirect = words.find((word) => /^redirect=/i.test(word))?.slice('redirect='.length)
  if (redirect === undefined) return 'fail'
  if (redirect.includes('%')) return 'unknown'
  return spendLookup(evaluation) ? evaluatePolicy(evaluation, redirect) : 'invalid'
}

function readTerm(word: string, domain: string): Term | null {
  // An IPv6 address contains colons.
  const [, sign = '', network] = /^([+\-~?]?)ip6:(.+)$/i.exec(word) ?? []
  if (network !== undefined) {
    const [address = '', bits = '128'] = network.split('/')
    if (!/^\d{1,3}$/.test(bits)) return null
    return { qualifier: sign || '+', name: 'ip6', domain: address, bits: { v4: 32, v6: Number(bits) } }
  }
  const [, qualifier = '', name, target, v4 = '32', v6 = '128'] = TERM.exec(word) ?? []
  if (name === undefined || target?.includes('%') === true) return null
  const bits = { v4: Number(v4), v6: Number(v6) }
  return { qualifier: qualifier || '+', name: name.toLowerCase(), domain: target ?? domain, bits }
}

/** Returns whether a mechanism matches, or the result that ends the evaluation. */
async function matchTerm(evaluation: Evaluation, term: Term): Promise<boolean | SpfResult> {
  const { dns, address } = evaluation
  switch (term.name) {
    case 'all':
      return true
    case 'ip4':
    case 'ip6':
      return isIn([term.domain], address, term.bits)
    case 'exists':
    case 'ptr':
      return 'unknown'
    case 'include': {
      if (!spendLookup(evaluation)) return 'invalid'
      const result = await evaluatePolicy(evaluation, term.domain)
      if (result === 'none' || result === 'several') return 'invalid'
      return result === 'invalid' || result === 'unknown' ? result : result === 'pass'
    }
    case 'a':
    case 'mx': {
      if (!spendLookup(evaluation)) return 'invalid'
      const hosts = term.name === 'a' ? [term.domain] : await dns.mx(term.domain)
      const answers = hosts === null ? [null] : await Promise.all(hosts.map((host) => dns.addresses(host)))
      if (answers.includes(null)) return 'unknown'
      return isIn(
        answers.flatMap((addresses) => addresses ?? []),
        address,
        term.bits,
      )
    }
    default:
      return 'invalid'
  }
}

function spendLookup(evaluation: Evaluation): boolean {
  evaluation.lookupsLeft--
  return evaluation.lookupsLeft >= 0
}

/** Returns whether an address is in one of these networks. Networks of the other family, and invalid ones, are ignored. */
function isIn(networks: readonly string[], address: string, bits: Term['bits']): boolean {
  const isV4 = isIPv4(address)
  const list = new BlockList()
  for (const network of networks) {
    if (isV4 && isIPv4(network) && bits.v4 <= 32) list.addSubnet(network, bits.v4, 'ipv4')
    else if (!isV4 && isIPv6(network) && bits.v6 <= 128) list.addSubnet(network, bits.v6, 'ipv6')
  }
  return list.check(address, isV4 ? 'ipv4' : 'ipv6')
}
