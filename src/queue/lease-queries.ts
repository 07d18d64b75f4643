import { arrays } from '../db/arrays.ts'
import { batchOf } from '../db/batch.ts'
import type { Db, Queryable } from '../db/db-types.ts'
import { compareTexts } from '../lib/text/compare-texts.ts'
import type { DeliveryKey, DueDelivery } from './types.ts'

/** Time from the last extension of a lease to its expiry. Then other processes may claim the work of a dead process. */
export const LEASE_MS = 60_000
/** How far ahead the clock of a process may have been. */
const CLOCK_LAG_MS = 10_000

const KEYS = batchOf('team_id uuid, email_id uuid, no int2')

/** Orders by full key before a multi-row write, so that two processes never lock the same rows in opposite order. */
export function byKey(a: DeliveryKey, b: DeliveryKey): number {
  return compareTexts(a.teamId, b.teamId) || compareTexts(a.emailId, b.emailId) || a.no - b.no
}

const EXTEND_LEASES = `update delivery d
  set leased_until = $2
  from unnest(${KEYS.arraysFrom(3)}) as k (${KEYS.names})
  where d.team_id = k.team_id and d.email_id = k.email_id and d.no = k.no
    and d.leased_by = $1
  returning d.email_id, d.no`

/**
 * Extends the leases of these deliveries and their `leasedUntilMs`. A lease lost meanwhile stays lost: its delivery
 * keeps the time at which it ran out.
 */
export async function extendLeases(
  db: Db,
  deliveries: readonly DueDelivery[],
  nodeId: string,
  now: Date,
): Promise<void> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const rows = await db.query<{ emailId: string; no: number }>(EXTEND_LEASES, [
    nodeId,
    leasedUntil,
    ...KEYS.values(deliveries.toSorted(byKey)),
  ])
  const ours = new Set(rows.map((row) => `${row.emailId}/${row.no}`))
  for (const delivery of deliveries) {
    if (ours.has(`${delivery.emailId}/${delivery.no}`)) delivery.leasedUntilMs = leasedUntil.getTime()
  }
}

/**
 * Makes the deliveries of a dead process claimable now, before its leases expire. Call it after the journal of the
 * process is settled. The range of times allows the statement to use the index of waiting rows.
 * @returns the number of released deliveries
 */
export async function releaseLeasesOf(db: Queryable, nodeId: string, now: Date): Promise<number> {
  const rows = await db.query(
    `with leased as (
       select d.team_id, d.email_id, d.no
       from delivery d
       where d.due_at is not null and not d.ready and d.leased_by = $1
         and coalesce(d.leased_until, d.due_at) between $3 and $4
       order by d.team_id, d.email_id, d.no
       for update
     )
     update delivery d
     set ready = true, leased_until = null, leased_by = null, updated_at = $2
     from leased l
     where d.team_id = l.team_id and d.email_id = l.email_id and d.no = l.no
     returning d.no`,
    [nodeId, now, new Date(now.getTime() - LEASE_MS), new Date(now.getTime() + LEASE_MS + CLOCK_LAG_MS)],
  )
  return rows.length
}

/**
 * Returns the deliveries that claims at these times leased to the process. What acceptance hands off at the same time is due
 * at that time itself, so it is not among them. The times allow the statement to use the index of waiting rows.
 */
export function findLeasedAt(db: Db, times: readonly Date[], nodeId: string): Promise<DeliveryKey[]> {
  return db.query<DeliveryKey>(
    `select d.team_id, d.email_id, d.no
     from delivery d
     where d.due_at is not null and not d.ready and d.leased_by = $1
       and coalesce(d.leased_until, d.due_at) = any ($2::timestamptz[]) and d.due_at < d.leased_until - $3::interval`,
    [nodeId, arrays.timestamptz(times.map((at) => new Date(at.getTime() + LEASE_MS))), `${LEASE_MS} ms`],
  )
}

const RELEASE_LEASES = `update delivery d
  set ready = d.due_at is not null and d.due_at <= $2, leased_until = null, leased_by = null, updated_at = $2
  from unnest(${KEYS.arraysFrom(3)}) as k (${KEYS.names})
  where d.team_id = k.team_id and d.email_id = k.email_id and d.no = k.no
    and d.leased_by = $1
  returning d.team_id, d.email_id, d.no`

/**
 * Releases deliveries that did not start (at shutdown, for lack of room, or after an outage): any process may claim them now. Returns those
 * that were leased to this process.
 */
export async function releaseLeases(
  db: Db,
  keys: readonly DeliveryKey[],
  nodeId: string,
  now: Date,
): Promise<DeliveryKey[]> {
  return db.query<DeliveryKey>(RELEASE_LEASES, [nodeId, now, ...KEYS.values(keys.toSorted(byKey))])
}
