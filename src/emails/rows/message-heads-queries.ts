import type { Queryable } from '../../db/db-types.ts'

/** Returns the beginning of a stored content, at most `bytesMax` of its stored bytes, or null if there is none. */
export async function loadMessageHead(
  db: Queryable,
  { teamId, emailId }: { teamId: string; emailId: string },
  bytesMax: number,
): Promise<{ encoding: 'identity' | 'zstd'; head: Buffer } | null> {
  const rows = await db.query<{ encoding: 'identity' | 'zstd'; head: Buffer }>(
    `select encoding, substring(message from 1 for $3) as head
     from email_content
     where team_id = $1 and email_id = $2`,
    [teamId, emailId, bytesMax],
  )
  return rows[0] ?? null
}
