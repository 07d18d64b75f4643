import type { LoopSlicer } from '../../lib/async/loop-slicer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'
import type { Opened } from '../client/mail-connection.ts'
import type { Shaping } from './shaping.ts'
import type { Pause } from './site-throttle.ts'
import type { SiteWaitingDeps } from './site-waiting.ts'

export interface SiteDeps extends Omit<SiteWaitingDeps, 'nowMs'> {
  clock: Clock
  /** Waits after failures, in milliseconds, by the active rules. */
  probesMs(): readonly number[]
  shaping: Shaping
  /** Decides when a lane may start its next message. */
  slicer: Pick<LoopSlicer, 'enter'>
  /** Returns whether the delivery has priority and does not wait for a turn. */
  isFirst(delivery: DueDelivery): boolean
  open(delivery: DueDelivery): Promise<Opened>
  report(result: DeliveryResult): void
  /** Called when no host of the site can be reached or the site is paused. The delivery may take another hop. */
  failOver(delivery: DueDelivery, failed: DeliveryResult): void
  /** Called after an internal fault, such as content that cannot be loaded. The delivery leaves this site. */
  giveUp(delivery: DueDelivery, error: unknown): void
  /** Checks again whether the address is suppressed. If it is, returns true, and the delivery leaves this site. */
  withdraw(delivery: DueDelivery): Promise<boolean>
  /** Called when the lease ran out, for example during a database outage: another process may send the delivery. */
  drop(delivery: DueDelivery): void
  /** Returns whether this process is the one that may probe the site. */
  mayProbe(): boolean
  /** Called when the site is paused, to tell other processes. */
  paused(pause: Pause): void
  /** Called when the site answers again: its waiting deliveries, here and in other processes, become due. */
  answered(): void
}

/** The observable state of a site. */
export interface SiteView {
  state: 'open' | 'paused' | 'stopped' | 'probing'
  connections: number
  /** The current connection limit, at most `limitMax`. */
  limit: number
  limitMax: number
  waiting: number
  pause: Pause | null
  shaping: Shaping
}
