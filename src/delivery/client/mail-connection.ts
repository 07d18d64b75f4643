import type { Stage } from '../../classification/stages.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'

/** An open connection to one of a site's hosts. */
export interface MailConnection {
  /** One recipient's transaction. Whatever the other side does is a result; rejects for faults of ours alone. */
  deliver(delivery: DueDelivery): Promise<Delivered>
  /** False once the server or the link has ended it. */
  readonly usable: boolean
  /** Messages sent so far. */
  readonly sentCount: number
  close(): void
}

export interface Delivered {
  result: DeliveryResult
  /** True when an idle connection turned out to be dead before anything was said: try again on a fresh one. */
  stale: boolean
  /** True when the server asks for less (421, 4.7.x). */
  slowDown: boolean
  /** What the reply answered. */
  stage: Stage
}

/**
 * Opening either gives a connection or the result of the try for the delivery that asked for it. `hostsDown` false: it
 * failed for what this message asks for, and says nothing about the hosts.
 */
export type Opened =
  | { connection: MailConnection }
  | { failed: DeliveryResult; stage: Stage; hostsDown: boolean }
