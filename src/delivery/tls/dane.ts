import { createSemaphore } from '../../lib/async/semaphore.ts'
import { type QueryOptions, query, type WireAnswer } from '../../lib/dns/dns-wire.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { TlsaRecord } from './tlsa.ts'
import { TtlCache } from './ttl-cache.ts'

/** What DNSSEC proves of a domain's mail hosts. */
export type SecureHosts =
  /** The hosts are proven; connections go to none else. */
  | { kind: 'secure'; hosts: ReadonlySet<string> }
  /** The domain is not signed: no DANE. */
  | { kind: 'insecure' }
  /** Neither can be said: forged or broken, for all we know (RFC 7672 section 2.1.1: the delivery waits). */
  | { kind: 'unknown'; reason: string }

/** What DNSSEC proves of a host's TLSA records. */
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
/** Names under search at once, each with a few questions; the rest waits its turn. */
const SEARCHES_MAX = 64
/** More than any honest host has. */
const RECORDS_MAX = 50
const QUESTION: Pick<QueryOptions, 'timeoutMs' | 'roundsMax' | 'dnssec'> = {
  timeoutMs: 3000,
  roundsMax: 2,
  dnssec: true,
}

/**
 * DANE for SMTP (RFC 7672) by the word of one validating resolver, whose AD bit is taken for the proof. A resolver that
 * finds a forged or broken signature answers SERVFAIL, as one does that is in trouble itself: both are `unknown`.
 * @param port that of the recipients' mail servers: the records' names begin with it
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
    measure: (found) => (found.kind === 'secure' ? found.hosts.size * HOST_BYTES : 0),
  })
  const tlsa = new TtlCache<HostTlsa>({ clock, bytesMax: MEMORY_BYTES_MAX, measure: measureTlsa })
  const options: QueryOptions = { ...QUESTION, servers: [resolver] }
  const takeTurn = createSemaphore(SEARCHES_MAX)

  async function findHosts(domain: string): Promise<{ value: SecureHosts; ttlMs: number }> {
    const answer = await query(domain, 'MX', options)
    if (answer.kind === 'temporary') {
      const reason = `the mail hosts of ${domain} could not be validated: ${answer.reason}`
      return { value: { kind: 'unknown', reason }, ttlMs: TROUBLE_MS }
    }
    const ttlMs = ttlOf(answer)
    if (!answer.authenticated) return { value: { kind: 'insecure' }, ttlMs }
    // No MX: the domain's own address takes its mail (RFC 5321 section 5.1), and the denial is proven too.
    const names = answer.kind === 'records' ? answer.records.map(({ name }) => name) : [domain]
    return { value: { kind: 'secure', hosts: new Set(names) }, ttlMs }
  }

  async function findTlsa(host: string): Promise<{ value: HostTlsa; ttlMs: number }> {
    const isSigned = await hasSecureAddress(host)
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

  /**
   * RFC 7672 section 2.2.2: in zones that are not signed TLSA is not asked for, because servers of such zones may fail
   * over a type that they do not know.
   */
  async function hasSecureAddress(host: string): Promise<true | Exclude<HostTlsa, { kind: 'records' }>> {
    const answers = await Promise.all([query(host, 'A', options), query(host, 'AAAA', options)])
    if (answers.some(({ kind, authenticated }) => kind === 'records' && authenticated)) return true
    // One that is answered without proof tells that the zone is not signed, whatever became of the other.
    if (answers.some(({ kind, authenticated }) => kind !== 'temporary' && !authenticated))
      return { kind: 'none' }
    const trouble = answers.find((answer) => answer.kind === 'temporary')
    return trouble?.kind === 'temporary'
      ? { kind: 'unknown', reason: `the addresses of ${host} could not be validated: ${trouble.reason}` }
      : { kind: 'none' }
  }

  return {
    hostsOf: (domain) => hosts.get(domain, () => takeTurn(() => findHosts(domain))),
    tlsaOf: (host) => tlsa.get(host, () => takeTurn(() => findTlsa(host))),
  }
}

function measureTlsa(found: HostTlsa): number {
  if (found.kind !== 'records') return 0
  return found.records.reduce((sum, { certificate }) => sum + HOST_BYTES + certificate.length, 0)
}

function ttlOf({ ttlSeconds }: Exclude<WireAnswer<'MX' | 'TLSA'>, { kind: 'temporary' }>): number {
  return Math.min(TTL_MS_MAX, Math.max(TTL_MS_MIN, (ttlSeconds ?? NEGATIVE_SECONDS) * 1000))
}
