import { KeptAnswers } from '../lib/async/kept-answers.ts'
import { type Health, type HealthDeps, readHealth } from './health.ts'
import { type QueueMetrics, readQueueMetrics } from './queue-metrics.ts'

/** A shaping rule in force, with what it is made of. */
export interface ShownRule {
  name: string
  source: 'built_in' | 'file'
  /** What MX hosts' names end with; null: any. */
  mx: readonly string[] | null
  /** Recipients' domains; null: any. */
  domains: readonly string[] | null
  connectionsMax: number | null
  connectionsStart: number | null
  messagesPerConnection: number | null
  rate: string | null
  replies: readonly {
    pattern: string
    stage: string | null
    code: number | null
    action: string
    forSeconds: number | null
  }[]
}

export interface ShapingInForce {
  /** The operator's; null: there is none. */
  file: string | null
  /** Null: this process does not deliver, and shows what the file says now. */
  loadedAt: Date | null
  /** The last time that the file could not be used, if that was after it was loaded. */
  failure: { at: Date; message: string } | null
  /** Pauses of a site that cannot be reached; the last repeats. */
  probesSeconds: readonly number[]
  rules: readonly ShownRule[]
}

/** What operators look at, again and again and from several places: each answer is shared for some seconds. */
export interface OperatorView {
  queue(): Promise<QueueMetrics>
  health(): Promise<Health>
  shaping(): Promise<ShapingInForce>
}

const QUEUE_KEPT_MS = 10_000
const HEALTH_KEPT_MS = 5000

export function createOperatorView(deps: HealthDeps & { shaping: OperatorView['shaping'] }): OperatorView {
  const queue = new KeptAnswers<QueueMetrics>({ keptMs: QUEUE_KEPT_MS, countMax: 1 })
  const health = new KeptAnswers<Health>({ keptMs: HEALTH_KEPT_MS, countMax: 1 })
  return {
    queue: () => queue.get('', () => readQueueMetrics(deps.db, deps.clock.now())),
    health: () => health.get('', () => readHealth(deps)),
    shaping: deps.shaping,
  }
}
