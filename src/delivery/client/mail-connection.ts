import type { Stage } from '../../classification/stages.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'

/** An open connection to one of a site's hosts. */
export interface MailConnection {
  /**
   * Runs the transaction of one recipient. Server and network failures are results; it rejects only on internal faults.
   * @param mayStart asked if the message had to wait for memory; null is returned if it says no
   */
  deliver(delivery: DueDelivery, mayStart: () => boolean | Promise<boolean>): Promise<Delivered | null>
  /** False once the server has closed the connection or the link was lost. */
  readonly usable: boolean
  /** Messages sent so far. */
  readonly sentCount: number
  close(): void
}

export interface Delivered {
  result: DeliveryResult
  /** True when a connection that was idle before closed before the server answered MAIL: retry on a fresh one. */
  stale: boolean
  /**
   * What decided: a reply of the server, the loss of the connection, or our client, which refused what the message needs.
   * Only the first two say something about the site.
   */
  decidedBy: 'reply' | 'loss' | 'message'
  /** True when the server asks for a lower rate (421, 4.7.x). */
  slowDown: boolean
  /** The stage that the reply belongs to. */
  stage: Stage
}

/**
 * The result of opening a connection: the connection, or the result of the attempt for the delivery that requested it.
 * `hostsDown` is false when the failure concerns only what this message requires and says nothing about the hosts.
 */
export type Opened =
  | { connection: MailConnection }
  | { failed: DeliveryResult; stage: Stage; hostsDown: boolean }
