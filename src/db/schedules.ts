import type { Tx } from './db-types.ts'

export interface LockedEmail {
  status: string
  createdAt: Date
  recipientCount: number
}

/**
 * Locks one email until the transaction ends.
 * @param domainId the domain that the email must belong to; null for any
 */
export async function lockEmail(
  tx: Tx,
  { teamId, domainId }: { teamId: string; domainId: string | null },
  id: string,
): Promise<LockedEmail | null> {
  const rows = await tx.query<{ status: string; createdAt: Date; recipientCount: number }>(
    `select status, created_at, recipient_count
     from email
     where team_id = $1 and id = $2 and ($3::uuid is null or domain_id = $3)
     for update`,
    [teamId, id, domainId],
  )
  const row = rows[0]
  return row === undefined
    ? null
    : { status: row.status, createdAt: row.createdAt, recipientCount: row.recipientCount }
}

/**
 * Cancels the recipients that are not yet due. Returns none when they are: a claim or the release of due mail came
 * first.
 * @returns the comparison keys of the canceled addresses
 */
export async function cancelScheduled(tx: Tx, teamId: string, emailId: string, now: Date): Promise<string[]> {
  const rows = await tx.query<{ addressKey: string }>(
    `update delivery
     set status = 'canceled', due_at = null, updated_at = $3
     where team_id = $1 and email_id = $2 and status = 'scheduled' and not ready and due_at > $3
     returning address_key`,
    [teamId, emailId, now],
  )
  return rows.map((row) => row.addressKey)
}

/** Reschedules the recipients that are not yet due. Returns their number. */
export async function moveScheduled(
  tx: Tx,
  teamId: string,
  emailId: string,
  dueAt: Date,
  expiresAt: Date,
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `update delivery
     set due_at = $3, expires_at = $4, updated_at = $5
     where team_id = $1 and email_id = $2 and status = 'scheduled' and not ready and due_at > $5
     returning 1`,
    [teamId, emailId, dueAt, expiresAt, now],
  )
  return rows.length
}

export async function setScheduledAt(tx: Tx, teamId: string, id: string, scheduledAt: Date): Promise<void> {
  await tx.query('update email set scheduled_at = $3 where team_id = $1 and id = $2', [
    teamId,
    id,
    scheduledAt,
  ])
}

export async function setCanceled(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.query(
    "update email set status = 'canceled', last_event = 'canceled' where team_id = $1 and id = $2",
    [teamId, id],
  )
}

/** Replaces the stored bytes of a message, whose Date changes when it is rescheduled. */
export async function replaceMessage(
  tx: Tx,
  teamId: string,
  emailId: string,
  encoding: 'identity' | 'zstd',
  message: Buffer,
): Promise<void> {
  await tx.query(
    'update email_content set encoding = $3, message = $4 where team_id = $1 and email_id = $2',
    [teamId, emailId, encoding, message],
  )
}
