import type { DeliveryResult, DueDelivery } from '../../queue/types.ts'

/** The outcome of one recipient's delivery, as it is settled. */
export type Report = AttemptReport | PostponedReport | { kind: Withdrawal; delivery: DueDelivery }

export interface AttemptReport {
  kind: 'attempted'
  result: DeliveryResult
  /** A relay's 250 means `sent`, the recipient server's means `delivered`. Absent: not a relay. */
  isRelay?: boolean
  /** No connection could be opened: the delivery may take its next hop instead. */
  isUnreached?: true
  /** The time of the next attempt if this one is deferred. Absent: by the schedule. */
  dueAt?: Date
  /** The site that could not be reached: its reply ends the wait early. */
  waitsFor?: string
}

/** Not attempted: its site is paused until then, or one of our limits is reached. */
export interface PostponedReport {
  kind: 'postponed'
  delivery: DueDelivery
  until: Date
  category: string
  response: string
  /** The paused site, whose reply ends the wait early. Absent: no other hop would help. */
  waitsFor?: string
}

/**
 * Why a delivery is not attempted: its address must get no mail, its campaign is paused or canceled, or the contact that
 * the campaign addressed was deleted.
 */
export type Withdrawal = 'suppressed' | 'held' | 'canceled' | 'deleted'

/** The category of deliveries that wait for a limit of our own, without a refusal. */
export const SHAPED = 'shaped'

/** Receives every delivery that leaves its site, once, by the way in which it left. */
export interface Outcomes {
  settled(report: AttemptReport): void
  postponed(report: PostponedReport): void
  withdrawn(delivery: DueDelivery, why: Withdrawal): void
  /** Its lease ran out, for example during a database outage: another process may send it. Nothing is recorded. */
  dropped(delivery: DueDelivery): void
  /** After an internal fault, such as content that cannot be loaded. */
  interrupted(delivery: DueDelivery, error: unknown): void
}
