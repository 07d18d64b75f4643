import type { Relay } from '../../config/relay.ts'
import type { MxHost } from '../../lib/dns/mx.ts'
import type { Source } from '../rules/source-rules.ts'
import type { TlsClass } from '../tls/tls-policy.ts'

/**
 * Identifies a site as seen from one source and TLS class. Only mail with the same key shares connections, limits and
 * pauses.
 */
export interface SiteKey {
  /** The MX set (lib/dns/mx.ts), `relay:host:port`, or `capture`. */
  site: string
  source: Source
  tls: TlsClass
  /** Null if mail goes to the site's own hosts. */
  relay: Relay | null
  /** Hosts of the MX set when the site was first seen; empty for relays and fixed sites. */
  hosts: readonly MxHost[]
  /** The shaping rule that separates this site from the rest of its MX set. Absent or null if it is the whole set. */
  partOf?: string | null
}

/** Returns the key as text, for memory, the database and `sendwright sites`. */
export function siteNameOf({ site, source, tls }: Pick<SiteKey, 'site' | 'source' | 'tls'>): string {
  return source.name === 'default' ? groupOf({ site, tls }) : `${groupOf({ site, tls })} from ${source.name}`
}

/** Returns the part of the name that sites of several sources share. */
export function groupOf({ site, tls }: Pick<SiteKey, 'site' | 'tls'>): string {
  return tls === 'opportunistic' ? site : `${site} (TLS ${tls})`
}
