import { batchOf } from '../../db/batch.ts'
import type { Queryable } from '../../db/db-types.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'

/** An email from the view of one recipient. */
export interface PersonEmail {
  id: string
  no: number
  kind: 'to' | 'cc' | 'bcc'
  /** The address as given. */
  recipient: string
  messageId: string
  sender: string
  addressees: Addressees
  subject: string
  tags: { name: string; value: string }[] | null
  status: string
  isBulk: boolean
  category: string | null
  smtpCode: number | null
  response: string | null
  mxHost: string | null
  sizeBytes: number
  scheduledAt: Date | null
  createdAt: Date
  updatedAt: Date
}

type GoneEmail = Pick<PersonEmail, 'id'> & { messageId: null }

/**
 * Returns the next emails to an address, oldest first, through the index that recipient filters use. While retention removes a
 * week, a recipient may be left whose email is gone: it has no `messageId`.
 */
export async function listPersonEmails(
  db: Queryable,
  teamId: string,
  address: string,
  after: string,
  countMax: number,
): Promise<(PersonEmail | GoneEmail)[]> {
  return db.query<PersonEmail | GoneEmail>(
    `select d.email_id as id, d.no, d.kind, d.address as recipient, e.message_id, e.sender, e.addressees, e.subject,
       e.tags, d.status, d.bulk as is_bulk, d.category, d.smtp_code, d.response, d.mx_host,
       e.size as size_bytes, e.scheduled_at, e.created_at, d.updated_at
     from (
       select *
       from delivery
       where team_id = $1 and address_key = $2 and email_id > $3
       order by email_id
       limit $4
     ) d
     left join email e on e.team_id = d.team_id and e.id = d.email_id
     order by d.email_id`,
    [teamId, address, after, countMax],
  )
}

export interface PersonAttempt {
  emailId: string
  no: number
  startedAt: Date
  outcome: string
  category: string
  smtpCode: number | null
  response: string | null
}

const KEYS = batchOf('email_id uuid, no int2')

/** Returns the attempts at these recipients, in order of time. */
export async function listPersonAttempts(
  db: Queryable,
  teamId: string,
  keys: readonly { emailId: string; no: number }[],
): Promise<PersonAttempt[]> {
  if (keys.length === 0) return []
  return db.query<PersonAttempt>(
    `select a.email_id, a.no, a.started_at, a.outcome, a.category, a.smtp_code,
       a.response
     from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
     join attempt a on a.team_id = $1 and a.email_id = k.email_id and a.no = k.no
     order by a.started_at`,
    [teamId, ...KEYS.values(keys)],
  )
}
