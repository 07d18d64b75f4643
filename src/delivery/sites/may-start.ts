import type { DueDelivery } from '../../queue/types.ts'
import type { Delivered, MailConnection } from '../client/mail-connection.ts'
import type { SiteDeps } from './site-types.ts'

/**
 * An address may be suppressed, or a campaign paused, while mail waits for a slow site, so check again after this time. With the
 * time that an answer takes it is less than a second.
 */
const CHECK_AGAIN_MS = 700

/**
 * Returns whether a delivery may be sent now. If not, reports it: its lease is over, or it was withdrawn since it was last
 * checked. Asked whenever it may have waited. Mostly nothing needs to be looked up, and there is nothing to wait for.
 */
export function mayStart(deps: Deps, delivery: DueDelivery): boolean | Promise<boolean> {
  const nowMs = deps.clock.now().getTime()
  if (delivery.leasedUntilMs > nowMs) {
    return nowMs - delivery.checkedAtMs <= CHECK_AGAIN_MS || isStillWanted(deps, delivery, nowMs)
  }
  deps.outcomes.dropped(delivery)
  return false
}

type Deps = Pick<SiteDeps, 'clock' | 'findWithdrawal' | 'outcomes'>

async function isStillWanted(
  { findWithdrawal, outcomes }: Deps,
  delivery: DueDelivery,
  nowMs: number,
): Promise<boolean> {
  const withdrawal = await findWithdrawal(delivery)
  if (withdrawal !== null) outcomes.withdrawn(delivery, withdrawal)
  else delivery.checkedAtMs = nowMs
  return withdrawal === null
}

/**
 * Runs the transaction of a delivery on a connection. Returns null if it must not start any more, because it took long to open
 * the connection (`isNew`), or because the message had to wait for memory.
 */
export async function deliverInTime(
  deps: Deps,
  delivery: DueDelivery,
  connection: MailConnection,
  isNew: boolean,
): Promise<Delivered | null> {
  const isWanted = !isNew || mayStart(deps, delivery)
  if (isWanted !== true && !(await isWanted)) return null
  return connection.deliver(delivery, () => mayStart(deps, delivery))
}
