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
  /** The limit on endpoints that this process leases at a time. */
  workersMax?: number
}

export interface WebhookEngine {
  readonly workersCount: number
  /** Starts no more requests, waits for those on the wire (at most 10 s), writes results and releases endpoints. */
  stop(): Promise<void>
}

const WORKERS_MAX = 1000
const CLAIM_COUNT_MAX = 200
const LEASE_MS = 30_000
const EXTEND_MS = 10_000
/** The longest request. None starts that could outlive the lease. */
export const SEND_TIMEOUT_MS = 15_000
/** The poll interval, a safety net for lost notifications. */
const POLL_MS = 2_000
/** The gap after a scan, which is four times the scan's duration. */
const GAP_MIN_MS = 25
const GAP_MAX_MS = 500
const GAP_FACTOR = 4
/** Without a busy endpoint, events need not be handled one by one. */
const IDLE_GAP_MS = 100
const OUTAGE_MS = 500
/** How long an idle endpoint stays leased, so that its next event needs no claim. */
const LINGER_MS = 5_000
/** A failing endpoint without work for this long is released. */
const REST_MS = 2_000
/** The longest lease of an endpoint, so that work spreads over processes. */
const HOLD_MS = 60_000
/** The minimum lease after which an endpoint may have to make room for waiting ones. */
const CROWDED_HOLD_MS = 5_000
const DUE_COUNT_MAX = 64
/** The limit on loaded deliveries of all endpoints. */
const DUE_TOTAL_MAX = 2000
const FAILING_DUE_COUNT_MAX = 8
const DRAIN_MS = 10_000
const WRITE_MIN_MS = 2_000

const nameOf = ({ teamId, id }: EndpointKey) => `${teamId}/${id}`

/**
 * Leases endpoints that have work, with one worker each (endpoint-worker.ts). It scans after a notification of new
 * events, when a worker needs it, and every other second. A scan claims endpoints, reads the ends of their feeds and
 * their changes, distributes due deliveries, and releases idle endpoints. If a process dies, others claim its
 * endpoints after their leases expire; unwritten results are sent again with the same ids.
 */
export function startWebhookEngine(deps: EngineDeps): WebhookEngine {
  const engine = new Engine(deps)
  const loop = engine.run()
  return {
    get workersCount() {
      return engine.workersCount
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
  readonly #workersMax: number
  readonly #workers = new Map<string, EndpointWorker>()
  #isStopping = false
  #extendAtMs = 0
  /** Whether the last claim left no endpoint behind. */
  #hasClaimedAll = true

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#workersMax = deps.workersMax ?? WORKERS_MAX
  }

  get workersCount(): number {
    return this.#workers.size
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
        await this.#scan()
        const tookMs = performance.now() - startedMs
        const usualGapMs = Math.min(Math.max(GAP_MIN_MS, tookMs * GAP_FACTOR), GAP_MAX_MS)
        await pause(this.#workers.size === 0 ? IDLE_GAP_MS : usualGapMs)
        await signal.wait(this.#hasClaimedAll ? this.#nextScanMs() : 0)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'could not process webhooks')
        await pause(OUTAGE_MS)
      }
    }
  }

  async drain(): Promise<void> {
    const { db, nodeId, writer, log } = this.#deps
    const workers = [...this.#workers.values()]
    for (const worker of workers) worker.handOver()
    const endMs = performance.now() + DRAIN_MS
    while (performance.now() < endMs && workers.some((worker) => !worker.isQuiet)) await pause(GAP_MIN_MS)
    for (const worker of workers) worker.end()
    await writer.stop(Math.max(WRITE_MIN_MS, endMs - performance.now()))
    await releaseEndpoints(db, workers.map(progressOf), nodeId).catch((error: unknown) => {
      log.warn({ err: error }, 'could not release webhooks; their leases expire by themselves')
    })
  }

  async #scan(): Promise<void> {
    if (performance.now() >= this.#extendAtMs) await this.#extend()
    await this.#claim()
    await this.#applyChanges()
    await this.#distributeDue()
    for (const worker of this.#workers.values()) worker.pump()
    await this.#releaseIdle()
  }

  async #extend(): Promise<void> {
    const startedMs = performance.now()
    const { db, nodeId, clock } = this.#deps
    const workers = [...this.#workers.values()]
    const leasedUntil = new Date(clock.now().getTime() + LEASE_MS)
    const extended =
      workers.length === 0 ? [] : await extendEndpointLeases(db, workers.map(progressOf), nodeId, leasedUntil)
    // After a failure, the next scan tries again: without a lease, no endpoint would get anything.
    this.#extendAtMs = startedMs + EXTEND_MS
    const kept = new Set(extended.map(nameOf))
    for (const [name, worker] of this.#workers) {
      if (kept.has(name)) worker.extend(startedMs + LEASE_MS - SEND_TIMEOUT_MS)
      else worker.close()
    }
  }

  async #claim(): Promise<void> {
    const { db, nodeId, clock, random } = this.#deps
    const now = clock.now()
    const room = this.#workersMax - this.#workers.size
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
    const worker = new EndpointWorker(endpoint, sendUntilMs, {
      ...this.#deps,
      onResult: writer.note,
      wake: signal.notify,
    })
    // The endpoint was disabled and enabled in the meantime. Requests on the wire belong to the old worker.
    this.#workers.get(nameOf(endpoint))?.end()
    this.#workers.set(nameOf(endpoint), worker)
  }

  /** Releases the longest leased endpoints while others wait. */
  async #makeRoom(now: Date): Promise<void> {
    this.#hasClaimedAll = true
    if (!(await isEndpointWaiting(this.#deps.db, now))) return
    const before = performance.now() - CROWDED_HOLD_MS
    const old = [...this.#workers.values()].filter(({ heldSinceMs }) => heldSinceMs < before)
    for (const worker of old.slice(0, Math.ceil(this.#workersMax / 10))) worker.handOver()
  }

  /** Reads the ends of the feeds and the changes of leased endpoints, and applies them. */
  async #applyChanges(): Promise<void> {
    if (this.#workers.size === 0) return
    const { db, nodeId } = this.#deps
    const keys = [...this.#workers.values()].map(({ key }) => key)
    const peeked = await peekEndpoints(db, keys, nodeId)
    const changed = peeked.filter((peek) => {
      const worker = this.#workers.get(nameOf(peek))
      return worker !== undefined && worker.updatedAt.getTime() !== peek.updatedAt.getTime()
    })
    for (const endpoint of await readEndpoints(db, changed, nodeId)) {
      this.#workers.get(nameOf(endpoint))?.change(endpoint)
    }
    const peeks = new Map(peeked.map((peek) => [nameOf(peek), peek]))
    for (const [name, worker] of this.#workers) {
      const peek = peeks.get(name)
      if (peek === undefined) worker.close()
      else worker.see(peek.feedEnd, peek.nextRetryAt)
    }
  }

  async #distributeDue(): Promise<void> {
    const { db, clock } = this.#deps
    const now = clock.now()
    const waiting = [...this.#workers.values()].filter((worker) => worker.wantsDue(now))
    for (const isFailing of [false, true]) {
      const keys = waiting.filter(({ health }) => health.isFailing === isFailing).map(({ key }) => key)
      if (keys.length === 0) continue
      const countMax = Math.min(
        isFailing ? FAILING_DUE_COUNT_MAX : DUE_COUNT_MAX,
        Math.ceil(DUE_TOTAL_MAX / keys.length),
      )
      const due = await loadDue(db, keys, now, countMax)
      const sends = Map.groupBy(due, ({ teamId, webhookId: id }) => nameOf({ teamId, id }))
      for (const [name, ofWorker] of sends) this.#workers.get(name)?.giveDue(ofWorker)
      await correctNextRetries(
        db,
        keys.filter((key) => !sends.has(nameOf(key))),
      )
    }
  }

  async #releaseIdle(): Promise<void> {
    const { db, nodeId, clock } = this.#deps
    const nowMs = performance.now()
    for (const worker of this.#workers.values()) if (nowMs - worker.heldSinceMs > HOLD_MS) worker.handOver()
    const restsAfter = new Date(clock.now().getTime() + REST_MS)
    const leaving = [...this.#workers].filter(
      ([, worker]) =>
        worker.isQuiet &&
        (worker.isClosing ||
          nowMs - (worker.idleSinceMs ?? nowMs) > LINGER_MS ||
          worker.restsUntil(restsAfter)),
    )
    if (leaving.length === 0) return
    for (const [name, worker] of leaving) {
      worker.end()
      this.#workers.delete(name)
    }
    await releaseEndpoints(
      db,
      leaving.map(([, worker]) => progressOf(worker)),
      nodeId,
    )
  }

  /** Returns the milliseconds until the next scheduled action. */
  #nextScanMs(): number {
    const nowMs = this.#deps.clock.now().getTime()
    let nextMs = nowMs + POLL_MS
    for (const worker of this.#workers.values()) nextMs = Math.min(nextMs, worker.nextAtMs ?? nextMs)
    return Math.max(0, nextMs - nowMs)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function progressOf({ key: { teamId, id }, recordedPosition, probeAt, updatedAt }: EndpointWorker) {
  return { teamId, id, position: recordedPosition, probeAt, updatedAt }
}
