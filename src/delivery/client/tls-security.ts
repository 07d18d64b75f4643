import { X509Certificate } from 'node:crypto'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { escapeControls } from '../../lib/text/foreign-text.ts'
import type { FailureType, SessionFailure } from './tls-result-types.ts'
import { checkDane, isUsable, type TlsaRecord } from './tlsa.ts'

/** The observed protection of a connection. */
export type Security =
  /** `reason` completes "in the clear because"; null: TLS was disabled. */
  | { kind: 'plain'; reason: string | null; isHandshakeBroken: boolean }
  | {
      kind: 'tls'
      /** For example `TLSv1.3`. */
      protocol: string
      cipher: string
      /** The result of verifying the certificate against the host's name and this machine's trusted authorities. */
      pkix: SessionFailure
      /** The result of verifying the certificate against the host's TLSA records; undefined: none is usable. */
      dane: SessionFailure | undefined
    }

export interface Expected {
  host: string
  tlsa: readonly TlsaRecord[] | null
  /** Whether the certificate must list the name as a subject alternative name. */
  dnsIdOnly: boolean
  now: Date
}

const CHAIN_MAX = 10

/** Examines what a server presented; the caller decides. */
export function inspect(secured: TLSSocket, { host, tlsa, dnsIdOnly, now }: Expected): Security {
  return {
    kind: 'tls',
    protocol: secured.getProtocol() ?? 'TLS',
    cipher: secured.getCipher().standardName,
    pkix: secured.authorized ? nameFailure(secured, host, dnsIdOnly) : pkixFailure(secured, host),
    dane: tlsa?.some(isUsable) ? checkDane(tlsa, chainOf(secured), host, now) : undefined,
  }
}

/** Returns why the security is insufficient when TLS is demanded, or null if it is sufficient. */
export function failureOf(security: Security, byDane: boolean): SessionFailure {
  if (security.kind === 'plain') {
    const reason = security.reason ?? 'TLS was not wanted'
    return { type: security.isHandshakeBroken ? 'validation-failure' : 'starttls-not-supported', reason }
  }
  // RFC 7672 section 2.2: if no TLSA record is usable, TLS is required with any certificate.
  return byDane ? (security.dane ?? null) : security.pkix
}

/** Formats the security for the transcript. */
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

/** RFC 8461 section 4.1: the name must be a subject alternative name; Node.js would also accept a CN. */
function nameFailure(secured: TLSSocket, host: string, dnsIdOnly: boolean): SessionFailure {
  const leaf = secured.getPeerX509Certificate()
  if (!dnsIdOnly || leaf?.checkHost(host, { subject: 'never' }) !== undefined) return null
  const reason = `the certificate does not name ${host} among its alternative names`
  return { type: 'certificate-host-mismatch', reason }
}

/** Returns the server's certificate followed by each issuer, as far as the server sent them. */
function chainOf(secured: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  let next: Partial<PeerCertificate> & { issuerCertificate?: PeerCertificate } =
    secured.getPeerCertificate(true)
  while (next.raw !== undefined && chain.length < CHAIN_MAX) {
    chain.push(new X509Certificate(next.raw))
    // A self-signed certificate is its own issuer.
    if (next.issuerCertificate === undefined || next.issuerCertificate === next) break
    next = next.issuerCertificate
  }
  return chain
}
