import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import type { Signal } from '../../lib/async/signal.ts'
import { EndpointWorker, type EndpointWorkerDeps } from './endpoint-worker.ts'
import {
  claimEndpoints,
  type Endpoint,
  type EndpointKey,
  extendEndpointLeases,
  isEndpointWaiting,
  peekEndpoints,
  readEndpoints,
  releaseEndpoints,
} from './endpoint-workers-queries.ts'
import { loadDue } from './load-due.ts'
import type { ResultWriter } from './result-writer.ts'
import { correctNextRetries } from './webhook-results-queries.ts'

export interface EngineDeps extends Omit<EndpointWorkerDeps, 'onResult' | 'wake'> {
  db: Db
  nodeId: string
  /** Notified when events may have been written. */
  signal: Signal
  writer: ResultWriter
  /** The most endpoints that this process leases at a time. */
  lanesMax?: number
}

export interface WebhookEngine {
  readonly lanesCount: number
  /** Starts nothing more, waits for requests on the wire (10 s at most), writes results, releases endpoints. */
  stop(): Promise<void>
}

const LANES_MAX = 1000
const CLAIM_COUNT_MAX = 200
const LEASE_MS = 30_000
const EXTEND_MS = 10_000
/** The longest request: none starts that could outlive the lease. */
export const SEND_TIMEOUT_MS = 15_000
/** The safety net for lost hints. */
const POLL_MS = 2_000
/** The gap after a scan is four times its duration. */
const GAP_MIN_MS = 25
const GAP_MAX_MS = 500
const GAP_FACTOR = 4
/** Without a busy endpoint, events need not be examined one by one. */
const IDLE_GAP_MS = 100
const OUTAGE_MS = 500
/** An idle endpoint is kept this long, so that its next event costs no claim. */
const LINGER_MS = 5_000
/** A failing endpoint is released when it has nothing to do for this long. */
const REST_MS = 2_000
/** The longest hold of an endpoint, so that work spreads over processes. */
const HOLD_MS = 60_000
/** The hold after which an endpoint may have to make room while all places are taken and others wait. */
const CROWDED_HOLD_MS = 5_000
const DUE_COUNT_MAX = 64
/** Deliveries of all endpoints loaded at a time. */
const DUE_TOTAL_MAX = 2000
const FAILING_DUE_COUNT_MAX = 8
const DRAIN_MS = 10_000
const WRITE_MIN_MS = 2_000

const nameOf = ({ teamId, id }: EndpointKey) => `${teamId}/${id}`

/**
 * Leases endpoints that have something to do, with one worker for each (endpoint-worker.ts). It scans at a hint of new
 * events, when a worker needs it, and every other second: claims endpoints, reads their feeds' ends and changes,
 * distributes due deliveries, and releases idle endpoints. When a process dies others claim its endpoints after their
 * leases; unwritten results are sent again with the same ids.
 */
export function startWebhookEngine(deps: EngineDeps): WebhookEngine {
  const engine = new Engine(deps)
  const loop = engine.run()
  return {
    get lanesCount() {
      return engine.lanesCount
    },
    async stop() {
      engine.beginToStop()
      await loop
      await engine.drain()
    },
  }
}

class Engine {
  readonly #deps: EngineDeps
  readonly #lanesMax: number
  readonly #lanes = new Map<string, EndpointWorker>()
  #isStopping = false
  #extendAtMs = 0
  /** The last claim left no endpoint behind. */
  #hasClaimedAll = true

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#lanesMax = deps.lanesMax ?? LANES_MAX
  }

  get lanesCount(): number {
    return this.#lanes.size
  }

  beginToStop(): void {
    this.#isStopping = true
    this.#deps.signal.notify()
  }

  async run(): Promise<void> {
    const { signal, log } = this.#deps
    while (!this.#isStopping) {
      const startedMs = performance.now()
      try {
        await this.#look()
        const tookMs = performance.now() - startedMs
        const usualGapMs = Math.min(Math.max(GAP_MIN_MS, tookMs * GAP_FACTOR), GAP_MAX_MS)
        await pause(this.#lanes.size === 0 ? IDLE_GAP_MS : usualGapMs)
        await signal.wait(this.#hasClaimedAll ? this.#nextLookMs() : 0)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'could not process webhooks')
        await pause(OUTAGE_MS)
      }
    }
  }

  async drain(): Promise<void> {
    const { db, nodeId, writer, log } = this.#deps
    const lanes = [...this.#lanes.values()]
    for (const lane of lanes) lane.handOver()
    const endMs = performance.now() + DRAIN_MS
    while (performance.now() < endMs && lanes.some((lane) => !lane.isQuiet)) await pause(GAP_MIN_MS)
    for (const lane of lanes) lane.end()
    await writer.stop(Math.max(WRITE_MIN_MS, endMs - performance.now()))
    await releaseEndpoints(db, lanes.map(standingOf), nodeId).catch((error: unknown) => {
      log.warn({ err: error }, 'could not release webhooks; their leases expire by themselves')
    })
  }

  async #look(): Promise<void> {
    if (performance.now() >= this.#extendAtMs) await this.#extend()
    await this.#claim()
    await this.#see()
    await this.#handOverDue()
    for (const lane of this.#lanes.values()) lane.pump()
    await this.#giveBack()
  }

  async #extend(): Promise<void> {
    const startedMs = performance.now()
    const { db, nodeId, clock } = this.#deps
    const lanes = [...this.#lanes.values()]
    this.#extendAtMs = startedMs + EXTEND_MS
    if (lanes.length === 0) return
    const leasedUntil = new Date(clock.now().getTime() + LEASE_MS)
    const kept = new Set(
      (await extendEndpointLeases(db, lanes.map(standingOf), nodeId, leasedUntil)).map(nameOf),
    )
    for (const [name, lane] of this.#lanes) {
      if (kept.has(name)) lane.extend(startedMs + LEASE_MS - SEND_TIMEOUT_MS)
      else lane.close()
    }
  }

  async #claim(): Promise<void> {
    const { db, nodeId, clock, random } = this.#deps
    const now = clock.now()
    const room = this.#lanesMax - this.#lanes.size
    if (room <= 0) return this.#makeRoom(now)
    const startedMs = performance.now()
    const countMax = Math.min(room, CLAIM_COUNT_MAX)
    const claimed = await claimEndpoints(db, {
      nodeId,
      now,
      leasedUntil: new Date(now.getTime() + LEASE_MS),
      countMax,
      seed: Math.floor(random() * Number.MAX_SAFE_INTEGER),
    })
    this.#hasClaimedAll = claimed.length < countMax
    for (const endpoint of claimed) this.#open(endpoint, startedMs + LEASE_MS - SEND_TIMEOUT_MS)
  }

  #open(endpoint: Endpoint, sendUntilMs: number): void {
    const { writer, signal } = this.#deps
    const lane = new EndpointWorker(endpoint, sendUntilMs, {
      ...this.#deps,
      onResult: writer.note,
      wake: signal.notify,
    })
    // It was disabled and enabled meanwhile: requests still on the wire belong to the time before.
    this.#lanes.get(nameOf(endpoint))?.end()
    this.#lanes.set(nameOf(endpoint), lane)
  }

  /** The longest held endpoints are released while others wait. */
  async #makeRoom(now: Date): Promise<void> {
    this.#hasClaimedAll = true
    if (!(await isEndpointWaiting(this.#deps.db, now))) return
    const before = performance.now() - CROWDED_HOLD_MS
    const old = [...this.#lanes.values()].filter(({ heldSinceMs }) => heldSinceMs < before)
    for (const lane of old.slice(0, Math.ceil(this.#lanesMax / 10))) lane.handOver()
  }

  /** Reads the feeds' ends and the changes of the leased endpoints, and applies them. */
  async #see(): Promise<void> {
    if (this.#lanes.size === 0) return
    const { db, nodeId } = this.#deps
    const keys = [...this.#lanes.values()].map(({ key }) => key)
    const seen = await peekEndpoints(db, keys, nodeId)
    const changed = seen.filter((peek) => {
      const lane = this.#lanes.get(nameOf(peek))
      return lane !== undefined && lane.updatedAt.getTime() !== peek.updatedAt.getTime()
    })
    for (const endpoint of await readEndpoints(db, changed, nodeId)) {
      this.#lanes.get(nameOf(endpoint))?.change(endpoint)
    }
    const peeks = new Map(seen.map((peek) => [nameOf(peek), peek]))
    for (const [name, lane] of this.#lanes) {
      const peek = peeks.get(name)
      if (peek === undefined) lane.close()
      else lane.see(peek.feedEnd, peek.nextRetryAt)
    }
  }

  async #handOverDue(): Promise<void> {
    const { db, clock } = this.#deps
    const now = clock.now()
    const waiting = [...this.#lanes.values()].filter((lane) => lane.wantsDue(now))
    for (const isFailing of [false, true]) {
      const keys = waiting.filter(({ health }) => health.isFailing === isFailing).map(({ key }) => key)
      if (keys.length === 0) continue
      const countMax = Math.min(
        isFailing ? FAILING_DUE_COUNT_MAX : DUE_COUNT_MAX,
        Math.ceil(DUE_TOTAL_MAX / keys.length),
      )
      const due = await loadDue(db, keys, now, countMax)
      const sends = Map.groupBy(due, ({ teamId, webhookId: id }) => nameOf({ teamId, id }))
      for (const [name, ofLane] of sends) this.#lanes.get(name)?.giveDue(ofLane)
      await correctNextRetries(
        db,
        keys.filter((key) => !sends.has(nameOf(key))),
      )
    }
  }

  async #giveBack(): Promise<void> {
    const { db, nodeId, clock } = this.#deps
    const nowMs = performance.now()
    for (const lane of this.#lanes.values()) if (nowMs - lane.heldSinceMs > HOLD_MS) lane.handOver()
    const restsAfter = new Date(clock.now().getTime() + REST_MS)
    const leaving = [...this.#lanes].filter(
      ([, lane]) =>
        lane.isQuiet &&
        (lane.isClosing || nowMs - (lane.idleSinceMs ?? nowMs) > LINGER_MS || lane.restsUntil(restsAfter)),
    )
    if (leaving.length === 0) return
    for (const [name, lane] of leaving) {
      lane.end()
      this.#lanes.delete(name)
    }
    await releaseEndpoints(
      db,
      leaving.map(([, lane]) => standingOf(lane)),
      nodeId,
    )
  }

  /** Returns the milliseconds until the next timed action. */
  #nextLookMs(): number {
    const nowMs = this.#deps.clock.now().getTime()
    let nextMs = nowMs + POLL_MS
    for (const lane of this.#lanes.values()) nextMs = Math.min(nextMs, lane.nextAtMs ?? nextMs)
    return Math.max(0, nextMs - nowMs)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function standingOf({ key: { teamId, id }, position, probeAt, updatedAt }: EndpointWorker) {
  return { teamId, id, position, probeAt, updatedAt }
}
