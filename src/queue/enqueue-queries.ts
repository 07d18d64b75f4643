import { batchOf } from '../db/batch.ts'
import type { Tx } from '../db/db-types.ts'

/** A recipient to be queued. */
export interface NewDelivery {
  teamId: string
  emailId: string
  no: number
  kind: 'to' | 'cc' | 'bcc'
  address: string
  addressKey: string
  domain: string
  isBulk: boolean
  /** `suppressed` recipients are recorded and never sent to. */
  status: 'queued' | 'scheduled' | 'suppressed'
  /** Null only when suppressed. */
  dueAt: Date | null
  expiresAt: Date
  /** Set when this process delivers it from memory: the row is inserted already leased. */
  leasedUntil: Date | null
}

const DELIVERIES = batchOf(
  `team_id uuid, email_id uuid, no int2, kind text, address text, address_key text, domain text, status text,
   ready bool, due_at timestamptz, leased_until timestamptz, expires_at timestamptz, bulk bool`,
  {
    ready: (row: NewDelivery) => row.status === 'queued' && row.leasedUntil === null,
    bulk: (row: NewDelivery) => row.isBulk,
  },
)

const ENQUEUE = `insert into delivery (${DELIVERIES.names}, leased_by, attempts, updated_at)
  select row.*, case when leased_until is null then null else $1::uuid end, 0, $2
  from unnest(${DELIVERIES.arraysFrom(3)}) as row (${DELIVERIES.names})`

/**
 * Inserts one row for each recipient, in the transaction that accepts the email. The caller sorts rows by key. If a
 * batch is repeated after a COMMIT without a reply, `insertEmails` fails first, so this statement needs no conflict
 * clause.
 */
export async function enqueue(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  nodeId: string,
  now: Date,
): Promise<void> {
  await tx.query(ENQUEUE, [nodeId, now, ...DELIVERIES.values(deliveries)])
}
