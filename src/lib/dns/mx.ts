import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { DnsAnswer, DnsClient, MxRecord } from './dns.ts'

export interface MxHost {
  /** Lower case, without a trailing dot. */
  name: string
  preference: number
}

/** Where mail for a domain goes. All kinds but `hosts` and `temporary` are final for now. */
export type MxAnswer =
  | { kind: 'hosts'; site: string; hosts: MxHost[] }
  /** RFC 7505: the domain states that it accepts no mail. */
  | { kind: 'null_mx' }
  /** The name does not exist (NXDOMAIN), or cannot exist on the public Internet. */
  | { kind: 'no_domain' }
  /** The domain exists, but has neither MX nor address, or only unusable MX. */
  | { kind: 'no_mail_host' }
  | { kind: 'temporary'; reason: string }

const HOSTS_MAX = 20
const ADDRESSES_MAX = 10
const SITE_LENGTH_MAX = 200
/** Concurrent prefetches; beyond this a domain is queried when its mail needs it. */
const PREFETCHES_MAX = 64
/** Hosts prefetched for each, in order of preference. */
const PREFETCHED_HOSTS = 2

/** Finds the hosts for a domain (RFC 5321 section 5.1). `random` returns numbers in [0, 1), like Math.random. */
export class MxResolver {
  readonly #dns: DnsClient
  readonly #random: () => number
  readonly #prefetching = new Set<string>()
  /** The hosts of cached answers, which are read for each delivery. */
  readonly #checked = new WeakMap<readonly MxRecord[], MxAnswer>()

  constructor(dns: DnsClient, random: () => number = Math.random) {
    this.#dns = dns
    this.#random = random
  }

  /**
   * Returns hosts in order of preference. `domain` is an A-label in lower case, `teamId` the team whose mail waits.
   * Never rejects for a DNS result.
   */
  async resolve(domain: string, teamId?: string): Promise<MxAnswer> {
    if (!isPublicName(domain)) return { kind: 'no_domain' }
    const answer = await this.#dns.mx(domain, teamId)
    if (answer.kind === 'no_data') return this.#implicit(domain, teamId)
    if (answer.kind !== 'records') return answer
    const checked = this.#checked.get(answer.records) ?? readHosts(answer.records)
    this.#checked.set(answer.records, checked)
    return checked.kind === 'hosts' ? { ...checked, hosts: this.#order(checked.hosts) } : checked
  }

  /** Prefetches what mail to the domain is about to need. The results go to the cache only. */
  prefetch(domain: string): void {
    if (this.#prefetching.size >= PREFETCHES_MAX || this.#prefetching.has(domain)) return
    if (this.#dns.hasMx(domain)) return
    this.#prefetching.add(domain)
    const forget = () => this.#prefetching.delete(domain)
    this.#askAhead(domain).then(forget, forget)
  }

  async #askAhead(domain: string): Promise<void> {
    const answer = await this.resolve(domain)
    if (answer.kind !== 'hosts') return
    await Promise.all(answer.hosts.slice(0, PREFETCHED_HOSTS).map(({ name }) => this.addressesOf(name)))
  }

  /** Returns IPv4 then IPv6 addresses of a host, each family shuffled, ten at most of each; empty when DNS has none. */
  async addressesOf(host: string, teamId?: string): Promise<string[]> {
    return (await this.lookUp(host, teamId)).addresses
  }

  /** Returns the addresses of a host, and whether DNS answered both queries. If not, the host may have more addresses. */
  async lookUp(host: string, teamId?: string): Promise<{ addresses: string[]; isComplete: boolean }> {
    const answers = await Promise.all([this.#dns.v4(host, teamId), this.#dns.v6(host, teamId)])
    const addresses = answers.flatMap((answer) =>
      answer.kind === 'records' ? this.#shuffle(answer.records.slice(0, ADDRESSES_MAX)) : [],
    )
    return { addresses, isComplete: answers.every(({ kind }) => kind !== 'temporary') }
  }

  /** No MX: the domain's own address takes its mail (RFC 5321 section 5.1, implicit MX). */
  async #implicit(domain: string, teamId: string | undefined): Promise<MxAnswer> {
    const answers: DnsAnswer<string>[] = await Promise.all([
      this.#dns.v4(domain, teamId),
      this.#dns.v6(domain, teamId),
    ])
    if (answers.some(({ kind }) => kind === 'records')) {
      return { kind: 'hosts', site: domain, hosts: [{ name: domain, preference: 0 }] }
    }
    return answers.find((answer) => answer.kind === 'temporary') ?? { kind: 'no_mail_host' }
  }

  /** RFC 5321 section 5.1: lowest preference first, equal ones in random order, drawn for each call. */
  #order(hosts: readonly MxHost[]): MxHost[] {
    return this.#shuffle(hosts).sort((one, other) => one.preference - other.preference)
  }

  #shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items]
    for (let last = shuffled.length - 1; last > 0; last--) {
      const at = Math.floor(this.#random() * (last + 1))
      ;[shuffled[last], shuffled[at]] = [shuffled[at] as T, shuffled[last] as T]
    }
    return shuffled
  }
}

/** Returns the usable hosts of MX records, sorted by preference and name. */
function readHosts(records: readonly MxRecord[]): MxAnswer {
  const named = records.map(({ name, preference }) => ({
    name: name.toLowerCase().replace(/\.$/, ''),
    preference,
  }))
  if (named.length === 1 && named[0]?.name === '') return { kind: 'null_mx' }
  const hosts = withoutRepeats(named.filter(({ name }) => isPublicName(name))).slice(0, HOSTS_MAX)
  if (hosts.length === 0) return { kind: 'no_mail_host' }
  return { kind: 'hosts', site: siteOf(hosts), hosts }
}

/**
 * Returns whether mail may go to this name at all. An MX that is an address, `localhost` or a single label is a mistake
 * or an attack; a dotted name whose last label is a number is an address in disguise (`127.1`).
 */
function isPublicName(name: string): boolean {
  if (name.length > 253 || isIP(name) !== 0 || !/^[a-z0-9._-]+$/i.test(name)) return false
  const labels = name.split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.length > 1 && !labels.includes('') && last !== 'localhost' && !/^(\d+|0x[0-9a-f]*)$/i.test(last)
  )
}

/**
 * Returns hosts sorted by preference and name, each name once with its best preference, so that equal sets compare
 * equal.
 */
function withoutRepeats(hosts: readonly MxHost[]): MxHost[] {
  const sorted = [...hosts].sort(
    (one, other) => one.preference - other.preference || (one.name < other.name ? -1 : 1),
  )
  const seen = new Set<string>()
  return sorted.filter(({ name }) => !seen.has(name) && seen.add(name) !== undefined)
}

/** Returns the key under which domains with the same MX set share connections and limits. */
function siteOf(hosts: readonly MxHost[]): string {
  const names = hosts.map(({ name }) => name).sort()
  const joined = names.join(',')
  if (joined.length <= SITE_LENGTH_MAX) return joined
  // A site is a key in memory and in logs: a long set is named by its first host and a digest.
  return `${names[0]?.slice(0, 150)},+${names.length - 1},${createHash('sha256').update(joined).digest('hex').slice(0, 16)}`
}
