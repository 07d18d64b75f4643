import type { Queryable } from '../../db/db-types.ts'
import type { AttachmentRecord } from './emails-queries.ts'

/** Where the body of an email is: a part of an object in the store of bodies. */
export interface PackedBody {
  teamId: string
  emailId: string
  packId: string
  /** The first byte in the object. */
  start: number
  bytes: number
  /** What the key of the body is derived from. */
  key: Buffer
  dictionaryId: string | null
}

/** Returns the message of an email from the store of bodies. Throws ApiError (503) if the store does not respond. */
export type ReadPackedBody = (body: PackedBody) => Promise<Buffer>

export interface PackedRow extends PackedBody {
  headers: [string, string][] | null
  attachments: AttachmentRecord[] | null
  smtpUtf8: boolean
  unsubscribeScope: string | null
}

/** Returns the content of an email whose body is in a pack, without that body, or undefined if it has none there. */
export async function findPackedRow(
  db: Queryable,
  teamId: string,
  emailId: string,
): Promise<PackedRow | undefined> {
  const rows = await db.query<PackedRow>(
    `select c.team_id, c.email_id, c.pack_id, c.start, c.bytes, c.key, p.dictionary_id, c.headers, c.attachments,
       c.smtp_utf8, c.unsubscribe_scope
     from packed_content c
     join body_pack p on p.team_id = c.team_id and p.id = c.pack_id
     where c.team_id = $1 and c.email_id = $2`,
    [teamId, emailId],
  )
  return rows[0]
}
