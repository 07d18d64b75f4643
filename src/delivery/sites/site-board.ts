import { DatabaseUnavailable, type Db } from '../../db/db.ts'
import { createSignal } from '../../lib/async/signal.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { releaseWaiting } from '../../queue/release-waiting.ts'
import type { Site } from './site.ts'
import { SiteReporter } from './site-reporter.ts'
import type { NamedSite } from './site-set.ts'
import type { Pause } from './site-throttle.ts'
import {
  findPauses,
  forgetPauses,
  giveBackProbes,
  REPORT_VALID_MS,
  readPauses,
  resumePause,
  type SitePause,
  takeProbes,
  upsertPauses,
} from './sites-queries.ts'

/** What sites ask of, and tell to, the other processes. */
export interface Board {
  /** Whether this process, of all, may try whether the site is back. */
  mayProbe(name: string): boolean
  paused(name: string, pause: Pause): void
  answered(name: string): void
  /** A pause that is known from elsewhere; null: none. */
  known(name: string): Pause | null
}

export interface BoardDeps {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
  /** Something may be claimed that could not be a moment ago. */
  wake(): void
}

/** The sites of this process. */
export interface BoardSites {
  get(name: string): Site | undefined
  all(): Iterable<NamedSite>
}

const IDLE_MS = 1000
/** While a site is shut: its end, and another process's answer, are noticed as soon. */
const WATCH_MS = 250
const OUTAGE_MS = 1000
/** Clocks of several processes may differ by so much. */
const CLOCKS_APART_MS = 5000
const NAMES_MAX = 5000
const PAUSES_A_READ_MAX = 5000
/** How long a right to probe lasts unless it is renewed. */
const PROBE_RIGHT_MS = 60_000
/** Whoever has the right and says nothing of its sites for so long, which it does every three seconds, is dead. */
const HOLDER_SILENT_MS = 2 * REPORT_VALID_MS
/** For so long after a site answers it is looked for what was postponed late, by processes that heard of it later. */
const RELEASE_MS = 15_000
/** What is over so long ago without mail since is forgotten. */
const OVER_MS = 3_600_000
const FORGET_EVERY_MS = 60_000

/**
 * Ties the sites of all processes together by rows of the database (`site_pause`), within about a second. States of a
 * row: *paused* or *stopped* until a time; when that is over one process takes the right to *probe*, and the others go on
 * waiting; *resumed*, by the probe's answer or an operator, for as long as everybody needs to hear of it: every process
 * opens the site, and what waits for it in the database is made due; then the row goes.
 */
export class SiteBoard implements Board {
  readonly #deps: BoardDeps
  readonly #reporter: SiteReporter
  readonly #signal = createSignal()
  /** To be written. */
  readonly #pauses = new Map<string, SitePause>()
  readonly #answers = new Set<string>()
  /** As the database last said. */
  readonly #known = new Map<string, SitePause>()
  /** Until when this process may probe, by name. */
  readonly #probes = new Map<string, number>()
  /** Until when what waits is looked for, by name. */
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
    // More sites than are kept in step are each process's own affair.
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

  /** Reads what other processes left, then keeps in step with them. */
  async start(sites: BoardSites): Promise<void> {
    await this.#read(sites)
    this.#loop = this.#run(sites)
  }

  /** After the sites have drained. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#signal.notify()
    await this.#loop
    const { db, nodeId, log } = this.#deps
    await this.#write()
      .then(() => giveBackProbes(db, nodeId))
      .then(() => this.#reporter.leave())
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not leave the board of sites; its rows run out'),
      )
  }

  async #run(sites: BoardSites): Promise<void> {
    while (!this.#isStopping) {
      let waitMs = IDLE_MS
      try {
        await this.#turn(sites)
        if (this.#known.size > 0 || this.#releasing.size > 0) waitMs = WATCH_MS
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable))
          this.#deps.log.error({ err: error }, 'the board of sites failed')
        waitMs = OUTAGE_MS
      }
      if (!this.#isStopping) await this.#signal.wait(waitMs)
    }
  }

  async #turn(sites: BoardSites): Promise<void> {
    const isNews = this.#pauses.size > 0 || this.#answers.size > 0
    await this.#write()
    await this.#read(sites)
    // First of all: a right is taken from whoever was never heard of.
    await this.#reporter.report(sites.all(), isNews)
    await this.#takeProbes(sites)
    await this.#release()
    await this.#forget()
  }

  async #write(): Promise<void> {
    const { db, clock } = this.#deps
    const pauses = [...this.#pauses.values()].slice(0, NAMES_MAX)
    if (pauses.length > 0) await upsertPauses(db, pauses)
    for (const row of pauses) {
      this.#keep(row)
      // Another pause may have been noted while this one was written.
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
    // What was resumed or forgotten while this process could not look has no row any more.
    const nowMs = this.#nowMs()
    const asked = [...this.#known.values()].flatMap((row) =>
      row.pausedUntil.getTime() <= nowMs ? row.name : [],
    )
    const now = clock.now()
    const changed = await readPauses(db, this.#readSince, PAUSES_A_READ_MAX)
    const isAll = changed.length < PAUSES_A_READ_MAX
    const found = asked.length === 0 ? [] : await findPauses(db, asked)
    // Where there is more the next read goes on from here: it would find the same again if it began any earlier.
    this.#readSince = isAll ? new Date(now.getTime() - CLOCKS_APART_MS) : (changed.at(-1)?.changedAt ?? now)
    const missing = new Set(asked)
    for (const row of [...changed, ...found]) {
      missing.delete(row.name)
      if (this.#pauses.has(row.name) || this.#answers.has(row.name)) continue
      if (row.state === 'resumed') this.#resume(sites, row.name)
      else {
        this.#keep(row)
        sites.get(row.name)?.adopt(toPause(row))
      }
    }
    for (const name of missing) if (!this.#pauses.has(name)) this.#resume(sites, name)
  }

  #keep(row: SitePause): void {
    if (this.#known.size < NAMES_MAX || this.#known.has(row.name)) this.#known.set(row.name, row)
  }

  /** A row says that the site is open: here it is opened once. */
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
    const wanted: string[] = []
    for (const [name, row] of this.#known) {
      if (row.pausedUntil.getTime() > nowMs) continue
      const site = sites.get(name)
      const isRightOver = (this.#probes.get(name) ?? 0) < nowMs + PROBE_RIGHT_MS / 2
      if (isRightOver && site?.isProbing === true) wanted.push(name)
    }
    if (wanted.length === 0) return
    const until = new Date(nowMs + PROBE_RIGHT_MS)
    const heardSince = new Date(nowMs - HOLDER_SILENT_MS)
    for (const name of await takeProbes(db, wanted, nodeId, clock.now(), until, heardSince)) {
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
    await forgetPauses(this.#deps.db, new Date(nowMs - FORGET_EVERY_MS), new Date(nowMs - OVER_MS))
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
