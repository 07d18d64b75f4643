import { arrays } from '../db/arrays.ts'
import type { Queryable } from '../db/db-types.ts'
import { inSlices, joinSlices } from './content/content-slices-queries.ts'

export interface StoredMessage {
  teamId: string
  emailId: string
  encoding: 'identity' | 'zstd'
  message: Buffer
  smtpUtf8: boolean
}

/** The content of one email, of any size; undefined where it has none. */
export async function loadLargeMessage(
  db: Queryable,
  { teamId, emailId }: { teamId: string; emailId: string },
): Promise<Omit<StoredMessage, 'teamId' | 'emailId'> | undefined> {
  const rows = await db.query<{ encoding: 'identity' | 'zstd'; message: Buffer; smtpUtf8: boolean }>(
    `${inSlices(['encoding', 'smtp_utf8'], 'message', 'email_content')}
     where team_id = $1 and email_id = $2
     order by slice`,
    [teamId, emailId],
  )
  const row = joinSlices(rows)
  return row && { encoding: row.encoding, message: row.message, smtpUtf8: row.smtpUtf8 }
}

/** The contents of these emails, each once. */
export async function loadMessages(
  db: Queryable,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<StoredMessage[]> {
  const rows = await db.query<{
    teamId: string
    emailId: string
    encoding: 'identity' | 'zstd'
    message: Buffer
    smtpUtf8: boolean
  }>(
    `select c.team_id, c.email_id, c.encoding, c.message, c.smtp_utf8
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, email_id)
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id`,
    [arrays.uuid(keys.map((key) => key.teamId)), arrays.uuid(keys.map((key) => key.emailId))],
  )
  return rows.map((row) => ({
    teamId: row.teamId,
    emailId: row.emailId,
    encoding: row.encoding,
    message: row.message,
    smtpUtf8: row.smtpUtf8,
  }))
}
