import { createHash, type X509Certificate } from 'node:crypto'
import type { DnsRecord } from '../../lib/dns/dns-message.ts'
import type { SessionFailure } from './tls-result-types.ts'

/** A TLSA record (RFC 6698 section 2.1). */
export type TlsaRecord = DnsRecord['TLSA']

/** RFC 7671 section 2.1. */
const DANE_TA = 2
const DANE_EE = 3
const DIGESTS = [null, 'sha256', 'sha512'] as const
const CHAIN_MAX = 10

/** Returns whether SMTP can use the record: not PKIX usages (RFC 7672 section 3.1.3), nor digests of a wrong length. */
export function isUsable({ usage, selector, matchingType, certificate }: TlsaRecord): boolean {
  if (usage !== DANE_TA && usage !== DANE_EE) return false
  if (selector !== 0 && selector !== 1) return false
  if (matchingType === 0) return certificate.length > 0
  return certificate.length === { 1: 32, 2: 64 }[matchingType]
}

/** Formats a record as in a zone file, for reports and for people. */
export function formatTlsa({ usage, selector, matchingType, certificate }: TlsaRecord): string {
  return `${usage} ${selector} ${matchingType} ${certificate.toString('hex').toUpperCase()}`
}

function matches(record: TlsaRecord, certificate: X509Certificate): boolean {
  const content =
    record.selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' })
  const digest = DIGESTS[record.matchingType] ?? null
  const data = digest === null ? content : createHash(digest).update(content).digest()
  return data.equals(record.certificate)
}

/**
 * Verifies what a server presented against its TLSA records; returns null when it matches.
 * @param chain the server's certificate first, followed by its issuers
 * @param host the owner of the records: a certificate under a DANE-TA record must name it. RFC 7672 section 3.2.2 also
 *   allows the recipient domain, but mail to other domains shares the connection, so it is not accepted
 */
export function checkDane(
  records: readonly TlsaRecord[],
  chain: readonly X509Certificate[],
  host: string,
  now: Date,
): SessionFailure {
  const [leaf] = chain
  if (leaf === undefined) return { type: 'validation-failure', reason: 'the server gave no certificate' }
  const usable = records.filter(isUsable)
  // RFC 7671 section 5.1: with DANE-EE names and dates are ignored; the record identifies the key and its lifetime.
  if (usable.some((record) => record.usage === DANE_EE && matches(record, leaf))) return null
  const anchors = usable.filter((record) => record.usage === DANE_TA)
  const anchorAt = findAnchor(anchors, chain)
  if (anchorAt === -1) {
    return { type: 'validation-failure', reason: 'no TLSA record matches the certificate' }
  }
  if (!chain.slice(0, anchorAt).every((certificate) => isTimely(certificate, now))) {
    return { type: 'certificate-expired', reason: 'a certificate below the TLSA trust anchor has expired' }
  }
  if (leaf.checkHost(host, { subject: 'never' }) === undefined) {
    return { type: 'certificate-host-mismatch', reason: `the certificate is not for ${host}` }
  }
  return null
}

/**
 * Returns the index of the first certificate in the chain that a record names as trust anchor, with valid signatures up
 * to it.
 */
function findAnchor(anchors: readonly TlsaRecord[], chain: readonly X509Certificate[]): number {
  if (anchors.length === 0) return -1
  for (let at = 1; at < Math.min(chain.length, CHAIN_MAX); at++) {
    const child = chain[at - 1] as X509Certificate
    const issuer = chain[at] as X509Certificate
    if (!issuer.ca || !child.checkIssued(issuer) || !child.verify(issuer.publicKey)) return -1
    if (anchors.some((record) => matches(record, issuer))) return at
  }
  return -1
}

function isTimely({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate
}
