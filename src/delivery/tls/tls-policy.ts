import { createHash } from 'node:crypto'
import { isUsable, type TlsaRecord } from '../client/tlsa.ts'
import type { Dane, HostTlsa, SecureHosts } from './dane.ts'
import type { StsKnown, StsState } from './sts-policies.ts'
import { matchesMx } from './sts-syntax.ts'

/**
 * The TLS demands of connections as text: mail of one class shares connections, because all of it demands the same of
 * each host. `opportunistic` demands nothing; others join their demands by `+`, for example `enforced` (the sender's
 * domain), `mta-sts:<hash of the policy's hosts>`, `dane:<hash of the proven hosts>`.
 */
export type TlsClass = string

/**
 * The TLS demand of one message's sender: `waived` by `TLS-Required: No` (RFC 8689 section 5), `required` on every hop
 * to the mailbox (section 4) by `X-Sendwright-Require-TLS: yes`, or null if neither does.
 */
type SenderWish = 'waived' | 'required' | null

/** The TLS demands on the connection of one delivery, and their origin. */
export interface TlsPolicy {
  /** The recipient domain. */
  domain: string
  /** `tls` of the sender's domain. */
  sender: 'opportunistic' | 'enforced'
  wish: SenderWish
  sts: StsState
  dane: SecureHosts
  /** False: the operator chose the host (a relay), which needs no proof from DNS. */
  isFromDns: boolean
}

/** The origin of a demand beyond opportunistic TLS, as shown in an attempt. */
export type Demander = 'dane' | 'mta-sts' | 'enforced'

/** The demands on a connection to one host. */
export type HostDemand =
  | {
      tls: 'opportunistic' | 'enforced'
      by: Demander | null
      /** When set, only these records verify the host's certificate. If none is usable: TLS with any certificate. */
      tlsa: readonly TlsaRecord[] | null
      /** The server must offer REQUIRETLS (RFC 8689). */
      requireTls: boolean
    }
  /** No connection is allowed. */
  | { refused: string; by: Demander | 'require-tls' }

const WAIVED = /(?:^|\r\n)TLS-Required:[ \t]*(?:\r\n[ \t]+)?No[ \t]*(?=\r\n|$)/i
const REQUIRED = /(?:^|\r\n)X-Sendwright-Require-TLS:[ \t]*(?:\r\n[ \t]+)?(?:yes|true)[ \t]*(?=\r\n|$)/i

const NO_DANE: SecureHosts = { kind: 'insecure' }

/** Returns the demands of the sending side alone, for relays in particular. */
export function senderPolicy(domain: string, sender: TlsPolicy['sender'], wish: SenderWish): TlsPolicy {
  return { domain, sender, wish, sts: null, dane: NO_DANE, isFromDns: false }
}

/** @param header the message header, up to the empty line. If both fields are present, the stricter one counts. */
export function readSenderWish(header: Buffer): SenderWish {
  const text = header.toString('latin1')
  if (REQUIRED.test(text)) return 'required'
  return WAIVED.test(text) ? 'waived' : null
}

/** RFC 8689 section 5: the recipient's policies are ignored. The demands of the sender's own domain remain. */
export function isWaived({ sender, wish }: TlsPolicy): boolean {
  return wish === 'waived' && sender !== 'enforced'
}

/** Mail of one class demands the same of every host. */
export function tlsClassOf(policy: TlsPolicy): TlsClass {
  const { sender, wish, dane, sts } = policy
  const parts: string[] = []
  if (sender === 'enforced') parts.push('enforced')
  if (wish === 'required') parts.push('require-tls')
  if (!isWaived(policy)) {
    if (dane.kind === 'secure') parts.push(`dane:${hashOf(dane.hosts)}`)
    // Such mail waits, and only for its own domain: mail to other domains must not wait with it.
    if (dane.kind === 'unknown') parts.push(`dane of ${policy.domain}`)
    const isStsMeant = isStsDemanded(sts) || wish === 'required'
    if (isStsMeant && sts !== null && 'policy' in sts) parts.push(`mta-sts:${hashOf(sts.policy.mx)}`)
  }
  return parts.join('+') || 'opportunistic'
}

/** Hashes the names that a policy allows, so that mail under different lists never shares a class. */
function hashOf(names: readonly string[] | ReadonlySet<string>): string {
  const cachedHash = hashes.get(names)
  if (cachedHash !== undefined) return cachedHash
  const hash = createHash('sha256')
    .update([...names].sort().join(' '))
    .digest('hex')
    .slice(0, HASH_LENGTH)
  hashes.set(names, hash)
  return hash
}
/** Third parties publish the lists, thousands of names long; each is hashed once while it is cached. */
const hashes = new WeakMap<readonly string[] | ReadonlySet<string>, string>()
/** An attacker must not find two lists with the same hash: 128 bits. */
const HASH_LENGTH = 32

function isStsDemanded(sts: StsState): sts is StsKnown {
  return sts !== null && 'policy' in sts && sts.policy.mode === 'enforce'
}

/** Returns the policy's demand on one host of the recipient's domain. DANE precedes MTA-STS (RFC 8461 section 2). */
export async function demandOf(policy: TlsPolicy, host: string, dane: Dane | null): Promise<HostDemand> {
  const { sender, wish, sts } = policy
  const requireTls = wish === 'required'
  const strict = (by: Demander) => ({ tls: 'enforced', by, tlsa: null, requireTls }) as const
  const lax = { tls: 'opportunistic', by: null, tlsa: null, requireTls } as const
  const demand = sender === 'enforced' || requireTls ? strict('enforced') : lax
  if (isWaived(policy)) return lax
  if (requireTls && !isProven(policy, host)) {
    const reason = `neither DNSSEC nor MTA-STS proves that ${host} is a mail host of ${policy.domain}`
    return { refused: reason, by: 'require-tls' }
  }
  const tlsa = await tlsaFor(policy, host, dane)
  if (tlsa.kind === 'unknown') return { refused: tlsa.reason, by: 'dane' }
  if (tlsa.kind === 'records') {
    const isNoneUsable = !tlsa.records.some(isUsable)
    if (isNoneUsable && demand.tls === 'enforced') return demand
    return { tls: 'enforced', by: 'dane', tlsa: tlsa.records, requireTls }
  }
  if (!isStsDemanded(sts)) return demand
  if (matchesMx(sts.policy.mx, host)) return strict('mta-sts')
  return { refused: `${host} is not named by the MTA-STS policy of ${policy.domain}`, by: 'mta-sts' }
}

/** RFC 8689 section 4.2.1, step 2. */
function isProven({ dane, sts, isFromDns }: TlsPolicy, host: string): boolean {
  if (!isFromDns) return true
  if (dane.kind === 'secure') return dane.hosts.has(host)
  return sts !== null && 'policy' in sts && matchesMx(sts.policy.mx, host)
}

async function tlsaFor(
  { dane: hosts, domain }: TlsPolicy,
  host: string,
  dane: Dane | null,
): Promise<HostTlsa> {
  if (hosts.kind === 'insecure' || dane === null) return { kind: 'none' }
  if (hosts.kind === 'unknown') return hosts
  if (hosts.hosts.has(host)) return dane.tlsaOf(host)
  return { kind: 'unknown', reason: `${host} is not among the validated mail hosts of ${domain}` }
}
