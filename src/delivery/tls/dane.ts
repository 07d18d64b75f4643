import { createSemaphore } from '../../lib/async/semaphore.ts'
import { type DnsQueryOptions, query, type WireAnswer } from '../../lib/dns/dns-wire.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { TlsaRecord } from '../client/tlsa.ts'
import { TtlCache } from './ttl-cache.ts'

/** The DNSSEC status of a domain's mail hosts. */
export type SecureHosts =
  /** The hosts are proven; connections go to no others. */
  | { kind: 'secure'; hosts: ReadonlySet<string> }
  /** The domain is not signed: no DANE. */
  | { kind: 'insecure' }
  /** Undecidable: the answer may be forged or broken (RFC 7672 section 2.1.1: the delivery waits). */
  | { kind: 'unknown'; reason: string }

/** The DNSSEC status of a host's TLSA records. */
export type HostTlsa =
  | { kind: 'records'; records: readonly TlsaRecord[] }
  | { kind: 'none' }
  | { kind: 'unknown'; reason: string }

export interface Dane {
  hostsOf(domain: string): Promise<SecureHosts>
  tlsaOf(host: string): Promise<HostTlsa>
}

const MEMORY_BYTES_MAX = 16 * 1024 * 1024
const HOST_BYTES = 100
const TTL_MS_MIN = 30_000
const TTL_MS_MAX = 60 * 60_000
const NEGATIVE_SECONDS = 60
const TROUBLE_MS = 10_000
/** Concurrent lookups, each of a few queries; further ones wait. */
const SEARCHES_MAX = 64
/** More than any honest host has. */
const RECORDS_MAX = 50
const QUESTION: Pick<DnsQueryOptions, 'timeoutMs' | 'roundsMax' | 'dnssec'> = {
  timeoutMs: 3000,
  roundsMax: 2,
  dnssec: true,
}

/**
 * Creates DANE for SMTP (RFC 7672) on one validating resolver, whose AD bit counts as the proof. A resolver answers
 * SERVFAIL for a forged or broken signature, but also when it has a problem itself: both are `unknown`.
 * @param port the port of the recipients' mail servers, with which the records' names begin
 */
export function createDane({
  resolver,
  port,
  clock,
}: {
  resolver: string
  port: number
  clock: Clock
}): Dane {
  const hosts = new TtlCache<SecureHosts>({
    clock,
    bytesMax: MEMORY_BYTES_MAX,
    measure: (answer) => (answer.kind === 'secure' ? answer.hosts.size * HOST_BYTES : 0),
  })
  const tlsa = new TtlCache<HostTlsa>({ clock, bytesMax: MEMORY_BYTES_MAX, measure: measureTlsa })
  const options: DnsQueryOptions = { ...QUESTION, servers: [resolver] }
  const takeTurn = createSemaphore(SEARCHES_MAX)

  async function findHosts(domain: string): Promise<{ value: SecureHosts; ttlMs: number }> {
    const answer = await query(domain, 'MX', options)
    if (answer.kind === 'temporary') {
      const reason = `the mail hosts of ${domain} could not be validated: ${answer.reason}`
      return { value: { kind: 'unknown', reason }, ttlMs: TROUBLE_MS }
    }
    const ttlMs = ttlOf(answer)
    if (!answer.authenticated) return { value: { kind: 'insecure' }, ttlMs }
    // Without MX records the domain's own address takes its mail (RFC 5321 section 5.1); the denial is proven too.
    const names = answer.kind === 'records' ? answer.records.map(({ name }) => name) : [domain]
    return { value: { kind: 'secure', hosts: new Set(names) }, ttlMs }
  }

  async function findTlsa(host: string): Promise<{ value: HostTlsa; ttlMs: number }> {
    const isSigned = await hasSecureAddress(host, options)
    if (isSigned !== true)
      return { value: isSigned, ttlMs: isSigned.kind === 'none' ? TTL_MS_MIN : TROUBLE_MS }
    const name = `_${port}._tcp.${host}`
    const answer = await query(name, 'TLSA', options)
    if (answer.kind === 'temporary') {
      return {
        value: { kind: 'unknown', reason: `${name} could not be validated: ${answer.reason}` },
        ttlMs: TROUBLE_MS,
      }
    }
    const isRecords = answer.kind === 'records' && answer.authenticated
    const records = isRecords ? answer.records.slice(0, RECORDS_MAX) : []
    return { value: isRecords ? { kind: 'records', records } : { kind: 'none' }, ttlMs: ttlOf(answer) }
  }

  return {
    hostsOf: (domain) => hosts.get(domain, () => takeTurn(() => findHosts(domain))),
    tlsaOf: (host) => tlsa.get(host, () => takeTurn(() => findTlsa(host))),
  }
}

/**
 * RFC 7672 section 2.2.2: TLSA is not queried in unsigned zones, because their servers may fail on an unknown type.
 */
async function hasSecureAddress(
  host: string,
  options: DnsQueryOptions,
): Promise<true | Exclude<HostTlsa, { kind: 'records' }>> {
  const answers = await Promise.all([query(host, 'A', options), query(host, 'AAAA', options)])
  if (answers.some(({ kind, authenticated }) => kind === 'records' && authenticated)) return true
  // One unauthenticated answer shows that the zone is unsigned, whatever the result of the other.
  if (answers.some(({ kind, authenticated }) => kind !== 'temporary' && !authenticated))
    return { kind: 'none' }
  const trouble = answers.find((answer) => answer.kind === 'temporary')
  return trouble?.kind === 'temporary'
    ? { kind: 'unknown', reason: `the addresses of ${host} could not be validated: ${trouble.reason}` }
    : { kind: 'none' }
}

function measureTlsa(tlsa: HostTlsa): number {
  if (tlsa.kind !== 'records') return 0
  return tlsa.records.reduce((sum, { certificate }) => sum + HOST_BYTES + certificate.length, 0)
}

function ttlOf({ ttlSeconds }: Exclude<WireAnswer<'MX' | 'TLSA'>, { kind: 'temporary' }>): number {
  return Math.min(TTL_MS_MAX, Math.max(TTL_MS_MIN, (ttlSeconds ?? NEGATIVE_SECONDS) * 1000))
}
