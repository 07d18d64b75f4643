import { arrays } from '../../db/arrays.ts'
import { batchOf } from '../../db/batch.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'
import { ERASED_DOMAIN } from '../../lib/crypto/erased-address.ts'

/** One locked delivery to the person. */
export interface PersonDelivery {
  emailId: string
  no: number
  address: string
  status: string
  /** Not finished yet. */
  isOpen: boolean
  /** Leased by a process, so that it may be on the wire. */
  isLeased: boolean
}

export interface Between {
  /** The exclusive lower bound of email ids. */
  after: string
  /** The exclusive upper bound. */
  before: string
}

/** Returns and locks the next deliveries to an address, in the order of their emails, against claims and results. */
export async function lockDeliveriesTo(
  tx: Tx,
  teamId: string,
  address: string,
  { after, before }: Between,
  countMax: number,
): Promise<PersonDelivery[]> {
  return tx.query<PersonDelivery>(
    `select email_id, no, address, status, due_at is not null as is_open,
       leased_until is not null as is_leased
     from delivery
     where team_id = $1 and address_key = $2 and email_id > $3 and email_id < $4
     order by email_id, no
     limit $5
     for update`,
    [teamId, address, after, before, countMax],
  )
}

/** Returns and locks, among the newest `scanMax` deliveries to an address, those that are due and not leased. */
export async function lockOpenDeliveriesTo(
  tx: Tx,
  teamId: string,
  address: string,
  before: string,
  scanMax: number,
): Promise<PersonDelivery[]> {
  return tx.query<PersonDelivery>(
    `with newest as materialized (
       select team_id, email_id, no
       from delivery
       where team_id = $1 and address_key = $2 and email_id < $3
       order by email_id desc
       limit $4
     )
     select d.email_id, d.no, d.address, d.status, true as is_open, false as is_leased
     from newest n
     join delivery d on d.team_id = $1 and d.email_id = n.email_id and d.no = n.no
     where d.due_at is not null and d.leased_until is null
     order by d.email_id, d.no
     for update of d`,
    [teamId, address, before, scanMax],
  )
}

/** Returns the next emails from an address. */
export async function listEmailsFrom(
  db: Queryable,
  teamId: string,
  address: string,
  { after, before }: Between,
  countMax: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id
     from email
     where team_id = $1 and sender_address = $2 and id > $3 and id < $4
     order by id
     limit $5`,
    [teamId, address, after, before, countMax],
  )
  return rows.map((row) => row.id)
}

type DeliveryRef = Pick<PersonDelivery, 'emailId' | 'no'>

const KEYS = batchOf('email_id uuid, no int2')

/** Cancels locked deliveries that are not leased. */
export async function cancelDeliveries(
  tx: Tx,
  teamId: string,
  rows: readonly DeliveryRef[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `update delivery d
     set status = 'canceled', ready = false, due_at = null, waits_for = null, updated_at = $2
     from unnest(${KEYS.arraysFrom(3)}) as k (${KEYS.names})
     where d.team_id = $1 and d.email_id = k.email_id and d.no = k.no`,
    [teamId, now, ...KEYS.values(rows)],
  )
}

/** Removes the person from finished deliveries and from their attempts. */
export async function eraseDeliveries(
  tx: Tx,
  teamId: string,
  rows: readonly DeliveryRef[],
  pseudonym: string,
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `update delivery d
     set address = $2, address_key = $2, domain = '${ERASED_DOMAIN}', response = null, mx_host = null
     from unnest(${KEYS.arraysFrom(3)}) as k (${KEYS.names})
     where d.team_id = $1 and d.email_id = k.email_id and d.no = k.no`,
    [teamId, pseudonym, ...KEYS.values(rows)],
  )
  await tx.query(
    `update attempt a
     set response = null, mx_host = null, mx_address = null, conversation = ''
     from unnest(${KEYS.arraysFrom(2)}) as k (${KEYS.names})
     where a.team_id = $1 and a.email_id = k.email_id and a.no = k.no`,
    [teamId, ...KEYS.values(rows)],
  )
}

/** The fields of an email that may name a person. */
export interface NamedEmail {
  id: string
  messageId: string
  sender: string
  senderAddress: string
  addressees: Addressees
  createdAt: Date
}

export async function listNamedEmails(tx: Tx, teamId: string, ids: readonly string[]): Promise<NamedEmail[]> {
  return tx.query<NamedEmail>(
    `select e.id, e.message_id, e.sender, e.sender_address, e.addressees,
       e.created_at
     from unnest($2::uuid[]) as k (id)
     join email e on e.team_id = $1 and e.id = k.id`,
    [teamId, arrays.uuid(ids)],
  )
}

const EMAILS = batchOf('id uuid, message_id text, sender text, sender_address text, addressees jsonb')

/** Saves emails without the person, and deletes their subjects, tags, and replaced Message-IDs. */
export async function saveErasedEmails(tx: Tx, teamId: string, emails: readonly NamedEmail[]): Promise<void> {
  const ids = arrays.uuid(emails.map((email) => email.id))
  await tx.query(
    `delete from email_tag t
     using (
       select e.id, g.tag ->> 'name' as name, g.tag ->> 'value' as value
       from unnest($2::uuid[]) as k (id)
       join email e on e.team_id = $1 and e.id = k.id
       cross join lateral jsonb_array_elements(e.tags) as g (tag)
       where e.tags is not null
     ) n
     where t.team_id = $1 and t.name = n.name and t.value = n.value and t.email_id = n.id`,
    [teamId, ids],
  )
  await tx.query(
    `update email e
     set message_id = k.message_id, sender = k.sender, sender_address = k.sender_address, addressees = k.addressees,
       subject = '', tags = null, original_message_id = null
     from unnest(${EMAILS.arraysFrom(2)}) as k (${EMAILS.names})
     where e.team_id = $1 and e.id = k.id`,
    [teamId, ...EMAILS.values(emails)],
  )
}

/** Returns those of the emails that other recipients have yet to receive. */
export async function findOpenEmails(tx: Tx, teamId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ emailId: string }>(
    `select distinct d.email_id
     from unnest($2::uuid[]) as k (id)
     join delivery d on d.team_id = $1 and d.email_id = k.id
     where d.due_at is not null`,
    [teamId, arrays.uuid(ids)],
  )
  return rows.map((row) => row.emailId)
}

/**
 * The tables of contents, in the order in which they are deleted from: a packer moves contents from the first to the second.
 * A row of the second has the key of a body, which goes with it.
 */
export const CONTENT_TABLES = ['email_content', 'packed_content', 'captured'] as const

/** Deletes the contents of emails, including packed and captured ones. */
export async function deleteContents(tx: Tx, teamId: string, emailIds: readonly string[]): Promise<void> {
  if (emailIds.length === 0) return
  const values = [teamId, arrays.uuid(emailIds)]
  for (const table of CONTENT_TABLES) {
    await tx.query(
      `delete from ${table} c
       using unnest($2::uuid[]) as k (id)
       where c.team_id = $1 and c.email_id = k.id`,
      values,
    )
  }
}

const VISITS = batchOf('email_id uuid, visitor uuid')

/** Deletes the counted opens and clicks of the person. */
export async function deleteVisits(
  tx: Tx,
  teamId: string,
  visits: readonly { emailId: string; visitor: string }[],
): Promise<void> {
  if (visits.length === 0) return
  await tx.query(
    `delete from metric_visit v
     using unnest(${VISITS.arraysFrom(2)}) as k (${VISITS.names})
     where v.team_id = $1 and v.email_id = k.email_id and v.recipient = k.visitor`,
    [teamId, ...VISITS.values(visits)],
  )
}

/** Replies to other recipients of the same emails that name the person. */
export interface NamingTexts {
  deliveries: (DeliveryRef & { response: string })[]
  attempts: (DeliveryRef & {
    attempt: number
    startedAt: Date
    response: string | null
    transcript: string
  })[]
}

/** @param likes patterns of `like`, in lower case, that match the address in any spelling */
export async function findNamingTexts(
  tx: Tx,
  teamId: string,
  ids: readonly string[],
  likes: readonly string[],
): Promise<NamingTexts> {
  const values = [teamId, arrays.uuid(ids), arrays.text(likes)]
  const deliveries = await tx.query<NamingTexts['deliveries'][number]>(
    `select d.email_id, d.no, d.response
     from unnest($2::uuid[]) as k (id)
     join delivery d on d.team_id = $1 and d.email_id = k.id
     where lower(d.response) like any ($3::text[])`,
    values,
  )
  const attempts = await tx.query<NamingTexts['attempts'][number]>(
    `select a.email_id, a.no, a.attempt, a.started_at, a.response, a.conversation as transcript
     from unnest($2::uuid[]) as k (id)
     join attempt a on a.team_id = $1 and a.email_id = k.id
     where lower(a.response) like any ($3::text[]) or lower(a.conversation) like any ($3::text[])`,
    values,
  )
  return { deliveries, attempts }
}

const REPLIES = batchOf('email_id uuid, no int2, response text')
const ATTEMPTS = batchOf(
  'email_id uuid, no int2, attempt int2, started_at timestamptz, response text, transcript text',
)

export async function saveNamingTexts(tx: Tx, teamId: string, texts: NamingTexts): Promise<void> {
  if (texts.deliveries.length > 0) {
    await tx.query(
      `update delivery d
       set response = k.response
       from unnest(${REPLIES.arraysFrom(2)}) as k (${REPLIES.names})
       where d.team_id = $1 and d.email_id = k.email_id and d.no = k.no`,
      [teamId, ...REPLIES.values(texts.deliveries)],
    )
  }
  if (texts.attempts.length === 0) return
  await tx.query(
    `update attempt a
     set response = k.response, conversation = k.transcript
     from unnest(${ATTEMPTS.arraysFrom(2)}) as k (${ATTEMPTS.names})
     where a.team_id = $1 and a.email_id = k.email_id and a.no = k.no and a.attempt = k.attempt
       and a.started_at = k.started_at`,
    [teamId, ...ATTEMPTS.values(texts.attempts)],
  )
}
