import { arrays } from '../db/arrays.ts'
import type { Queryable } from '../db/db-types.ts'

export interface Addressees {
  to: string[]
  cc: string[]
  bcc: string[]
  reply_to: string[]
}

/** What events tell of the email that they are about. */
export interface EmailFacts {
  domainId: string
  messageId: string
  sender: string
  to: readonly string[]
  subject: string
  tags: readonly { name: string; value: string }[]
  templateId: string | null
  createdAt: Date
}

/** By id; what is not kept any more is not in it. */
export async function findEmailFacts(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, EmailFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<{
    id: string
    domainId: string
    messageId: string
    sender: string
    addressees: Addressees
    subject: string
    tags: { name: string; value: string }[] | null
    templateId: string | null
    createdAt: Date
  }>(
    `select e.id, e.domain_id, e.message_id, e.sender, e.addressees, e.subject, e.tags, e.template_id, e.created_at
     from unnest($2::uuid[]) as k (id)
     join email e on e.team_id = $1 and e.id = k.id`,
    [teamId, arrays.uuid(ids)],
  )
  return new Map(
    rows.map((row) => [
      row.id,
      {
        domainId: row.domainId,
        messageId: row.messageId,
        sender: row.sender,
        to: row.addressees.to,
        subject: row.subject,
        tags: row.tags ?? [],
        templateId: row.templateId,
        createdAt: row.createdAt,
      },
    ]),
  )
}
