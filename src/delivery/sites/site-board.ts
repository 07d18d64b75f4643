import { DatabaseUnavailable } from '../../db/db-types.ts'
import { createSignal } from '../../lib/async/signal.ts'
import type { Log } from '../../lib/log.ts'
import { REPORT_VALID_MS } from '../../queue/closed-domains.ts'
import { releaseWaiting } from '../../queue/release-waiting-queries.ts'
import type { Site } from './site.ts'
import { type ReporterDeps, SiteReporter } from './site-reporter.ts'
import type { NamedSite } from './site-set.ts'
import type { Pause } from './site-throttle.ts'
import type { Board } from './site-types.ts'
import {
  deletePauses,
  findPauses,
  readPauses,
  releaseProbes,
  resumePause,
  type SitePause,
  takeProbes,
  upsertPauses,
} from './sites-queries.ts'

export interface BoardDeps extends ReporterDeps {
  log: Log
  /** Called when deliveries may have become claimable. */
  wake(): void
}

/** The sites of this process. */
export interface BoardSites {
  get(name: string): Site | undefined
  all(): Iterable<NamedSite>
}

const IDLE_MS = 1000
/** While a site is paused, how often to check whether the pause ended or another process got a reply. */
const WATCH_MS = 250
const OUTAGE_MS = 1000
/** The clock skew allowed between processes. */
const CLOCK_SKEW_MS = 5000
const NAMES_MAX = 5000
const PAUSES_PER_READ_MAX = 5000
/** How long the right to probe lasts unless it is renewed. */
const PROBE_RIGHT_MS = 60_000
/** A process that holds the right and has not reported for this long is dead. Live ones report every three seconds. */
const HOLDER_SILENT_MS = 2 * REPORT_VALID_MS
/**
 * How long after a site answers to look for deliveries that other processes still postponed, before they learned of it.
 */
const RELEASE_MS = 15_000
/** Pauses that ended this long ago, without mail since, are deleted. */
const OVER_MS = 3_600_000
const FORGET_EVERY_MS = 60_000

/**
 * Synchronizes the sites of all processes through rows of the table `site_pause`, within about a second. States of a
 * row: *paused* or *stopped* until a time, after which one process takes the right to *probe* while the others wait;
 * then *resumed*, by the probe's result or an operator. A resumed row stays until every process has seen it: each one
 * opens the site and makes its waiting deliveries due. Then the row is deleted.
 */
export class SiteBoard implements Board {
  readonly #deps: BoardDeps
  readonly #reporter: SiteReporter
  readonly #signal = createSignal()
  /** Pauses to be written. */
  readonly #pauses = new Map<string, SitePause>()
  readonly #answers = new Set<string>()
  /** Pauses as last read from the database. */
  readonly #known = new Map<string, SitePause>()
  /** End of this process's right to probe, by name. */
  readonly #probes = new Map<string, number>()
  /** Until when to look for waiting deliveries, by name. */
  readonly #releasing = new Map<string, number>()
  #readSince = new Date(0)
  #forgotAtMs = 0
  #isStopping = false
  #loop: Promise<void> = Promise.resolve()

  constructor(deps: BoardDeps) {
    this.#deps = deps
    this.#reporter = new SiteReporter(deps)
  }

  mayProbe(name: string): boolean {
    // Beyond NAMES_MAX, each process handles its sites on its own.
    if (!this.#known.has(name) && !this.#pauses.has(name)) return true
    return (this.#probes.get(name) ?? 0) > this.#nowMs()
  }

  paused(name: string, pause: Pause): void {
    this.#probes.delete(name)
    this.#releasing.delete(name)
    this.#answers.delete(name)
    this.#pauses.set(name, toRow(name, pause, this.#deps.clock.now()))
    this.#signal.notify()
  }

  answered(name: string): void {
    this.#probes.delete(name)
    this.#pauses.delete(name)
    this.#answers.add(name)
    this.#signal.notify()
  }

  known(name: string): Pause | null {
    const row = this.#pauses.get(name) ?? this.#known.get(name)
    return row === undefined ? null : toPause(row)
  }

  /** Reads the rows of other processes, then starts to synchronize with them. */
  async start(sites: BoardSites): Promise<void> {
    await this.#read(sites)
    this.#loop = this.#run(sites)
  }

  /** Writes the last changes and removes this process's rows. Call it after the sites have drained. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#signal.notify()
    await this.#loop
    const { db, nodeId, log } = this.#deps
    await this.#write()
      .then(() => releaseProbes(db, nodeId))
      .then(() => this.#reporter.leave())
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not remove this process from the site board; its rows will expire'),
      )
  }

  async #run(sites: BoardSites): Promise<void> {
    while (!this.#isStopping) {
      let waitMs = IDLE_MS
      try {
        await this.#synchronize(sites)
        if (this.#known.size > 0 || this.#releasing.size > 0) waitMs = WATCH_MS
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable))
          this.#deps.log.error({ err: error }, 'could not synchronize the site board')
        waitMs = OUTAGE_MS
      }
      if (!this.#isStopping) await this.#signal.wait(waitMs)
    }
  }

  async #synchronize(sites: BoardSites): Promise<void> {
    const hasChanges = this.#pauses.size > 0 || this.#answers.size > 0
    await this.#write()
    await this.#read(sites)
    // Report first: other processes treat one that has never reported as dead, and take its rights.
    await this.#reporter.report(sites.all(), hasChanges)
    await this.#takeProbes(sites)
    await this.#release()
    await this.#forget()
  }

  async #write(): Promise<void> {
    const { db, clock } = this.#deps
    const pauses = [...this.#pauses.values()].slice(0, NAMES_MAX)
    if (pauses.length > 0) await upsertPauses(db, pauses)
    for (const row of pauses) {
      this.#cache(row)
      // A newer pause may have replaced it during the write.
      if (this.#pauses.get(row.name) === row) this.#pauses.delete(row.name)
    }
    for (const name of [...this.#answers]) {
      await resumePause(db, name, clock.now())
      this.#answers.delete(name)
      this.#known.delete(name)
      this.#releasing.set(name, this.#nowMs() + RELEASE_MS)
    }
  }

  async #read(sites: BoardSites): Promise<void> {
    const { db, clock } = this.#deps
    // A site that was resumed or forgotten while this process could not read no longer has a row.
    const nowMs = this.#nowMs()
    const overdue = [...this.#known.values()].flatMap((row) =>
      row.pausedUntil.getTime() <= nowMs ? row.name : [],
    )
    const now = clock.now()
    const changed = await readPauses(db, this.#readSince, PAUSES_PER_READ_MAX)
    const isAll = changed.length < PAUSES_PER_READ_MAX
    const pauses = overdue.length === 0 ? [] : await findPauses(db, overdue)
    // If there are more rows, the next read continues from here: an earlier start would return the same rows.
    this.#readSince = isAll ? new Date(now.getTime() - CLOCK_SKEW_MS) : (changed.at(-1)?.changedAt ?? now)
    const missing = new Set(overdue)
    for (const row of [...changed, ...pauses]) {
      missing.delete(row.name)
      if (this.#pauses.has(row.name) || this.#answers.has(row.name)) continue
      if (row.state === 'resumed') this.#resume(sites, row.name)
      else {
        this.#cache(row)
        sites.get(row.name)?.adopt(toPause(row))
      }
    }
    for (const name of missing) if (!this.#pauses.has(name)) this.#resume(sites, name)
  }

  #cache(row: SitePause): void {
    if (this.#known.size < NAMES_MAX || this.#known.has(row.name)) this.#known.set(row.name, row)
  }

  /** Opens the site in this process, once, because its row is *resumed*. */
  #resume(sites: BoardSites, name: string): void {
    if (!this.#known.delete(name)) return
    this.#probes.delete(name)
    this.#releasing.set(name, this.#nowMs() + RELEASE_MS)
    sites.get(name)?.resume()
    this.#deps.wake()
  }

  async #takeProbes(sites: BoardSites): Promise<void> {
    const { db, clock, nodeId } = this.#deps
    const nowMs = this.#nowMs()
    const names: string[] = []
    for (const [name, row] of this.#known) {
      if (row.pausedUntil.getTime() > nowMs) continue
      const site = sites.get(name)
      const isRightOver = (this.#probes.get(name) ?? 0) < nowMs + PROBE_RIGHT_MS / 2
      if (isRightOver && site?.isProbing === true) names.push(name)
    }
    if (names.length === 0) return
    const until = new Date(nowMs + PROBE_RIGHT_MS)
    const heardSince = new Date(nowMs - HOLDER_SILENT_MS)
    for (const name of await takeProbes(db, names, nodeId, clock.now(), until, heardSince)) {
      if (this.#pauses.has(name)) continue
      this.#probes.set(name, until.getTime())
      this.#deps.wake()
    }
  }

  async #release(): Promise<void> {
    if (this.#releasing.size === 0) return
    await releaseWaiting(this.#deps.db, [...this.#releasing.keys()], this.#deps.clock.now())
    const nowMs = this.#nowMs()
    for (const [name, untilMs] of this.#releasing) if (untilMs < nowMs) this.#releasing.delete(name)
  }

  async #forget(): Promise<void> {
    const nowMs = this.#nowMs()
    if (nowMs - this.#forgotAtMs < FORGET_EVERY_MS) return
    this.#forgotAtMs = nowMs
    await deletePauses(this.#deps.db, new Date(nowMs - FORGET_EVERY_MS), new Date(nowMs - OVER_MS))
  }

  #nowMs(): number {
    return this.#deps.clock.now().getTime()
  }
}

function toRow(
  name: string,
  { state, untilMs, failures, category, reason }: Pause,
  changedAt: Date,
): SitePause {
  return { name, state, pausedUntil: new Date(untilMs), failures, category, reason, changedAt }
}

function toPause({ state, pausedUntil, failures, category, reason }: SitePause): Pause {
  return {
    state: state === 'stopped' ? 'stopped' : 'paused',
    untilMs: pausedUntil.getTime(),
    failures,
    category,
    reason,
  }
}
