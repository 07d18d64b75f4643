import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Metrics in the format that `contentType` names: of this process, or of all workers. */
export type MetricsText = Pick<Registry, 'metrics' | 'contentType'>

export interface HttpMetrics {
  registry: Registry
  /** Records one response. `route` is the pattern of the path (`/emails/:id`), which keeps the number of labels low. */
  observe(method: string, route: string, status: number, seconds: number): void
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * Creates a registry with the metrics of the process and of the HTTP API. Other rooms add theirs.
 * @param labels labels of every metric
 */
export function createMetrics(labels: Readonly<Record<string, string>> = {}): HttpMetrics {
  const registry = new Registry()
  registry.setDefaultLabels(labels)
  collectDefaultMetrics({ register: registry, prefix: 'sendwright_' })
  const answers = new Counter({
    name: 'sendwright_http_requests_total',
    help: 'Answers of the HTTP API.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'sendwright_http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: [registry],
  })
  return {
    registry,
    observe(method, route, status, seconds) {
      answers.inc({ method, route, status })
      durations.observe({ route }, seconds)
    },
  }
}
