import type { Queryable, Tx } from '../../db/db-types.ts'
import { ERASED_DOMAIN } from '../../lib/crypto/erased-address.ts'

/** The recipient that a DSN, report or reply is about. */
export interface ReportedKey {
  teamId: string
  emailId: string
  no: number
}

export interface ReportedDelivery {
  address: string
  addressKey: string
  status: string
  complainedAt: Date | null
  delayNoticedAt: Date | null
}

/**
 * Returns and locks a delivery, so that no process settles it meanwhile, or null if it does not exist or its
 * recipient was erased.
 */
export async function lockReportedDelivery(tx: Tx, key: ReportedKey): Promise<ReportedDelivery | null> {
  const rows = await tx.query<ReportedDelivery>(
    `select address, address_key, status, complained_at,
       delay_noticed_at
     from delivery
     where team_id = $1 and email_id = $2 and no = $3 and domain <> '${ERASED_DOMAIN}'
     for update`,
    [key.teamId, key.emailId, key.no],
  )
  return rows[0] ?? null
}

/** Returns the address of a recipient in normalized form, or null if it does not exist or was erased. */
export async function findRecipientKey(db: Queryable, key: ReportedKey): Promise<string | null> {
  const rows = await db.query<{ addressKey: string }>(
    `select address_key
     from delivery
     where team_id = $1 and email_id = $2 and no = $3 and domain <> '${ERASED_DOMAIN}'`,
    [key.teamId, key.emailId, key.no],
  )
  return rows[0]?.addressKey ?? null
}

/**
 * Returns whether an email went to this address. Returns false if the delivery no longer exists or the
 * recipient was erased.
 */
export async function hasRecipient(
  db: Queryable,
  teamId: string,
  emailId: string,
  addressKey: string,
): Promise<boolean> {
  const rows = await db.query(
    'select 1 from delivery where team_id = $1 and address_key = $2 and email_id = $3 limit 1',
    [teamId, addressKey, emailId],
  )
  return rows.length > 0
}

/**
 * Returns what the recipient of an email can unsubscribe from; null for nothing or if the content is no longer
 * stored.
 */
export async function findUnsubscribeScope(
  db: Queryable,
  teamId: string,
  emailId: string,
): Promise<string | null> {
  const rows = await db.query<{ unsubscribeScope: string | null }>(
    `select unsubscribe_scope
     from email_content
     where team_id = $1 and email_id = $2
     union all
     select unsubscribe_scope
     from packed_content
     where team_id = $1 and email_id = $2`,
    [teamId, emailId],
  )
  return rows[0]?.unsubscribeScope ?? null
}

export interface ReportedOutcome {
  status: 'delivered' | 'bounced' | 'failed' | 'rejected'
  category: string
  smtpCode: number | null
  enhancedCode: string | null
  response: string | null
  mxHost: string | null
}

/**
 * Ends the locked delivery, even if a process holds a lease on it: the result of that process does not
 * overwrite this one (queue/settle-queries.ts). Counts at least one attempt, because a report implies one.
 */
export async function saveReportedOutcome(
  tx: Tx,
  key: ReportedKey,
  outcome: ReportedOutcome,
  now: Date,
): Promise<void> {
  await tx.query(
    `update delivery
     set status = $4, category = $5, smtp_code = $6, enhanced_code = $7, response = $8, mx_host = coalesce($9, mx_host),
       ready = false, due_at = null, leased_until = null, leased_by = null, waits_for = null,
       attempts = greatest(attempts, 1), updated_at = $10
     where team_id = $1 and email_id = $2 and no = $3`,
    [
      ...[key.teamId, key.emailId, key.no],
      ...[outcome.status, outcome.category, outcome.smtpCode, outcome.enhancedCode],
      ...[outcome.response, outcome.mxHost, now],
    ],
  )
}

/** Records the complaint of the locked delivery's recipient, so that it is reported once. */
export async function markComplained(tx: Tx, key: ReportedKey, now: Date): Promise<void> {
  await tx.query('update delivery set complained_at = $4 where team_id = $1 and email_id = $2 and no = $3', [
    ...[key.teamId, key.emailId, key.no, now],
  ])
}

/** Records that another server delays the locked delivery, so that it is reported once. */
export async function markDelayReported(tx: Tx, key: ReportedKey, now: Date): Promise<void> {
  await tx.query(
    'update delivery set delay_noticed_at = $4 where team_id = $1 and email_id = $2 and no = $3',
    [key.teamId, key.emailId, key.no, now],
  )
}
