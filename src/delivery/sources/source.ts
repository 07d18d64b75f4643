import type { MxHost } from '../../lib/dns/mx.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Source } from '../rules/source-rules.ts'

/**
 * The MX set that a delivery is about to go to: its name, and its hosts in order of preference. Relays and fixed sites
 * have no hosts.
 */
export interface MailSite {
  name: string
  hosts: readonly MxHost[]
}

/** The source of a delivery, or the time until which it has none and a sentence that explains why. */
export type PickedSource = { source: Source } | { until: Date; reason: string }

/** Called once for each hop of a delivery, when its site is known. */
export type PickSource = (delivery: DueDelivery, site: MailSite) => Promise<PickedSource>
