import { arrays } from '../../db/arrays.ts'
import { contentTimeoutMs } from '../../db/content-timeout.ts'
import type { Queryable, Tx } from '../../db/db-types.ts'
import { together } from '../../db/transactions.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'

/** The first row of an email, with its content. */
export interface NewEmail {
  teamId: string
  id: string
  domainId: string
  messageId: string
  /** The Message-ID that the request gave, if the email did not keep it, without angle brackets. */
  originalMessageId: string | null
  sender: string
  senderAddress: string
  addressees: Addressees
  subject: string
  tags: { name: string; value: string }[]
  recipientCount: number
  status: 'queued' | 'scheduled' | 'suppressed'
  sizeBytes: number
  scheduledAt: Date | null
  createdAt: Date
  encoding: 'identity' | 'zstd'
  /** The message's bytes, encoded as `encoding` says. */
  message: Buffer
  smtpUtf8: boolean
  headers: [string, string][]
  attachments: AttachmentRecord[]
  /** The template that the email was made from, as of its acceptance. */
  templateId: string | null
  templateName: string | null
  /** The list or topic that the one recipient can unsubscribe from, in stored form, or null. */
  unsubscribeScope: string | null
  isBulk: boolean
  /** The API key that sent it; null for a user, the command line, or Sendwright itself. */
  apiKeyId: string | null
}

export interface AttachmentRecord {
  filename: string
  content_type: string
  content_id: string | null
  size: number
}

/**
 * Inserts emails, sorted by key, inside the transaction that accepts them. Throws a unique violation
 * (constraints `email_...`) if rows exist: a batch that is repeated after a COMMIT without an answer must not
 * be counted twice.
 */
export async function insertEmails(tx: Tx, emails: readonly NewEmail[]): Promise<void> {
  const bytes = emails.reduce((sum, email) => sum + email.message.length, 0)
  const written = tx.query(
    `with row as (
       select *
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[],
         $9::jsonb[], $10::int2[], $11::text[], $12::int4[], $13::timestamptz[], $14::timestamptz[], $15::text[],
         $16::bytea[], $17::bool[], $18::jsonb[], $19::jsonb[], $20::uuid[], $21::text[], $22::text[], $23::bool[],
         $24::uuid[], $25::text[])
         as row (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, tags, recipient_count,
           status, size, scheduled_at, created_at, encoding, message, smtp_utf8, headers, attachments,
           template_id, template_name, unsubscribe_scope, bulk, api_key_id, original_message_id)
     ),
     email_row as (
       insert into email (team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, tags,
         recipient_count, status, last_event, size, scheduled_at, created_at, template_id, template_name, bulk,
         api_key_id, original_message_id)
       select team_id, id, domain_id, message_id, sender, sender_address, addressees, subject, tags,
         recipient_count, status, status, size, scheduled_at, created_at, template_id, template_name, bulk, api_key_id,
         original_message_id
       from row
     )
     insert into email_content (team_id, email_id, encoding, message, smtp_utf8, headers, attachments, unsubscribe_scope)
     select team_id, id, encoding, message, smtp_utf8, headers, attachments, unsubscribe_scope
     from row`,
    [
      arrays.uuid(emails.map((email) => email.teamId)),
      arrays.uuid(emails.map((email) => email.id)),
      arrays.uuid(emails.map((email) => email.domainId)),
      arrays.text(emails.map((email) => email.messageId)),
      arrays.text(emails.map((email) => email.sender)),
      arrays.text(emails.map((email) => email.senderAddress)),
      arrays.jsonb(emails.map((email) => JSON.stringify(email.addressees))),
      arrays.text(emails.map((email) => email.subject)),
      arrays.jsonb(emails.map((email) => jsonOrNull(email.tags))),
      arrays.int2(emails.map((email) => email.recipientCount)),
      arrays.text(emails.map((email) => email.status)),
      arrays.int4(emails.map((email) => email.sizeBytes)),
      arrays.timestamptz(emails.map((email) => email.scheduledAt)),
      arrays.timestamptz(emails.map((email) => email.createdAt)),
      arrays.text(emails.map((email) => email.encoding)),
      arrays.bytea(emails.map((email) => email.message)),
      arrays.bool(emails.map((email) => email.smtpUtf8)),
      arrays.jsonb(emails.map((email) => jsonOrNull(email.headers))),
      arrays.jsonb(emails.map((email) => jsonOrNull(email.attachments))),
      arrays.uuid(emails.map((email) => email.templateId)),
      arrays.text(emails.map((email) => email.templateName)),
      arrays.text(emails.map((email) => email.unsubscribeScope)),
      arrays.bool(emails.map((email) => email.isBulk)),
      arrays.uuid(emails.map((email) => email.apiKeyId)),
      arrays.text(emails.map((email) => email.originalMessageId)),
    ],
    { timeoutMs: contentTimeoutMs(bytes) },
  )
  await together([written, insertTags(tx, emails)])
}

function jsonOrNull(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}

async function insertTags(tx: Tx, emails: readonly NewEmail[]): Promise<void> {
  const tags = emails.flatMap((email) =>
    email.tags.map((tag) => ({ ...tag, teamId: email.teamId, id: email.id })),
  )
  if (tags.length === 0) return
  await tx.query(
    `insert into email_tag (team_id, name, value, email_id)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
     on conflict do nothing`,
    [
      arrays.uuid(tags.map((tag) => tag.teamId)),
      arrays.text(tags.map((tag) => tag.name)),
      arrays.text(tags.map((tag) => tag.value)),
      arrays.uuid(tags.map((tag) => tag.id)),
    ],
  )
}

/** Returns which of these ids were committed, after a COMMIT without an answer. */
export async function findExistingEmails(
  db: Queryable,
  keys: readonly { teamId: string; id: string }[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select e.id
     from unnest($1::uuid[], $2::uuid[]) as k (team_id, id)
     join email e on e.team_id = k.team_id and e.id = k.id`,
    [arrays.uuid(keys.map((key) => key.teamId)), arrays.uuid(keys.map((key) => key.id))],
  )
  return new Set(rows.map((row) => row.id))
}
