import type { Relay } from '../../config/relay.ts'
import type { MxHost } from '../../lib/dns/mx.ts'
import type { Source } from '../sources/source.ts'
import type { TlsClass } from '../tls/tls-class.ts'

/** What a connection is opened for: only mail with the same key shares one, its limits and its pauses. */
export interface SiteKey {
  /** The MX set (lib/dns/mx.ts), `relay:host:port`, or `capture`. */
  site: string
  source: Source
  tls: TlsClass
  /** Null: the site's own hosts. */
  relay: Relay | null
  /** Those of the MX set, as they were when the site was first heard of; empty for relays and fixed sites. */
  hosts: readonly MxHost[]
  /** The shaping rule that parted it from the rest of its MX set; absent: it is the whole. */
  partOf?: string | null
}

/** One text for the key: in memory, in the database and in `sendwright sites`. */
export function nameOf({ site, source, tls }: Pick<SiteKey, 'site' | 'source' | 'tls'>): string {
  return source.name === 'default' ? groupOf({ site, tls }) : `${groupOf({ site, tls })} from ${source.name}`
}

/** What sites of several sources have in common. */
export function groupOf({ site, tls }: Pick<SiteKey, 'site' | 'tls'>): string {
  return tls === 'opportunistic' ? site : `${site} (TLS ${tls})`
}
