import { contentTimeoutMs } from '../../db/content-timeout.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'
import { inSlices, joinSlices } from '../content/content-slices-queries.ts'
import type { AttachmentRecord } from '../emails-queries.ts'

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

/** An email with its domain, as EMAIL_COLUMNS name it. */
export interface EmailRow {
  id: string
  domainId: string
  domainName: string | null
  messageId: string
  sender: string
  addressees: Addressees
  subject: string
  tags: { name: string; value: string }[] | null
  recipientCount: number
  status: string
  lastEvent: string
  size: number
  scheduledAt: Date | null
  sentAt: Date | null
  createdAt: Date
  templateId: string | null
  templateName: string | null
}

/** Of an email `e` and, by DOMAIN_JOIN, its domain `d`. */
export const EMAIL_COLUMNS = `e.id, e.domain_id, d.name as domain_name, e.message_id, e.sender, e.addressees, e.subject, e.tags,
  e.recipient_count, e.status, e.last_event, e.size, e.scheduled_at, e.sent_at, e.created_at,
  e.template_id, e.template_name`

export const DOMAIN_JOIN = `left join domain d on d.team_id = e.team_id and d.id = e.domain_id`

export function toEmail(teamId: string, row: EmailRow): Email {
  return {
    teamId,
    id: row.id,
    domainId: row.domainId,
    domainName: row.domainName,
    messageId: row.messageId,
    sender: row.sender,
    addressees: row.addressees,
    subject: row.subject,
    tags: row.tags ?? [],
    recipientCount: row.recipientCount,
    status: row.status,
    lastEvent: row.lastEvent,
    sizeBytes: row.size,
    scheduledAt: row.scheduledAt,
    sentAt: row.sentAt,
    createdAt: row.createdAt,
    template: row.templateId === null ? null : { id: row.templateId, name: row.templateName ?? '' },
  }
}

export interface EmailDetail {
  headers: [string, string][]
  attachments: AttachmentRecord[]
  encoding: 'identity' | 'zstd'
  message: Buffer
  smtpUtf8: boolean
  /** What its recipient can unsubscribe from; null: nothing. */
  unsubscribeScope: string | null
}

export async function findEmail(db: Queryable, teamId: string, id: string): Promise<Email | null> {
  const rows = await db.query<EmailRow>(
    `select ${EMAIL_COLUMNS}
     from email e
     ${DOMAIN_JOIN}
     where e.team_id = $1 and e.id = $2`,
    [teamId, id],
  )
  return rows[0] === undefined ? null : toEmail(teamId, rows[0])
}

/** How large an email's message is, bytes; null when there is none with this id. */
export async function findEmailSize(db: Queryable, teamId: string, id: string): Promise<number | null> {
  const rows = await db.query<{ size: number }>('select size from email where team_id = $1 and id = $2', [
    teamId,
    id,
  ])
  return rows[0]?.size ?? null
}

/**
 * Kept with a message about somebody's account: who reads it could log in as them. No header of anybody's has such a name,
 * and nothing of it is sent.
 */
export const WITHHELD: [string, string] = ['(withheld)', '']

const DETAIL_COLUMNS = ['headers', 'attachments', 'encoding', 'smtp_utf8', 'unsubscribe_scope']

/**
 * What an email says; null: it is not kept any more, or is not for those who read the team's emails.
 * @param sizeBytes of the email's message, which tells how long it may take
 */
export async function findEmailDetail(
  db: Queryable,
  teamId: string,
  id: string,
  sizeBytes: number,
): Promise<EmailDetail | null> {
  const rows = await db.query<{
    headers: [string, string][] | null
    attachments: AttachmentRecord[] | null
    encoding: 'identity' | 'zstd'
    message: Buffer
    smtpUtf8: boolean
    unsubscribeScope: string | null
  }>(
    `${inSlices(DETAIL_COLUMNS, 'message', 'email_content')}
     where team_id = $1 and email_id = $2
     order by slice`,
    [teamId, id],
    { timeoutMs: contentTimeoutMs(sizeBytes) },
  )
  const row = joinSlices(rows)
  if (row === undefined || isWithheld(row.headers)) return null
  return {
    headers: row.headers ?? [],
    attachments: row.attachments ?? [],
    encoding: row.encoding,
    message: row.message,
    smtpUtf8: row.smtpUtf8,
    unsubscribeScope: row.unsubscribeScope,
  }
}

function isWithheld(headers: [string, string][] | null): boolean {
  return headers?.[0]?.[0] === WITHHELD[0]
}

/** One recipient as the API shows it. */
export interface RecipientRow {
  no: number
  kind: 'to' | 'cc' | 'bcc'
  address: string
  status: string
  category: string | null
  smtpCode: number | null
  enhancedCode: string | null
  response: string | null
  mxHost: string | null
  attempts: number
  dueAt: Date | null
  updatedAt: Date
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
  createdAt: Date
  position: number
}

/** The newest events of one email, oldest of them first: in the order of the feed, whatever clocks they were written by. */
async function listEmailEvents(db: Queryable, teamId: string, emailId: string): Promise<EventRow[]> {
  const rows = await db.query<EventRow>(
    `select id, type, data, created_at, position
     from event
     where team_id = $1 and subject_id = $2
     order by id desc
     limit ${EVENTS_MAX}`,
    [teamId, emailId],
  )
  return rows.sort((a, b) => a.position - b.position)
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
    const detail = await findEmailDetail(tx, teamId, id, email.sizeBytes)
    const recipients = await listRecipients(tx, teamId, id)
    return { email, detail, recipients, events: await listEmailEvents(tx, teamId, id) }
  })
}

export interface AttemptRow {
  no: number
  address: string
  attempt: number
  startedAt: Date
  durationMs: number
  outcome: string
  category: string
  smtpCode: number | null
  enhancedCode: string | null
  response: string | null
  mxHost: string | null
  mxAddress: string | null
  sourceAddress: string | null
  tls: string | null
  conversation: string
}

/** Each try at each recipient, in order of time, at most a thousand. */
export async function listAttempts(db: Queryable, teamId: string, emailId: string): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(
    `select a.no, d.address, a.attempt, a.started_at, a.duration_ms, a.outcome, a.category, a.smtp_code, a.enhanced_code,
       a.response, a.mx_host, a.mx_address, a.source_address, a.tls, a.conversation
     from attempt a
     join delivery d on d.team_id = a.team_id and d.email_id = a.email_id and d.no = a.no
     where a.team_id = $1 and a.email_id = $2
     order by a.started_at, a.no
     limit ${EVENTS_MAX}`,
    [teamId, emailId],
  )
}
