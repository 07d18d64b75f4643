import type { Relay } from '../config.ts'
import type { Source } from './sources/source.ts'
import type { TlsClass } from './tls-policy/tls-class.ts'

/** What a connection is opened for: only mail with the same key shares one, its limits and its pauses. */
export interface SiteKey {
  /** The MX set (base/mx.ts), `relay:host:port`, or `capture`. */
  site: string
  source: Source
  tls: TlsClass
  /** Null: the site's own hosts. */
  relay: Relay | null
}

/** One text for the key: in memory, in the database and in `sendwright sites`. */
export function nameOf({ site, source, tls }: Omit<SiteKey, 'relay'>): string {
  const from = source.name === 'default' ? '' : ` from ${source.name}`
  return `${site}${from}${tls === 'opportunistic' ? '' : ` (TLS ${tls})`}`
}
