import type { LoopSlicer } from '../../lib/async/loop-slicer.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { DueDelivery } from '../../queue/types.ts'
import type { Opened } from '../client/mail-connection.ts'
import type { Outcomes, Withdrawal } from './outcomes.ts'
import type { Shaping } from './shaping.ts'
import type { SiteKey } from './site-key.ts'
import type { Pause } from './site-throttle.ts'
import type { SiteWaitingDeps } from './site-waiting.ts'

/** What all sites of a process share. */
export interface SiteDeps extends Omit<SiteWaitingDeps, 'name' | 'nowMs' | 'mayTakeLarge'> {
  clock: Clock
  /** Returns the pauses after failures, in milliseconds, by the active rules. */
  probesMs(): readonly number[]
  /** Decides when a lane may start its next message. */
  slicer: Pick<LoopSlicer, 'enter'>
  /** Returns whether the delivery has priority and does not wait for a turn. */
  isFirst(delivery: DueDelivery): boolean
  open(key: SiteKey, delivery: DueDelivery): Promise<Opened>
  /** Returns why a delivery must not be attempted now, or null. */
  findWithdrawal(delivery: DueDelivery): Promise<Withdrawal | null>
  outcomes: Outcomes
  board: Board
}

/** The state of sites that processes share. */
export interface Board {
  /** Returns whether this process is the one that may probe the site. */
  mayProbe(name: string): boolean
  /** Called when a site is paused, to tell other processes. */
  paused(name: string, pause: Pause): void
  /** Called when a site answers again: its waiting deliveries, here and in other processes, become due. */
  answered(name: string): void
  /** Returns the pause that any process recorded, or null if there is none. */
  known(name: string): Pause | null
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
