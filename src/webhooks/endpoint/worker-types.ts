import type { EndpointKey } from './endpoint-workers-queries.ts'
import type { EndpointState, FirstResult, LaterResult } from './webhook-results-queries.ts'

/** A retry, replay or test with its body. */
export interface DueSend {
  id: string
  webhookId: string
  teamId: string
  /** Null for a test, or a call of an automation. */
  subjectId: string | null
  /** Sent as `webhook-id`. */
  messageId: string
  attemptCount: number
  /** Null if the event is no longer stored. */
  body: string | null
}

/** The results of a worker that are ready to be written. */
export interface WorkerResults {
  webhook: EndpointKey
  state: EndpointState
  first: FirstResult[]
  later: LaterResult[]
  /** The reason to disable the endpoint, or null. */
  disableReason: string | null
}

/** Returns whether the results schedule or end a retry. */
export function hasRetries({ first, later }: WorkerResults): boolean {
  return later.length > 0 || first.some(({ dueAt }) => dueAt !== null)
}
