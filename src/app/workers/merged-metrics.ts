import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricsText } from '../../http/metrics.ts'
import type { WorkerProcess } from './launch-worker.ts'
import type { MetricValues } from './worker-messages.ts'

/** A worker that computes for longer is shown with its last values. */
const TIMEOUT_MS = 2_000

/**
 * The metrics of the supervisor and its workers as those of one process. Each metric names how its values are combined
 * (`aggregator` of prom-client); most are added. Counts of workers that ended stay included as last collected, because a
 * total that falls looks to Prometheus like a restart, after which it counts the whole rest again.
 */
export class MergedMetrics implements MetricsText {
  readonly contentType: Registry['contentType']
  readonly #own: Registry
  readonly #workers: () => readonly WorkerProcess[]
  readonly #timeoutMs: number
  readonly #waiting = new Map<number, (values: MetricValues) => void>()
  /** By node, as last collected. */
  readonly #last = new Map<string, MetricValues>()
  #departed: MetricValues = []
  #requests = 0

  constructor(own: Registry, workers: () => readonly WorkerProcess[], timeoutMs = TIMEOUT_MS) {
    this.contentType = own.contentType
    this.#own = own
    this.#workers = workers
    this.#timeoutMs = timeoutMs
  }

  async metrics(): Promise<string> {
    const own: Promise<MetricValues> = this.#own.getMetricsAsJSON()
    const workers = this.#workers()
    await Promise.all(workers.map((worker) => this.#collect(worker)))
    const ownValues = await own
    // Read at one moment: a worker that ended meanwhile has moved from one to the other.
    return AggregatorRegistry.aggregate([ownValues, ...this.#last.values(), this.#departed]).metrics()
  }

  /** A worker has answered. */
  receive(request: number, values: MetricValues): void {
    this.#waiting.get(request)?.(values)
  }

  /** A worker has ended. */
  leave(nodeId: string): void {
    const counts = this.#last.get(nodeId)?.filter(({ type }) => isCount(`${type}`)) ?? []
    this.#last.delete(nodeId)
    this.#departed = merge([this.#departed, counts])
  }

  async #collect(worker: WorkerProcess): Promise<void> {
    const request = ++this.#requests
    const { promise, resolve } = Promise.withResolvers<MetricValues | null>()
    const timer = setTimeout(() => resolve(null), this.#timeoutMs)
    this.#waiting.set(request, resolve)
    void worker.ended.then(() => resolve(null))
    worker.send({ kind: 'collect', request })
    const values = await promise
    clearTimeout(timer)
    this.#waiting.delete(request)
    if (values !== null && this.#workers().includes(worker)) this.#last.set(worker.nodeId, values)
  }
}

const isCount = (type: string) => type === 'counter' || type === 'histogram'

/** The metrics of an aggregated registry hold their values. */
function merge(all: readonly MetricValues[]): MetricValues {
  return AggregatorRegistry.aggregate([...all]).getMetricsAsArray() as MetricValues
}
