import { contentTimeoutMs } from '../../db/content-timeout.ts'
import type { Db, Queryable } from '../../db/db-types.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'
import type { StoredContent } from '../content/content-jobs.ts'
import { inSlices, joinSlices } from '../rows/content-slices-queries.ts'
import type { AttachmentRecord } from '../rows/emails-queries.ts'
import { findPackedRow, type PackedBody } from '../rows/packed-queries.ts'

/** The emails that a caller may read: those of one domain of the team, or of all if it is null. */
export interface EmailScope {
  teamId: string
  domainId: string | null
}

/** An email as shown in lists. */
export interface Email {
  teamId: string
  id: string
  domainId: string
  /** Null after the domain is deleted. */
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
  /** The template that the email was made from, as of its acceptance. */
  template: { id: string; name: string } | null
  isBulk: boolean
  /** The API key that sent it, if any. */
  apiKeyId: string | null
}

/** A row of EMAIL_COLUMNS: an email with its domain. */
export interface EmailRow extends Omit<Email, 'teamId' | 'tags' | 'template'> {
  tags: Email['tags'] | null
  templateId: string | null
  templateName: string | null
}

/** The columns of an email `e` and, with DOMAIN_JOIN, its domain `d`. */
export const EMAIL_COLUMNS = `e.id, e.domain_id, d.name as domain_name, e.message_id, e.sender, e.addressees, e.subject, e.tags,
  e.recipient_count, e.status, e.last_event, e.size as size_bytes, e.scheduled_at, e.sent_at, e.created_at,
  e.template_id, e.template_name, e.bulk as is_bulk, e.api_key_id`

export const DOMAIN_JOIN = `left join domain d on d.team_id = e.team_id and d.id = e.domain_id`

export function toEmail(teamId: string, { tags, templateId, templateName, ...email }: EmailRow): Email {
  return {
    ...email,
    teamId,
    tags: tags ?? [],
    template: templateId === null ? null : { id: templateId, name: templateName ?? '' },
  }
}

export interface EmailDetail {
  headers: [string, string][]
  attachments: AttachmentRecord[]
  /** The message, or where to read it. */
  body: StoredContent | PackedBody
  smtpUtf8: boolean
  /** The list or topic that the one recipient can unsubscribe from, in stored form, or null. */
  unsubscribeScope: string | null
}

export async function findEmail(
  db: Queryable,
  { teamId, domainId }: EmailScope,
  id: string,
): Promise<Email | null> {
  const rows = await db.query<EmailRow>(
    `select ${EMAIL_COLUMNS}
     from email e
     ${DOMAIN_JOIN}
     where e.team_id = $1 and e.id = $2 and ($3::uuid is null or e.domain_id = $3)`,
    [teamId, id, domainId],
  )
  return rows[0] === undefined ? null : toEmail(teamId, rows[0])
}

/** Returns the size of an email's message in bytes, or null if there is none with this id. */
export async function findEmailSize(
  db: Queryable,
  { teamId, domainId }: EmailScope,
  id: string,
): Promise<number | null> {
  const rows = await db.query<{ size: number }>(
    'select size from email where team_id = $1 and id = $2 and ($3::uuid is null or domain_id = $3)',
    [teamId, id, domainId],
  )
  return rows[0]?.size ?? null
}

/**
 * Marks a message about a user's account, whose readers could log in as that user. No valid header field has
 * such a name, and the marker is never sent.
 */
export const WITHHELD: [string, string] = ['(withheld)', '']

interface DetailRow extends Omit<EmailDetail, 'headers' | 'attachments' | 'body'>, StoredContent {
  headers: EmailDetail['headers'] | null
  attachments: EmailDetail['attachments'] | null
}

const DETAIL_COLUMNS = ['headers', 'attachments', 'encoding', 'smtp_utf8', 'unsubscribe_scope']

/**
 * Returns the content of an email, or null if it is no longer stored or is withheld from the team's readers. Does not read
 * a body that is in a pack: this needs no database, and takes longer.
 * @param sizeBytes the size of the message, which determines the time limit
 */
export async function findEmailDetail(
  db: Queryable,
  teamId: string,
  id: string,
  sizeBytes: number,
): Promise<EmailDetail | null> {
  const rows = await db.query<DetailRow>(
    `${inSlices(DETAIL_COLUMNS, 'message', 'email_content')}
     where team_id = $1 and email_id = $2
     order by slice`,
    [teamId, id],
    { timeoutMs: contentTimeoutMs(sizeBytes) },
  )
  const whole = await joinSlices(rows)
  // Contents are moved to packs, and never back. So what is in neither of the two, in this order, is gone.
  const row = whole ?? (await findPackedRow(db, teamId, id))
  if (row === undefined || isWithheld(row.headers)) return null
  const { headers, attachments, smtpUtf8, unsubscribeScope } = row
  const body = 'packId' in row ? row : { encoding: row.encoding, message: row.message }
  return { headers: headers ?? [], attachments: attachments ?? [], body, smtpUtf8, unsubscribeScope }
}

/** Returns whether findEmailDetail would find the content, without reading it. */
async function hasDetail(db: Queryable, teamId: string, id: string): Promise<boolean> {
  const rows = await db.query(
    `select 1
     from email_content
     where team_id = $1 and email_id = $2 and headers -> 0 ->> 0 is distinct from $3
     union all
     select 1
     from packed_content
     where team_id = $1 and email_id = $2 and headers -> 0 ->> 0 is distinct from $3`,
    [teamId, id, WITHHELD[0]],
  )
  return rows.length > 0
}

function isWithheld(headers: [string, string][] | null): boolean {
  return headers?.[0]?.[0] === WITHHELD[0]
}

/** A recipient in the API's terms. */
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

/** Lists the newest events of one email, oldest first, in the order of the feed regardless of clocks. */
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
  /** Null if the content is not to be read, or if findEmailDetail returns null. */
  detail: EmailDetail | null
  hasDetail: boolean
  recipients: RecipientRow[]
  events: EventRow[]
}

/**
 * Returns one email with its details from one snapshot, so that its status never contradicts its recipients or
 * events.
 * @param readsContent returns whether to read the content of the email
 */
export async function findWholeEmail(
  db: Db,
  scope: EmailScope,
  id: string,
  readsContent: (email: Email) => boolean,
): Promise<WholeEmail | null> {
  const { teamId } = scope
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    const email = await findEmail(tx, scope, id)
    if (email === null) return null
    const reads = readsContent(email)
    const detail = reads ? await findEmailDetail(tx, teamId, id, email.sizeBytes) : null
    const recipients = await listRecipients(tx, teamId, id)
    return {
      email,
      detail,
      recipients,
      events: await listEmailEvents(tx, teamId, id),
      hasDetail: reads ? detail !== null : await hasDetail(tx, teamId, id),
    }
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
  transcript: string
}

/** Lists the attempts at each recipient, in order of time, at most a thousand. */
export async function listAttempts(db: Queryable, teamId: string, emailId: string): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(
    `select a.no, d.address, a.attempt, a.started_at, a.duration_ms, a.outcome, a.category, a.smtp_code, a.enhanced_code,
       a.response, a.mx_host, a.mx_address, a.source_address, a.tls, a.conversation as transcript
     from attempt a
     join delivery d on d.team_id = a.team_id and d.email_id = a.email_id and d.no = a.no
     where a.team_id = $1 and a.email_id = $2
     order by a.started_at, a.no
     limit ${EVENTS_MAX}`,
    [teamId, emailId],
  )
}
