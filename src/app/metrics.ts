import type { Server } from 'node:http'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/db-types.ts'
import type { Report } from '../delivery/settle/settle-deliveries.ts'
import type { NamedSite } from '../delivery/sites/site-set.ts'
import { createMetricsServer } from '../http/metrics-server.ts'
import { listenOrExplain } from '../lib/net/listen-or-explain.ts'
import type { Clock } from '../lib/time/clock.ts'
import { oldestReadySeconds } from '../queue/depth-queries.ts'
import type { Runtime } from './runtime.ts'

/** Counts what delivery reports, by outcome and category. */
export function countReports(registry: Registry): (report: Report) => void {
  const reports = new Counter({
    name: 'sendwright_delivery_reports_total',
    help: 'Tries and decisions about recipients: outcome, and the category of classification/verdict-categories.ts.',
    labelNames: ['outcome', 'category'],
    registers: [registry],
  })
  return (report) => {
    if (report.kind === 'tried') {
      const { state, category } = report.result.verdict
      reports.inc({ outcome: state, category })
    } else {
      reports.inc({
        outcome: report.kind,
        category: report.kind === 'postponed' ? report.category : 'suppressed',
      })
    }
  }
}

/** Counts what comes back by mail: at which kind of address, and what it changed. */
export function countDsns(registry: Registry): (address: string, effect: string) => void {
  const dsns = new Counter({
    name: 'sendwright_notices_total',
    help: 'Messages that came back: to a return path, the feedback address or an unsubscribe address; what they changed.',
    labelNames: ['address', 'effect'],
    registers: [registry],
  })
  return (address, effect) => dsns.inc({ address, effect })
}

/** Counts what retention removes: whole weeks, and rows of others. */
export function countRetention(registry: Registry) {
  const weeks = new Counter({
    name: 'sendwright_retention_dropped_partitions_total',
    help: 'Weeks of a table that were over their period and dropped whole.',
    labelNames: ['table'],
    registers: [registry],
  })
  const rows = new Counter({
    name: 'sendwright_retention_deleted_rows_total',
    help: 'Rows over the period of their team, deleted from weeks that stay; of emails, each with all that is its.',
    labelNames: ['table'],
    registers: [registry],
  })
  return {
    onDropped: (table: string) => weeks.inc({ table }),
    onDeleted: (table: string, count: number) => rows.inc({ table }, count),
  }
}

/** Figures of the queue, read when they are asked for; absent while the database is away. */
export function gaugeQueue(registry: Registry, db: Db, clock: Clock): void {
  new Gauge({
    name: 'sendwright_queue_oldest_ready_seconds',
    help: 'How long the oldest delivery that could be claimed has waited.',
    registers: [registry],
    async collect() {
      this.reset()
      await oldestReadySeconds(db, clock.now()).then(
        (seconds) => this.set(seconds),
        () => undefined,
      )
    },
  })
}

/** Deliveries that this process holds. */
export function gaugeHeld(registry: Registry, heldCount: () => number): void {
  new Gauge({
    name: 'sendwright_deliveries_held',
    help: 'Deliveries leased to this process and not settled yet.',
    registers: [registry],
    collect() {
      this.set(heldCount())
    },
  })
}

/** A label for every site would be a label for every domain that customers can name: only so many that are shut. */
const SHUT_SITES_MAX = 100

/** Sites of this process by state, and those that are shut, by name. */
export function gaugeSites(registry: Registry, sites: { all(): Iterable<NamedSite> }): void {
  new Gauge({
    name: 'sendwright_sites',
    help: 'Sites (MX sets) that this process knows, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.reset()
      for (const state of ['open', 'paused', 'probing', 'stopped']) this.set({ state }, 0)
      for (const { site } of sites.all()) this.inc({ state: site.view.state })
    },
  })
  new Gauge({
    name: 'sendwright_site_paused',
    help: 'One for each site that takes nothing now, a hundred at most.',
    labelNames: ['site'],
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

/** GET /metrics on a port of its own, in every role. */
export async function serveMetrics({ config, metrics, lifecycle }: Runtime): Promise<void> {
  const { host, metricsPort } = config
  if (metricsPort === null) return
  const server: Server = createMetricsServer(metrics.registry)
  const listening = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(metricsPort, host, () => resolve())
    })
  await listenOrExplain(listening, metricsPort, 'SENDWRIGHT_METRICS_PORT')
  lifecycle.add('metrics', () => new Promise((resolve) => server.close(() => resolve())))
}
