import { arrays } from '../db/arrays.ts'
import type { Queryable } from '../db/db-types.ts'

export interface Addressees {
  to: string[]
  cc: string[]
  bcc: string[]
  reply_to: string[]
}

/** The fields of an email that its events include. */
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

interface Row extends Omit<EmailFacts, 'to' | 'tags'> {
  id: string
  addressees: Addressees
  tags: EmailFacts['tags'] | null
}

/** Finds the facts of emails by id. The map omits emails that are no longer stored. */
export async function findEmailFacts(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, EmailFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Row>(
    `select e.id, e.domain_id, e.message_id, e.sender, e.addressees, e.subject, e.tags, e.template_id, e.created_at
     from unnest($2::uuid[]) as k (id)
     join email e on e.team_id = $1 and e.id = k.id`,
    [teamId, arrays.uuid(ids)],
  )
  return new Map(
    rows.map(({ id, addressees, tags, ...email }) => [id, { ...email, to: addressees.to, tags: tags ?? [] }]),
  )
}
