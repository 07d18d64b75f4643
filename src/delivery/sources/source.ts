import type { MxHost } from '../../lib/dns/mx.ts'
import type { DueDelivery } from '../../queue/types.ts'

/** Where connections come from, and what they call themselves. Limits are counted per source. */
export interface Source {
  name: string
  /** Local IP to bind; null: the system's choice. */
  address: string | null
  ehloName: string
}

/** An MX set as a delivery is about to go there: its name and hosts in the order to be tried. Empty for fixed sites. */
export interface MailSite {
  name: string
  hosts: readonly MxHost[]
}

/** The source of one delivery, or until when there is none for it, in a sentence for whoever asks why it waits. */
export type PickedSource = { source: Source } | { until: Date; reason: string }

/** Asked once for each delivery, when its site is known. */
export type PickSource = (delivery: DueDelivery, site: MailSite) => Promise<PickedSource>
