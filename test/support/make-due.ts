import type { Db } from '../../src/db/db-types.ts'

/**
 * Makes scheduled emails due at `at`, whatever their scheduled time, because a schedule one second ahead may pass
 * before a busy machine has accepted the email.
 */
export async function makeDue(
  db: Db,
  teamId: string,
  emailIds: readonly string[],
  at = new Date(),
): Promise<void> {
  await db.query(
    `update delivery set due_at = $3
     where team_id = $1 and email_id = any($2) and status = 'scheduled'`,
    [teamId, emailIds, at],
  )
}
