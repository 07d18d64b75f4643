import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Ports, ProcessRole } from './types.ts'

/** The place of a worker among those of its supervisor. */
export interface WorkerPlace {
  /** From 1. A replacement has the number of the worker that it replaces. */
  number: number
  /** The number of workers, which divide the limits of each site. */
  count: number
  roles: readonly ProcessRole[]
  /** Assigned by the supervisor, so that it can release the leases of a worker that died. */
  nodeId: string
  databaseUrl: string
  /** Which of the supervisor's streams are terminals. */
  terminals: { output: boolean; errors: boolean }
}

/** The values of all metrics of one process. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[]

export type ToWorker =
  | { kind: 'begin'; place: WorkerPlace }
  | { kind: 'reload' }
  | { kind: 'stop' }
  /** Requests the values of the worker's own metrics. */
  | { kind: 'collect'; request: number }
  /** Responds to `read`. `text` is null if the metrics could not be collected. */
  | { kind: 'metrics'; request: number; text: string | null }

export type FromWorker =
  | { kind: 'started'; ports: Ports }
  | { kind: 'collected'; request: number; values: MetricValues }
  /** Requests the metrics of all workers, as text. */
  | { kind: 'read'; request: number }
