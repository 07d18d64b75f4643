import type { Log } from '../../lib/log.ts'
import { httpsUrlOf, mailboxOf } from './tls-report-format.ts'

/**
 * Reports that a process sends in a day (UTC) to one address, and to one host with all of its addresses, retries
 * included. Nothing proves that an address wants the reports that a record requests for it (RFC 8460 section 3): the
 * owner of ten thousand domains could flood a third party. Report collectors have a separate address for each customer.
 */
export const REPORTS_PER_ADDRESS_MAX = 200
const REPORTS_PER_HOST_MAX = 2000
/** Names counted; beyond this number the oldest are forgotten. */
const NAMES_MAX = 20_000

export interface TlsReportLimits {
  /** Counts one report to this mailto: or https: URI; returns why it must not be sent today, or null. */
  take(uri: string, now: Date): string | null
}

export function limitTlsReports(log: Log): TlsReportLimits {
  let day = ''
  const byAddress = new Map<string, number>()
  const byHost = new Map<string, number>()

  function refuse(to: Record<string, string>, count: number, countMax: number, what: string): string | null {
    if (count < countMax) return null
    if (count === countMax)
      log.warn(to, `no more TLS reports go to this ${what} today: ${countMax} have gone`)
    return `${countMax} reports have gone to this ${what} today`
  }

  return {
    take(uri, now) {
      const today = now.toISOString().slice(0, 10)
      if (today !== day) {
        byAddress.clear()
        byHost.clear()
        day = today
      }
      const { address, host } = namesOf(uri)
      const addressCount = count(byAddress, address)
      const reason = refuse({ to: address }, addressCount, REPORTS_PER_ADDRESS_MAX, 'address')
      // A report that exceeds the address's limit does not count for the host.
      return reason ?? refuse({ to: host }, count(byHost, host), REPORTS_PER_HOST_MAX, 'host')
    },
  }
}

/** Returns the count before this one. */
function count(counts: Map<string, number>, name: string): number {
  const before = counts.get(name) ?? 0
  counts.set(name, before + 1)
  const oldest = counts.keys().next()
  if (counts.size > NAMES_MAX && oldest.done !== true) counts.delete(oldest.value)
  return before
}

/** The query of a URL and its case do not make another address. */
function namesOf(uri: string): { address: string; host: string } {
  const address = (mailboxOf(uri) ?? uri).toLowerCase()
  const url = httpsUrlOf(uri)
  if (url !== null) return { address: `https://${url.host}${url.pathname.toLowerCase()}`, host: url.hostname }
  return { address, host: address.slice(address.lastIndexOf('@') + 1) }
}
