import { SIMULATOR_HOST } from '../../classification/simulator.ts'
import type { Queryable } from '../../db/db-types.ts'

/** The host of the mailbox of capture mode, in deliveries. */
export const CAPTURE_HOST = 'capture'
/** A large installation finds a row at once; one that captured millions must not wait. */
const TIMEOUT_MS = 5_000

interface AcceptedDelivery {
  mxHost: string
  updatedAt: Date
}

/** Returns any delivery that the server of a recipient, or a relay, accepted. */
export async function findAcceptedDelivery(db: Queryable): Promise<AcceptedDelivery | null> {
  const rows = await db.query<{ mxHost: string | null; updatedAt: Date }>(
    `select mx_host, updated_at
     from delivery
     where status in ('delivered', 'sent') and mx_host is not null and mx_host <> all ($1::text[])
     limit 1`,
    [[CAPTURE_HOST, SIMULATOR_HOST]],
    { timeoutMs: TIMEOUT_MS },
  )
  // The condition excludes rows without a host.
  return (rows[0] as AcceptedDelivery | undefined) ?? null
}

/** Returns the newest delivery that was attempted outside of this machine. */
export async function findLastReply(
  db: Queryable,
): Promise<{ domain: string; status: string; response: string | null } | null> {
  const rows = await db.query<{ domain: string; status: string; response: string | null }>(
    `select domain, status, response
     from delivery
     where attempts > 0 and (mx_host is null or mx_host <> all ($1::text[]))
     order by updated_at desc
     limit 1`,
    [[CAPTURE_HOST, SIMULATOR_HOST]],
    { timeoutMs: TIMEOUT_MS },
  )
  return rows[0] ?? null
}
