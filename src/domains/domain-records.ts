import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import type { StoredDkimKey } from './dkim-keys-queries.ts'
import type { Domain, RecordName } from './domains-queries.ts'

/** A record that the owner of a domain must publish. */
export interface ExpectedRecord {
  key: RecordName
  /** The purpose in the terms of Resend's API. The return path is listed as SPF, which it serves. */
  purpose: 'DKIM' | 'SPF' | 'DMARC' | 'Tracking'
  type: 'TXT' | 'CNAME'
  /** Fully qualified, without a trailing dot. */
  name: string
  /** The sending domain, with which the name ends. */
  domain: string
  value: string
  /** Whether verification depends on the record. */
  required: boolean
}

/** The first label of the return path's host. */
const RETURN_PATH_LABEL = 'bounce'
const TRACKING_LABEL = 'links'
/**
 * A return path is a 52-character token, `@` and this host; a path has at most 254 characters (RFC 5321 section
 * 4.5.3.1.3).
 */
const RETURN_PATH_HOST_LENGTH_MAX = 254 - 53

/** Returns the host of a domain's tracked links. */
export function trackingHost(domainName: string): string {
  return `${TRACKING_LABEL}.${domainName}`
}

/** Returns whether a host may be the tracking host of a domain. */
export function isTrackingHost(host: string): boolean {
  return host.startsWith(`${TRACKING_LABEL}.`)
}

export function returnPathHost(domainName: string): string {
  return `${RETURN_PATH_LABEL}.${domainName}`
}

/** Returns the domain of a return path's host, in lower case, or null for other hosts. */
export function domainOfReturnPathHost(host: string): string | null {
  const prefix = `${RETURN_PATH_LABEL}.`
  return host.startsWith(prefix) ? host.slice(prefix.length) : null
}

/** Returns a DKIM selector of a domain, which no other domain row of any team uses. */
export function dkimSelector(domainId: string, algorithm: StoredDkimKey['algorithm']): string {
  return `sw-${domainId.slice(-8)}-${algorithm === 'rsa-sha256' ? 'rsa' : 'ed'}`
}

/** Returns the value of a DKIM record (RFC 6376 section 3.6.1; RFC 8463 section 4 for Ed25519). */
function dkimRecordValue(key: Pick<StoredDkimKey, 'algorithm' | 'publicKey'>): string {
  return `v=DKIM1; k=${key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'}; p=${key.publicKey}`
}

/** Returns whether public DNS can point at a host. It cannot point at `localhost` or an IP address. */
function isPublicHost(host: string): boolean {
  return host.includes('.') && isIP(host) === 0
}

/**
 * Returns the records of a domain in display order. Omits the second DKIM record unless the domain uses it, and the return path and tracking records while this
 * installation has no public name.
 */
export function expectedRecords(
  domain: Pick<Domain, 'name' | 'openTracking' | 'clickTracking' | 'dkimEd25519'>,
  keys: readonly StoredDkimKey[],
  config: Pick<Config, 'hostname' | 'publicUrl'>,
): ExpectedRecord[] {
  const signingKeys = keys.filter(({ algorithm }) => algorithm === 'rsa-sha256' || domain.dkimEd25519)
  const records: ExpectedRecord[] = signingKeys.map((key) => ({
    key: key.algorithm === 'rsa-sha256' ? 'dkim_rsa' : 'dkim_ed25519',
    purpose: 'DKIM',
    type: 'TXT',
    name: `${key.selector}._domainkey.${domain.name}`,
    domain: domain.name,
    value: dkimRecordValue(key),
    // Not every verifier supports Ed25519 (RFC 8463 section 3 makes RSA mandatory), so Ed25519 alone is not enough.
    required: key.algorithm === 'rsa-sha256',
  }))
  const returnPath = returnPathHost(domain.name)
  if (isPublicHost(config.hostname) && returnPath.length <= RETURN_PATH_HOST_LENGTH_MAX) {
    records.push({
      key: 'return_path',
      purpose: 'SPF',
      type: 'CNAME',
      name: returnPath,
      domain: domain.name,
      value: config.hostname,
      required: false,
    })
  }
  records.push({
    key: 'dmarc',
    purpose: 'DMARC',
    type: 'TXT',
    name: `_dmarc.${domain.name}`,
    domain: domain.name,
    value: 'v=DMARC1; p=none;',
    required: false,
  })
  const publicHost = new URL(config.publicUrl).hostname
  if ((domain.openTracking || domain.clickTracking) && isPublicHost(publicHost)) {
    records.push({
      key: 'tracking',
      purpose: 'Tracking',
      type: 'CNAME',
      name: trackingHost(domain.name),
      domain: domain.name,
      value: publicHost,
      required: false,
    })
  }
  return records
}
