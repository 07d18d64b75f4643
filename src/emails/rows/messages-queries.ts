import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { SignatureForm } from '../../mime/signature-form.ts'
import { inSlices, joinSlices } from './content-slices-queries.ts'

export interface StoredMessage {
  teamId: string
  emailId: string
  encoding: 'identity' | 'zstd'
  message: Buffer
  smtpUtf8: boolean
  /** The forms in which it was signed for its recipients, or null. */
  signedAs: SignatureForm[] | null
}

/** Each recipient's row has the form of its own signature. */
const SIGNED_AS = `select array_agg(distinct d.signed_as order by d.signed_as desc)
       from delivery d
       where d.team_id = c.team_id and d.email_id = c.email_id and d.signed_as is not null`

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
  const whole = await joinSlices(rows)
  return whole === undefined
    ? undefined
    : { ...whole, signedAs: await findSignatureForms(db, teamId, emailId) }
}

/** Returns the forms in which an email was signed for its recipients, direct ones first, or null before that. */
export async function findSignatureForms(
  db: Queryable,
  teamId: string,
  emailId: string,
): Promise<SignatureForm[] | null> {
  const rows = await db.query<{ signedAs: SignatureForm[] | null }>(
    `select (${SIGNED_AS}) as signed_as
     from (select $1::uuid as team_id, $2::uuid as email_id) c`,
    [teamId, emailId],
  )
  return rows[0]?.signedAs ?? null
}

const KEYS = batchOf('team_id uuid, email_id uuid')

const LOAD_MESSAGES = `select c.team_id, c.email_id, c.encoding, c.message, c.smtp_utf8, (${SIGNED_AS}) as signed_as
  from unnest(${KEYS.arrays}) as k (${KEYS.names})
  join email_content c on c.team_id = k.team_id and c.email_id = k.email_id`

/** Returns the contents of these emails, each once. */
export async function loadMessages(
  db: Queryable,
  keys: readonly { teamId: string; emailId: string }[],
): Promise<StoredMessage[]> {
  return db.query<StoredMessage>(LOAD_MESSAGES, KEYS.values(keys))
}
