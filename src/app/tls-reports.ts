import { limitTlsReports } from '../delivery/tls-reports/tls-report-limits.ts'
import { sendDueTlsReport } from '../delivery/tls-reports/tls-reports.ts'
import type { AcceptMime } from '../emails/accept/accept-mime.ts'
import { createGuardedAgent } from '../lib/net/guarded-agent.ts'
import { askTxt } from './ask-txt.ts'
import type { Runtime } from './runtime.ts'

const REPORT_POST_MS = 15_000

/** Sends one daily TLS report that is due; true: there may be more. */
export function createTlsReports(runtime: Runtime, acceptMime: AcceptMime): () => Promise<boolean> {
  const { config, clock, log, guard, mx, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const addressesOf = (host: string) => mx.addressesOf(host)
  const agent = createGuardedAgent({ guard, timeoutMs: REPORT_POST_MS, addressesOf })
  lifecycle.add('agent of TLS reports', () => agent.destroy())
  const limits = limitTlsReports(log)
  return () =>
    sendDueTlsReport({
      db,
      clock,
      log,
      acceptMime,
      limits,
      agent,
      hostname: config.hostname,
      from: config.tlsReportFrom,
      async txt(name) {
        const answer = await askTxt(name, config.dnsServers)
        return answer.kind === 'temporary' ? null : answer.kind === 'records' ? answer.records : []
      },
    })
}
