import type { EndpointKey } from './endpoint-workers-queries.ts'
import type { EndpointState, FirstResult, LaterResult } from './webhook-results-queries.ts'

/** A delivery to be tried again, or a test, with what is to be sent. */
export interface DueSend {
  id: string
  webhookId: string
  teamId: string
  /** What the endpoint is told as `webhook-id`. */
  messageId: string
  triesCount: number
  /** Null: the event is not kept any more. */
  body: string | null
}

/** What a lane has to be written. */
export interface WorkerResults {
  webhook: EndpointKey
  state: EndpointState
  first: FirstResult[]
  later: LaterResult[]
  /** Why the endpoint is to be switched off; null: it is not. */
  disableReason: string | null
}

/** Whether they say when something is due again, or that it is not any more. */
export function hasRetries({ first, later }: WorkerResults): boolean {
  return later.length > 0 || first.some(({ dueAt }) => dueAt !== null)
}
