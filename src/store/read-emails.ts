import { firstIdAt } from '../base/ids.ts'
import type { Db, Queryable } from './db.ts'
import type { Addressees, AttachmentRecord } from './emails.ts'
import { queryStretch, type Rows, type Stretch } from './page.ts'

/** An email as lists show it. */
export interface Email {
  teamId: string
  id: string
  domainId: string
  /** Null once the domain is deleted. */
  domainName: string | null
  messageId: string
  sender: string
  addressees: Addressees
  subject: string
  tags: { name: string; value: string }[]
  recipientCount: number
  status: string
  lastEvent: string
  sizeBytes: number
  scheduledAt: Date | null
  sentAt: Date | null
  createdAt: Date
  /** What it was made from, as of its acceptance. */
  template: { id: string; name: string } | null
}

export interface EmailFilter {
  status?: string
  /** suppressionKey of the recipient. */
  toKey?: string
  /** Lower case. */
  from?: string
  tag?: { name: string; value: string | null }
  domainId?: string
  templateId?: string
  createdFrom?: Date
  createdBefore?: Date
  /** Part of the subject, without regard to case. */
  subjectPart?: string
}

interface EmailRow {
  id: string
  domain_id: string
  domain_name: string | null
  message_id: string
  sender: string
  addressees: Addressees
  subject: string
  tags: { name: string; value: string }[] | null
  recipient_count: number
  status: string
  last_event: string
  size: number
  scheduled_at: Date | null
  sent_at: Date | null
  created_at: Date
  template_id: string | null
  template_name: string | null
}

const COLUMNS = `e.id, e.domain_id, d.name as domain_name, e.message_id, e.sender, e.addressees, e.subject, e.tags,
  e.recipient_count, e.status, e.last_event, e.size, e.scheduled_at, e.sent_at, e.created_at,
  e.template_id, e.template_name`

const FROM = `from email e
  left join domain d on d.team_id = e.team_id and d.id = e.domain_id`

const fromRow =
  (teamId: string) =>
  (row: EmailRow): Email => ({
    teamId,
    id: row.id,
    domainId: row.domain_id,
    domainName: row.domain_name,
    messageId: row.message_id,
    sender: row.sender,
    addressees: row.addressees,
    subject: row.subject,
    tags: row.tags ?? [],
    recipientCount: row.recipient_count,
    status: row.status,
    lastEvent: row.last_event,
    sizeBytes: row.size,
    scheduledAt: row.scheduled_at,
    sentAt: row.sent_at,
    createdAt: row.created_at,
    template: row.template_id === null ? null : { id: row.template_id, name: row.template_name ?? '' },
  })

/** Statuses that have an index of their own (delivery_uncommon); all others are found by walking the emails. */
const UNCOMMON_STATUSES = [
  'bounced',
  'failed',
  'suppressed',
  'canceled',
  'rejected',
  'delivery_delayed',
] as const

/** The conditions of a filter, and their parameters from `$1` (the team) on. Fixed SQL: values are never part of it. */
function conditionsOf(teamId: string, filter: EmailFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [teamId]
  const parts = ['e.team_id = $1']
  const add = (part: (place: string) => string, value: unknown) => {
    values.push(value)
    parts.push(part(`$${values.length}`))
  }
  if (filter.status !== undefined) {
    add((place) => `e.status = ${place}`, filter.status)
    // A literal, not a parameter: only then can the planner see that the partial index applies.
    const uncommon = UNCOMMON_STATUSES.find((status) => status === filter.status)
    if (uncommon !== undefined) {
      parts.push(
        `e.id in (select r.email_id from delivery r where r.team_id = $1 and r.status = '${uncommon}')`,
      )
    }
  }
  if (filter.toKey !== undefined) {
    add(
      (place) =>
        `e.id in (select r.email_id from delivery r where r.team_id = $1 and r.address_key = ${place})`,
      filter.toKey,
    )
  }
  if (filter.from !== undefined) add((place) => `e.sender_address = ${place}`, filter.from)
  if (filter.tag !== undefined) {
    const { name, value } = filter.tag
    add(
      (place) =>
        `e.id in (select t.email_id from email_tag t where t.team_id = $1 and t.name = ${place}${
          value === null ? '' : ` and t.value = $${values.length + 1}`
        })`,
      name,
    )
    if (value !== null) values.push(value)
  }
  if (filter.templateId !== undefined) add((place) => `e.template_id = ${place}`, filter.templateId)
  if (filter.domainId !== undefined) add((place) => `e.domain_id = ${place}`, filter.domainId)
  if (filter.createdFrom !== undefined) add((place) => `e.id >= ${place}`, firstIdAt(filter.createdFrom))
  if (filter.createdBefore !== undefined) add((place) => `e.id < ${place}`, firstIdAt(filter.createdBefore))
  if (filter.subjectPart !== undefined) {
    add((place) => `e.subject ilike ${place}`, `%${filter.subjectPart.replace(/[\\%_]/g, '\\$&')}%`)
  }
  return { where: parts.join('\n and '), values }
}

/** Newest first. */
export async function listEmails(
  db: Queryable,
  teamId: string,
  filter: EmailFilter,
  stretch: Stretch,
): Promise<Rows<Email>> {
  const { where, values } = conditionsOf(teamId, filter)
  const select = `select ${COLUMNS}\n${FROM}\nwhere ${where}`
  const { rows, hasMore } = await queryStretch<EmailRow>(db, select, values, stretch, 'e.id')
  return { rows: rows.map(fromRow(teamId)), hasMore }
}

/** Counting stops here: a filter that fits more says so many. */
export const FILTERED_TOTAL_MAX = 10_000

/** How many emails fit a filter, at most FILTERED_TOTAL_MAX. */
export async function countFiltered(db: Queryable, teamId: string, filter: EmailFilter): Promise<number> {
  const { where, values } = conditionsOf(teamId, filter)
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from (select 1 from email e where ${where} limit ${FILTERED_TOTAL_MAX}) as fitting`,
    values,
  )
  return Number(rows[0]?.count ?? 0)
}

export interface EmailDetail {
  headers: [string, string][]
  attachments: AttachmentRecord[]
  encoding: 'identity' | 'zstd'
  message: Buffer
  smtpUtf8: boolean
}

export async function findEmail(db: Queryable, teamId: string, id: string): Promise<Email | null> {
  const rows = await db.query<EmailRow>(`select ${COLUMNS}\n${FROM}\nwhere e.team_id = $1 and e.id = $2`, [
    teamId,
    id,
  ])
  const row = rows[0]
  return row === undefined ? null : fromRow(teamId)(row)
}

export async function findEmailDetail(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<EmailDetail | null> {
  const rows = await db.query<{
    headers: [string, string][] | null
    attachments: AttachmentRecord[] | null
    encoding: 'identity' | 'zstd'
    message: Buffer
    smtp_utf8: boolean
  }>(
    `select headers, attachments, encoding, message, smtp_utf8
     from email_content
     where team_id = $1 and email_id = $2`,
    [teamId, id],
  )
  const row = rows[0]
  if (row === undefined) return null
  return {
    headers: row.headers ?? [],
    attachments: row.attachments ?? [],
    encoding: row.encoding,
    message: row.message,
    smtpUtf8: row.smtp_utf8,
  }
}

/** One recipient as the API shows it. */
export interface RecipientRow {
  no: number
  kind: 'to' | 'cc' | 'bcc'
  address: string
  status: string
  category: string | null
  smtp_code: number | null
  enhanced_code: string | null
  response: string | null
  mx_host: string | null
  attempts: number
  due_at: Date | null
  updated_at: Date
}

async function listRecipients(db: Queryable, teamId: string, emailId: string): Promise<RecipientRow[]> {
  return db.query<RecipientRow>(
    `select no, kind, address, status, category, smtp_code, enhanced_code, response, mx_host, attempts, due_at, updated_at
     from delivery
     where team_id = $1 and email_id = $2
     order by no`,
    [teamId, emailId],
  )
}

export interface EventRow {
  id: string
  type: string
  data: Record<string, unknown>
  created_at: Date
}

/** The newest events of one email, oldest of them first. */
async function listEmailEvents(db: Queryable, teamId: string, emailId: string): Promise<EventRow[]> {
  const rows = await db.query<EventRow>(
    `select id, type, data, created_at
     from event
     where team_id = $1 and subject_id = $2
     order by id desc
     limit ${EVENTS_MAX}`,
    [teamId, emailId],
  )
  return rows.reverse()
}
const EVENTS_MAX = 1000

export interface WholeEmail {
  email: Email
  detail: EmailDetail | null
  recipients: RecipientRow[]
  events: EventRow[]
}

/** One email with all that belongs to it as of one moment: its status never contradicts its recipients or events. */
export async function findWholeEmail(db: Db, teamId: string, id: string): Promise<WholeEmail | null> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    const email = await findEmail(tx, teamId, id)
    if (email === null) return null
    const detail = await findEmailDetail(tx, teamId, id)
    const recipients = await listRecipients(tx, teamId, id)
    return { email, detail, recipients, events: await listEmailEvents(tx, teamId, id) }
  })
}

export interface AttemptRow {
  no: number
  address: string
  attempt: number
  started_at: Date
  duration_ms: number
  outcome: string
  category: string
  smtp_code: number | null
  enhanced_code: string | null
  response: string | null
  mx_host: string | null
  mx_address: string | null
  tls: string | null
  conversation: string
}

/** Each try at each recipient, in order of time, at most a thousand. */
export async function listAttempts(db: Queryable, teamId: string, emailId: string): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(
    `select a.no, d.address, a.attempt, a.started_at, a.duration_ms, a.outcome, a.category, a.smtp_code, a.enhanced_code,
       a.response, a.mx_host, a.mx_address, a.tls, a.conversation
     from attempt a
     join delivery d on d.team_id = a.team_id and d.email_id = a.email_id and d.no = a.no
     where a.team_id = $1 and a.email_id = $2
     order by a.started_at, a.no
     limit ${EVENTS_MAX}`,
    [teamId, emailId],
  )
}
