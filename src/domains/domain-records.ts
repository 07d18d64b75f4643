import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import type { StoredDkimKey } from './dkim-keys-queries.ts'
import type { Domain, RecordName } from './domains-queries.ts'

/** One record that the owner of a domain is asked to publish. */
export interface ExpectedRecord {
  key: RecordName
  /** What it is for, in the words that Resend's API uses: a return path is listed as SPF, whose purpose it serves. */
  purpose: 'DKIM' | 'SPF' | 'DMARC' | 'Tracking'
  type: 'TXT' | 'CNAME'
  /** Fully qualified, without a dot at the end. */
  name: string
  value: string
  /** The domain is verified by these alone. */
  required: boolean
}

/** Stands before the domain's name in the return path of its emails. */
const RETURN_PATH_LABEL = 'bounce'
const TRACKING_LABEL = 'links'
/** A return path is a 52-character token, `@` and this host; a path has at most 254 (RFC 5321 section 4.5.3.1.3). */
const RETURN_PATH_HOST_LENGTH_MAX = 254 - 53

/** The host of a domain's own tracked links. */
export function trackingHost(domainName: string): string {
  return `${TRACKING_LABEL}.${domainName}`
}

/** Whether a host may be the tracking host of a domain. */
export function isTrackingHost(host: string): boolean {
  return host.startsWith(`${TRACKING_LABEL}.`)
}

export function returnPathHost(domainName: string): string {
  return `${RETURN_PATH_LABEL}.${domainName}`
}

/** The domain that a host of return paths belongs to; null for other hosts. Lower case. */
export function domainOfReturnPathHost(host: string): string | null {
  const prefix = `${RETURN_PATH_LABEL}.`
  return host.startsWith(prefix) ? host.slice(prefix.length) : null
}

/** What makes the two selectors of a domain: no other domain row, of whatever team, publishes under the same name. */
export function dkimSelector(domainId: string, algorithm: StoredDkimKey['algorithm']): string {
  return `sw-${domainId.slice(-8)}-${algorithm === 'rsa-sha256' ? 'rsa' : 'ed'}`
}

/** RFC 6376 section 3.6.1; for Ed25519 RFC 8463 section 4. */
function dkimRecordValue(key: Pick<StoredDkimKey, 'algorithm' | 'publicKey'>): string {
  return `v=DKIM1; k=${key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'}; p=${key.publicKey}`
}

/** A name that other people's DNS can point at: `localhost` and addresses are not. */
function canBePointedAt(host: string): boolean {
  return host.includes('.') && isIP(host) === 0
}

/**
 * The records of a domain, in the order in which they are shown. The return path and tracking records are left out
 * while this installation has no public name to point them at.
 */
export function expectedRecords(
  domain: Pick<Domain, 'name' | 'openTracking' | 'clickTracking'>,
  keys: readonly StoredDkimKey[],
  config: Pick<Config, 'hostname' | 'publicUrl'>,
): ExpectedRecord[] {
  const records: ExpectedRecord[] = keys.map((key) => ({
    key: key.algorithm === 'rsa-sha256' ? 'dkim_rsa' : 'dkim_ed25519',
    purpose: 'DKIM',
    type: 'TXT',
    name: `${key.selector}._domainkey.${domain.name}`,
    value: dkimRecordValue(key),
    // Not every verifier knows Ed25519 (RFC 8463 section 3 makes RSA the common ground), so it alone proves nothing.
    required: key.algorithm === 'rsa-sha256',
  }))
  const returnPath = returnPathHost(domain.name)
  if (canBePointedAt(config.hostname) && returnPath.length <= RETURN_PATH_HOST_LENGTH_MAX) {
    records.push({
      key: 'return_path',
      purpose: 'SPF',
      type: 'CNAME',
      name: returnPath,
      value: config.hostname,
      required: false,
    })
  }
  records.push({
    key: 'dmarc',
    purpose: 'DMARC',
    type: 'TXT',
    name: `_dmarc.${domain.name}`,
    value: 'v=DMARC1; p=none;',
    required: false,
  })
  const publicHost = new URL(config.publicUrl).hostname
  if ((domain.openTracking || domain.clickTracking) && canBePointedAt(publicHost)) {
    records.push({
      key: 'tracking',
      purpose: 'Tracking',
      type: 'CNAME',
      name: trackingHost(domain.name),
      value: publicHost,
      required: false,
    })
  }
  return records
}
