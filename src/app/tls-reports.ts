import { limitTlsReports } from '../delivery/tls-reports/tls-report-limits.ts'
import { sendDueTlsReport } from '../delivery/tls-reports/tls-reports.ts'
import type { AcceptMime } from '../emails/accept/accept-mime.ts'
import { createGuardedAgent } from '../lib/net/guarded-agent.ts'
import { lookUpTxt } from './ask-txt.ts'
import type { Runtime } from './runtime.ts'

const REPORT_POST_MS = 15_000

/** Creates a function that sends one due TLS report. It resolves to true when more may be due. */
export function createTlsReports(runtime: Runtime, acceptMime: AcceptMime): () => Promise<boolean> {
  const { config, clock, log, guard, mx, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const addressesOf = (host: string) => mx.addressesOf(host)
  const agent = createGuardedAgent({ guard, timeoutMs: REPORT_POST_MS, addressesOf })
  lifecycle.add('TLS report agent', () => agent.destroy())
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
        const answer = await lookUpTxt(name, config.dnsServers)
        return answer.kind === 'temporary' ? null : answer.kind === 'records' ? answer.records : []
      },
    })
}
