import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricsText } from '../../http/server/metrics.ts'
import type { MetricValues } from '../worker-messages.ts'
import type { WorkerProcess } from './launch-worker.ts'

/** If a worker does not respond within this time, its last values are used. */
const TIMEOUT_MS = 2_000

/**
 * Merges the metrics of the supervisor and its workers into those of one process. Each metric defines how its values
 * are combined (`aggregator` of prom-client); most are added. The last counts of workers that ended stay included:
 * Prometheus treats a falling total as a restart, and would count the rest again.
 */
export class MergedMetrics implements MetricsText {
  readonly contentType: Registry['contentType']
  readonly #own: Registry
  readonly #workers: () => readonly WorkerProcess[]
  readonly #timeoutMs: number
  readonly #waiting = new Map<number, { nodeId: string; resolve: (values: MetricValues | null) => void }>()
  /** The values last collected, by node. */
  readonly #last = new Map<string, MetricValues>()
  #departed: MetricValues = []
  #requests = 0

  constructor(registry: Registry, workers: () => readonly WorkerProcess[], timeoutMs = TIMEOUT_MS) {
    this.contentType = registry.contentType
    this.#own = registry
    this.#workers = workers
    this.#timeoutMs = timeoutMs
  }

  async metrics(): Promise<string> {
    const values: Promise<MetricValues> = this.#own.getMetricsAsJSON()
    const workers = this.#workers()
    await Promise.all(workers.map((worker) => this.#collect(worker)))
    const ownValues = await values
    // Read both at one moment: the counts of a worker that ends move from `#last` to `#departed`.
    return AggregatorRegistry.aggregate([ownValues, ...this.#last.values(), this.#departed]).metrics()
  }

  /** Called when a worker responds. */
  receive(request: number, values: MetricValues): void {
    this.#waiting.get(request)?.resolve(values)
  }

  /** Called when a worker has ended. */
  leave(nodeId: string): void {
    for (const waiting of this.#waiting.values()) if (waiting.nodeId === nodeId) waiting.resolve(null)
    const counts = this.#last.get(nodeId)?.filter(({ type }) => isCount(`${type}`)) ?? []
    this.#last.delete(nodeId)
    this.#departed = merge([this.#departed, counts])
  }

  async #collect(worker: WorkerProcess): Promise<void> {
    const request = ++this.#requests
    const { promise, resolve } = Promise.withResolvers<MetricValues | null>()
    const timer = setTimeout(() => resolve(null), this.#timeoutMs)
    // Not a reaction to the end of the worker: each would keep its values as long as the worker lives.
    this.#waiting.set(request, { nodeId: worker.nodeId, resolve })
    worker.send({ kind: 'collect', request })
    const values = await promise
    clearTimeout(timer)
    this.#waiting.delete(request)
    if (values !== null && this.#workers().includes(worker)) this.#last.set(worker.nodeId, values)
  }
}

const isCount = (type: string) => type === 'counter' || type === 'histogram'

/** Merges values. The metrics of an aggregated registry contain their values. */
function merge(all: readonly MetricValues[]): MetricValues {
  return AggregatorRegistry.aggregate([...all]).getMetricsAsArray() as MetricValues
}
