import { Counter, Gauge, type Registry } from 'prom-client'
import type { Report } from '../delivery/sites/outcomes.ts'
import type { NamedSite } from '../delivery/sites/site-set.ts'
import { createMetricsServer } from '../http/server/metrics-server.ts'
import { listenOrExplain } from '../lib/net/listen-or-explain.ts'
import { startListening } from '../lib/net/start-listening.ts'
import { classOf } from '../queue/mail-class.ts'
import type { LossReason } from '../request-log/write-requests.ts'
import type { Runtime } from './runtime.ts'

/** Counts delivery reports by outcome and category. */
export function countReports(registry: Registry): (report: Report) => void {
  const reports = new Counter({
    name: 'sendwright_delivery_reports_total',
    help: 'Delivery attempts and decisions about recipients, by outcome, category and class of mail.',
    labelNames: ['outcome', 'category', 'class'],
    registers: [registry],
  })
  return (report) => {
    if (report.kind === 'attempted') {
      const { state, category } = report.result.verdict
      reports.inc({ outcome: state, category, class: classOf(report.result.delivery.isBulk) })
    } else {
      reports.inc({
        outcome: report.kind,
        category: report.kind === 'postponed' ? report.category : 'suppressed',
        class: classOf(report.delivery.isBulk),
      })
    }
  }
}

/** Counts inbound messages by the kind of address and their effect. */
export function countDsns(registry: Registry): (address: string, effect: string) => void {
  const dsns = new Counter({
    name: 'sendwright_notices_total',
    help: 'Messages received at a return path, the feedback address or an unsubscribe address, by effect.',
    labelNames: ['address', 'effect'],
    registers: [registry],
  })
  return (address, effect) => dsns.inc({ address, effect })
}

/** Counts the partitions and rows that retention removes. */
export function countRetention(registry: Registry) {
  const weeks = new Counter({
    name: 'sendwright_retention_dropped_partitions_total',
    help: 'Expired weekly partitions that were dropped.',
    labelNames: ['table'],
    registers: [registry],
  })
  const rows = new Counter({
    name: 'sendwright_retention_deleted_rows_total',
    help: 'Expired rows deleted from partitions that remain. An email counts once, with all its records.',
    labelNames: ['table'],
    registers: [registry],
  })
  return {
    onDropped: (table: string) => weeks.inc({ table }),
    onDeleted: (table: string, count: number) => rows.inc({ table }, count),
  }
}

/** Counts the requests that are missing in the request log. */
export function countLostRequests(registry: Registry): (reason: LossReason, count: number) => void {
  const counter = new Counter({
    name: 'sendwright_request_log_lost_total',
    help: 'Requests that are missing in the request log, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  return (reason, count) => counter.inc({ reason }, count)
}

/** Adds a gauge of the deliveries that this process holds. */
export function gaugeHeld(
  registry: Registry,
  counts: { readonly heldCount: number; readonly heldBulkCount: number },
): void {
  new Gauge({
    name: 'sendwright_deliveries_held',
    help: 'Deliveries leased to this process and not yet settled, by class of mail.',
    labelNames: ['class'],
    registers: [registry],
    collect() {
      const { heldCount, heldBulkCount } = counts
      this.set({ class: classOf(false) }, heldCount - heldBulkCount)
      this.set({ class: classOf(true) }, heldBulkCount)
    },
  })
}

/** Maximum number of site labels. Without a limit, customers could create a label for every domain they name. */
const SHUT_SITES_MAX = 100

/** Adds gauges of the sites of this process: their number by state, and the paused ones by name. */
export function gaugeSites(registry: Registry, sites: { all(): Iterable<NamedSite> }): void {
  new Gauge({
    name: 'sendwright_sites',
    help: 'Sites (MX sets) that this process knows, by state. With several workers, the highest number of one of them.',
    labelNames: ['state'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset()
      for (const state of ['open', 'paused', 'probing', 'stopped']) this.set({ state }, 0)
      for (const { site } of sites.all()) this.inc({ state: site.view.state })
    },
  })
  new Gauge({
    name: 'sendwright_site_paused',
    help: '1 for each site that takes no mail now, up to 100 sites.',
    labelNames: ['site'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset()
      let count = 0
      for (const { name, site } of sites.all()) {
        if (!site.isShut || count >= SHUT_SITES_MAX) continue
        count++
        this.set({ site: name }, 1)
      }
    },
  })
}

type ServedMetrics = Pick<Runtime, 'config' | 'log' | 'published' | 'lifecycle'>

/** Serves GET /metrics on a separate port, in every role. */
export async function serveMetrics({ config, log, published, lifecycle }: ServedMetrics): Promise<void> {
  const { host, metricsPort: port } = config
  if (port === null) return
  const server = createMetricsServer(published)
  const listening = () => startListening(server, { port, host }, { name: 'metrics', log })
  await listenOrExplain(listening, port, 'SENDWRIGHT_METRICS_PORT')
  lifecycle.add('metrics', () => new Promise((resolve) => server.close(() => resolve())))
}
