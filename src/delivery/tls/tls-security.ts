import { X509Certificate } from 'node:crypto'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { escapeControls } from '../../lib/text/foreign-text.ts'
import type { FailureType, SessionFailure } from './tls-result-types.ts'
import { checkDane, isUsable, type TlsaRecord } from './tlsa.ts'

/** What protects a connection, as found. */
export type Security =
  /** `reason` completes "in the clear because"; null: TLS was not wanted. */
  | { kind: 'plain'; reason: string | null; isHandshakeBroken: boolean }
  | {
      kind: 'tls'
      /** For example `TLSv1.3`. */
      protocol: string
      cipher: string
      /** The certificate against the host's name and the authorities that this machine trusts. */
      pkix: SessionFailure
      /** The certificate against the host's TLSA records; undefined: it has none that can be used. */
      dane: SessionFailure | undefined
    }

export interface Expected {
  host: string
  tlsa: readonly TlsaRecord[] | null
  /** Whether the name must stand among the alternative names of the certificate. */
  dnsIdOnly: boolean
  now: Date
}

const CHAIN_MAX = 10

/** Looks at what a server presented; judging is the caller's. */
export function inspect(secured: TLSSocket, { host, tlsa, dnsIdOnly, now }: Expected): Security {
  return {
    kind: 'tls',
    protocol: secured.getProtocol() ?? 'TLS',
    cipher: secured.getCipher().standardName,
    pkix: secured.authorized ? nameFailure(secured, host, dnsIdOnly) : pkixFailure(secured, host),
    dane: tlsa?.some(isUsable) ? checkDane(tlsa, chainOf(secured), host, now) : undefined,
  }
}

/** Why it is not enough where TLS is demanded; null: it is. */
export function failureOf(security: Security, byDane: boolean): SessionFailure {
  if (security.kind === 'plain') {
    const reason = security.reason ?? 'TLS was not wanted'
    return { type: security.isHandshakeBroken ? 'validation-failure' : 'starttls-not-supported', reason }
  }
  // RFC 7672 section 2.2: where no TLSA record is usable, TLS is demanded, and any certificate will do.
  return byDane ? (security.dane ?? null) : security.pkix
}

/** As the conversation tells it. */
export function describeSecurity(security: Security): string {
  if (security.kind === 'plain') return `in the clear: ${security.reason ?? 'TLS was not wanted'}`
  const isVerified = security.pkix === null || security.dane === null
  return `${security.protocol} ${security.cipher} ${isVerified ? 'verified' : 'unverified'}`
}

const TYPE_BY_CODE: Record<string, FailureType> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-host-mismatch',
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'validation-failure',
}

function pkixFailure(secured: TLSSocket, host: string): SessionFailure {
  const error = secured.authorizationError as unknown as NodeJS.ErrnoException | string | undefined
  const code = typeof error === 'string' ? error : (error?.code ?? error?.message ?? 'unknown')
  const reason = escapeControls(`the certificate is not valid for ${host} (${code.slice(0, 100)})`)
  return { type: TYPE_BY_CODE[code] ?? 'certificate-not-trusted', reason }
}

/** RFC 8461 section 4.1: the name must stand among the alternative names; Node.js would take an old-fashioned CN too. */
function nameFailure(secured: TLSSocket, host: string, dnsIdOnly: boolean): SessionFailure {
  const leaf = secured.getPeerX509Certificate()
  if (!dnsIdOnly || leaf?.checkHost(host, { subject: 'never' }) !== undefined) return null
  const reason = `the certificate does not name ${host} among its alternative names`
  return { type: 'certificate-host-mismatch', reason }
}

/** The server's certificate, then each issuer after what it signed, as far as the server sent them. */
function chainOf(secured: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  let next: Partial<PeerCertificate> & { issuerCertificate?: PeerCertificate } =
    secured.getPeerCertificate(true)
  while (next.raw !== undefined && chain.length < CHAIN_MAX) {
    chain.push(new X509Certificate(next.raw))
    // A certificate that signed itself is its own issuer.
    if (next.issuerCertificate === undefined || next.issuerCertificate === next) break
    next = next.issuerCertificate
  }
  return chain
}
