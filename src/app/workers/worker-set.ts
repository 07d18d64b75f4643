import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import type { Ports } from '../types.ts'
import type { WorkerEnd, WorkerProcess } from './launch-worker.ts'

export interface WorkerSetDeps {
  count: number
  log: Log
  launch(number: number): WorkerProcess
  /** Called when a worker has ended without a request to stop, before it is replaced. */
  onGone(worker: WorkerProcess): void
  waits?: Partial<Waits>
}

interface Waits {
  /** If a worker ends within this time after its launch, its replacement has to wait. */
  steadyMs: number
  /** The first such wait. Later waits double, up to the longest. */
  firstMs: number
  longestMs: number
}

const WAITS: Waits = { steadyMs: 5_000, firstMs: 100, longestMs: 5_000 }
/** The set fails when no worker runs and one has failed to start this many times in a row. */
const FAILED_STARTS_MAX = 5

/**
 * Keeps a number of workers running. States of each number: *starting* (launched, not yet ready), *running*, *waiting*
 * (the worker ended; its replacement is due, at once if the worker had run for long enough), and *stopped*, which
 * `stop` reaches from all others. The first worker starts alone, so that an error that prevents the start (of a
 * certificate or a rules file) is reported once, and the start creates its files once.
 */
export class WorkerSet {
  readonly #deps: WorkerSetDeps
  readonly #waits: Waits
  readonly #stopping = new AbortController()
  readonly #launched = new Map<number, WorkerProcess>()
  readonly #running = new Set<number>()
  readonly #kept: Promise<WorkerEnd | null>[] = []
  readonly #failed = Promise.withResolvers<CannotStart>()

  constructor(deps: WorkerSetDeps) {
    this.#deps = deps
    this.#waits = { ...WAITS, ...deps.waits }
  }

  /**
   * Starts all workers. Resolves to the ports of the first when the others have started too or have failed to start;
   * those are retried. Throws CannotStart with the reason if the first cannot start.
   */
  async start(): Promise<Ports> {
    const first = this.#launch(1)
    const ports = await first.started
    if (ports === null) throw cannotStart(await first.ended)
    const starts: Promise<unknown>[] = []
    for (let number = 1; number <= this.#deps.count; number++) {
      const worker = number === 1 ? first : this.#launch(number)
      starts.push(worker.started)
      this.#kept.push(this.#keep(worker))
    }
    await Promise.all(starts)
    return ports
  }

  /** Resolves when no worker runs and none can be started. */
  get failed(): Promise<CannotStart> {
    return this.#failed.promise
  }

  /** The worker processes that have not ended. */
  all(): WorkerProcess[] {
    return [...this.#launched.values()]
  }

  /** Stops all workers in order. Returns whether each of them ended with exit code 0. */
  async stop(): Promise<boolean> {
    this.#stopping.abort()
    for (const worker of this.all()) worker.send({ kind: 'stop' })
    // A first worker that never started is not among `#kept`.
    const ends = await Promise.all([...this.#kept, ...this.all().map(({ ended }) => ended)])
    return ends.every((end) => end === null || end.code === 0)
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const worker of this.all()) worker.kill()
  }

  #launch(number: number): WorkerProcess {
    const worker = this.#fork(number)
    this.#launched.set(number, worker)
    void worker.ended.then(() => {
      this.#running.delete(number)
      if (this.#launched.get(number) === worker) this.#launched.delete(number)
    })
    return worker
  }

  /** Returns a process that ended before it had started if none can be forked, for example for lack of memory. */
  #fork(number: number): WorkerProcess {
    try {
      return this.#deps.launch(number)
    } catch (error) {
      const how = (error as Error).message
      const ended = Promise.resolve({ code: null, how, errors: how })
      const nodeId = randomUUID()
      return { number, nodeId, pid: -1, started: Promise.resolve(null), ended, send() {}, kill() {} }
    }
  }

  /** Replaces a worker each time it ends. Resolves when the set stops, to the end of the last process, or null. */
  async #keep(first: WorkerProcess): Promise<WorkerEnd | null> {
    const { number } = first
    let worker = first
    let failedStarts = 0
    let earlyEnds = 0
    for (;;) {
      const launchedMs = performance.now()
      const hasStarted = (await worker.started) !== null
      if (hasStarted) this.#running.add(number)
      const end = await worker.ended
      if (this.#stopping.signal.aborted) return end
      failedStarts = hasStarted ? 0 : failedStarts + 1
      earlyEnds = performance.now() - launchedMs < this.#waits.steadyMs ? earlyEnds + 1 : 0
      const waitMs = this.#waitMs(earlyEnds)
      this.#report(worker, end, hasStarted, waitMs)
      this.#deps.onGone(worker)
      if (failedStarts >= FAILED_STARTS_MAX && this.#running.size === 0)
        this.#failed.resolve(cannotStart(end))
      await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
      if (this.#stopping.signal.aborted) return null
      worker = this.#launch(number)
    }
  }

  #waitMs(earlyEnds: number): number {
    // A single early end may be a coincidence.
    if (earlyEnds <= 1) return 0
    return Math.min(this.#waits.firstMs * 2 ** (earlyEnds - 2), this.#waits.longestMs)
  }

  #report(
    worker: WorkerProcess,
    { code, how, errors }: WorkerEnd,
    hasStarted: boolean,
    waitMs: number,
  ): void {
    const place = { worker: worker.number, node_gone: worker.nodeId, process_id: worker.pid }
    const fields = { ...place, how, wait_ms: waitMs }
    const { log } = this.#deps
    // Somebody sent a signal to this worker alone.
    if (hasStarted && code === 0) log.info(fields, 'a worker stopped and is being replaced')
    else if (hasStarted) log.error(fields, 'a worker ended and is being replaced')
    else log.error({ ...fields, reason: errors.trim() }, 'a worker could not start and will be retried')
  }
}

function cannotStart({ how, errors }: WorkerEnd): CannotStart {
  return new CannotStart(errors.trim() || `A worker ended before it had started (${how}).`)
}
