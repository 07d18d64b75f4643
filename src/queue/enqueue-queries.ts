import { arrays } from '../db/arrays.ts'
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
  await tx.query(
    `insert into delivery (team_id, email_id, no, kind, address, address_key, domain, status, ready,
       due_at, leased_until, leased_by, attempts, expires_at, updated_at, bulk)
     select team_id, email_id, no, kind, address, address_key, domain, status, ready,
       due_at, leased_until, case when leased_until is null then null else $13::uuid end, 0, expires_at, $14, bulk
     from unnest($1::uuid[], $2::uuid[], $3::int2[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::bool[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $15::bool[])
       as row (team_id, email_id, no, kind, address, address_key, domain, status, ready, due_at, leased_until, expires_at,
         bulk)`,
    [
      arrays.uuid(deliveries.map((row) => row.teamId)),
      arrays.uuid(deliveries.map((row) => row.emailId)),
      arrays.int2(deliveries.map((row) => row.no)),
      arrays.text(deliveries.map((row) => row.kind)),
      arrays.text(deliveries.map((row) => row.address)),
      arrays.text(deliveries.map((row) => row.addressKey)),
      arrays.text(deliveries.map((row) => row.domain)),
      arrays.text(deliveries.map((row) => row.status)),
      arrays.bool(deliveries.map((row) => row.status === 'queued' && row.leasedUntil === null)),
      arrays.timestamptz(deliveries.map((row) => row.dueAt)),
      arrays.timestamptz(deliveries.map((row) => row.leasedUntil)),
      arrays.timestamptz(deliveries.map((row) => row.expiresAt)),
      nodeId,
      now,
      arrays.bool(deliveries.map((row) => row.isBulk)),
    ],
  )
}
