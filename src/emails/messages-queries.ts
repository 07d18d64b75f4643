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

/** Returns the content of one email, of any size, or undefined if it has none. */
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
  return joinSlices(rows)
}

/** Returns the contents of these emails, each once. */
export async function loadMessages(
  db: Queryable,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<StoredMessage[]> {
  return db.query<StoredMessage>(
    `select c.team_id, c.email_id, c.encoding, c.message, c.smtp_utf8
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, email_id)
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id`,
    [arrays.uuid(keys.map((key) => key.teamId)), arrays.uuid(keys.map((key) => key.emailId))],
  )
}
