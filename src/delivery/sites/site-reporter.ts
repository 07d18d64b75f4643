import type { Db } from '../../db/db.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { NamedSite } from './site-set.ts'
import { forgetReporters, REPORT_VALID_MS, type SiteReport, writeReports } from './sites-queries.ts'

const EVERY_MS = 3000
/** News waits for so many times what telling took: where thousands of sites are down at once there is always some. */
const REST_SHARE = 20
/** Sites that are told of; those that are shut or busy first. */
const SITES_MAX = 2000

/** Writes what this process sees of its sites, every few seconds, and only what changed. */
export class SiteReporter {
  readonly #deps: { db: Db; clock: Clock; nodeId: string }
  #told = new Map<string, string>()
  #toldAtMs = 0
  #restMs = 0
  #count = 0

  constructor(deps: { db: Db; clock: Clock; nodeId: string }) {
    this.#deps = deps
  }

  /** `isNews`: a site was shut or opened, which is told at once, as is a new one. */
  async report(sites: Iterable<NamedSite>, isNews: boolean): Promise<void> {
    const { db, clock, nodeId } = this.#deps
    const now = clock.now()
    const all = [...sites]
    const isSame = !isNews && all.length === this.#count
    if (Math.abs(now.getTime() - this.#toldAtMs) < (isSame ? EVERY_MS : this.#restMs)) return
    const beganMs = performance.now()
    this.#count = all.length
    const reports = all
      .map(toReport)
      .sort((a, b) => gradeOf(b) - gradeOf(a))
      .slice(0, SITES_MAX)
    const told = new Map(reports.map((report) => [report.name, JSON.stringify(report)]))
    const changed = reports.filter(({ name }) => told.get(name) !== this.#told.get(name))
    const gone = [...this.#told.keys()].filter((name) => !told.has(name))
    await writeReports(db, nodeId, changed, gone, now)
    await forgetReporters(db, new Date(now.getTime() - 4 * REPORT_VALID_MS), null)
    this.#told = told
    this.#toldAtMs = now.getTime()
    this.#restMs = Math.min(EVERY_MS, REST_SHARE * (performance.now() - beganMs))
  }

  /** This process is about to end. */
  async leave(): Promise<void> {
    await forgetReporters(this.#deps.db, new Date(0), this.#deps.nodeId)
  }
}

function gradeOf({ state, connections, waiting }: SiteReport): number {
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

/** `100/1m` in its shortest form. */
export function describeRate({ count, perMs }: { count: number; perMs: number }): string {
  if (perMs % 60_000 === 0) return `${count}/${perMs / 60_000}m`
  return perMs % 1000 === 0 ? `${count}/${perMs / 1000}s` : `${count}/${Math.round(perMs)}ms`
}
