import type { Db } from '../../db/db-types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { REPORT_VALID_MS } from '../../queue/closed-domains.ts'
import type { NamedSite } from './site-set.ts'
import { deleteReporters, type SiteReport, writeReports } from './sites-queries.ts'

const EVERY_MS = 3000
/**
 * The minimum pause between reports, as a multiple of the last report's duration: with thousands of sites down,
 * something always changes.
 */
const REST_SHARE = 20
/** The most sites to report. Paused and busy ones come first. */
const SITES_MAX = 2000

export interface ReporterDeps {
  db: Db
  clock: Clock
  nodeId: string
  /** Returns the recipient domains to which this process cannot send now. */
  closedDomains(): string[]
}

/** Writes the changed states of this process's sites every few seconds. */
export class SiteReporter {
  readonly #deps: ReporterDeps
  #reported = new Map<string, string>()
  #reportedAtMs = 0
  #restMs = 0
  #count = 0

  constructor(deps: ReporterDeps) {
    this.#deps = deps
  }

  /**
   * Reports the sites if it is time.
   * @param hasChanges whether a site was paused or opened, which is reported sooner, as is a new site
   */
  async report(sites: Iterable<NamedSite>, hasChanges: boolean): Promise<void> {
    const { db, clock, nodeId, closedDomains } = this.#deps
    const now = clock.now()
    const all = [...sites]
    const isSame = !hasChanges && all.length === this.#count
    if (Math.abs(now.getTime() - this.#reportedAtMs) < (isSame ? EVERY_MS : this.#restMs)) return
    const beganMs = performance.now()
    this.#count = all.length
    const reports = all
      .map(toReport)
      .sort((a, b) => priorityOf(b) - priorityOf(a))
      .slice(0, SITES_MAX)
    const states = new Map(reports.map((report) => [report.name, JSON.stringify(report)]))
    const changed = reports.filter(({ name }) => states.get(name) !== this.#reported.get(name))
    const gone = [...this.#reported.keys()].filter((name) => !states.has(name))
    await writeReports(db, nodeId, { changed, gone, closedDomains: closedDomains() }, now)
    await deleteReporters(db, new Date(now.getTime() - 4 * REPORT_VALID_MS), null)
    this.#reported = states
    this.#reportedAtMs = now.getTime()
    this.#restMs = Math.min(EVERY_MS, REST_SHARE * (performance.now() - beganMs))
  }

  /** Deletes the reports of this process. Call it before the process ends. */
  async leave(): Promise<void> {
    await deleteReporters(this.#deps.db, new Date(0), this.#deps.nodeId)
  }
}

function priorityOf({ state, connections, waiting }: SiteReport): number {
  return (state === 'open' ? 0 : 1_000_000) + connections + waiting
}

function toReport({ name, key, site }: NamedSite): SiteReport {
  const { state, connections, limit, waiting, shaping } = site.view
  const { rate } = shaping
  return {
    name,
    site: key.site,
    source: key.source.name,
    tls: key.tls,
    relay: key.relay !== null,
    state,
    connections,
    connectionsLimit: limit,
    connectionsMax: shaping.connectionsMax,
    waiting,
    messagesPerConnection: shaping.messagesPerConnection,
    rate: rate === null ? null : describeRate(rate),
    rules: shaping.rules.join(', '),
  }
}

/** Formats a rate in its shortest form, `100/1m`. */
export function describeRate({ count, perMs }: { count: number; perMs: number }): string {
  if (perMs % 60_000 === 0) return `${count}/${perMs / 60_000}m`
  return perMs % 1000 === 0 ? `${count}/${perMs / 1000}s` : `${count}/${Math.round(perMs)}ms`
}
