import { AnswerCache } from '../lib/async/answer-cache.ts'
import { type Health, type HealthDeps, readHealth } from './health.ts'
import { type QueueMetrics, readQueueMetrics } from './queue-metrics.ts'

/** A shaping rule in force, with its parts. */
export interface ShownRule {
  name: string
  source: 'built_in' | 'file'
  /** Suffixes of MX host names, or null for any. */
  mx: readonly string[] | null
  /** Recipient domains, or null for any. */
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
  /** The operator's rules file, or null if none is configured. */
  file: string | null
  /** Null: this process does not deliver and shows the current content of the file. */
  loadedAt: Date | null
  /** The last failed attempt to load the file, if it came after `loadedAt`. */
  failure: { at: Date; message: string } | null
  /** Pauses of an unreachable site, in order; the last repeats. */
  probesSeconds: readonly number[]
  rules: readonly ShownRule[]
}

/**
 * Views for operators, which poll them often and from several places. The queue and the health are cached for some
 * seconds.
 */
export interface OperatorView {
  queue(): Promise<QueueMetrics>
  health(): Promise<Health>
  shaping(): Promise<ShapingInForce>
}

const QUEUE_KEPT_MS = 10_000
const HEALTH_KEPT_MS = 5000

export function createOperatorView(deps: HealthDeps & { shaping: OperatorView['shaping'] }): OperatorView {
  const queue = new AnswerCache<QueueMetrics>({ keptMs: QUEUE_KEPT_MS, countMax: 1 })
  const health = new AnswerCache<Health>({ keptMs: HEALTH_KEPT_MS, countMax: 1 })
  return {
    queue: () => queue.get('', () => readQueueMetrics(deps.db, deps.clock.now())),
    health: () => health.get('', () => readHealth(deps)),
    shaping: deps.shaping,
  }
}
