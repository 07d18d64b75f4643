import type { EndpointKey } from './endpoint-workers-queries.ts'
import type { EndpointState, FirstResult, LaterResult } from './webhook-results-queries.ts'

/** A retry, replay or test with its body. */
export interface DueSend {
  id: string
  webhookId: string
  teamId: string
  /** Sent as `webhook-id`. */
  messageId: string
  triesCount: number
  /** Null: the event is no longer stored. */
  body: string | null
}

/** The results of a worker to be written. */
export interface WorkerResults {
  webhook: EndpointKey
  state: EndpointState
  first: FirstResult[]
  later: LaterResult[]
  /** Why the endpoint must be disabled; null: it need not. */
  disableReason: string | null
}

/** Returns whether the results give a time at which a delivery is due, or end one. */
export function hasRetries({ first, later }: WorkerResults): boolean {
  return later.length > 0 || first.some(({ dueAt }) => dueAt !== null)
}
