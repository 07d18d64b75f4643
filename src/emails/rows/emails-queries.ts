import { batchOf } from '../../db/batch.ts'
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

const EMAILS = batchOf(
  `team_id uuid, id uuid, domain_id uuid, message_id text, sender text, sender_address text, addressees jsonb,
   subject text, tags jsonb, recipient_count int2, status text, size int4, scheduled_at timestamptz,
   created_at timestamptz, template_id uuid, template_name text, bulk bool, api_key_id uuid, original_message_id text`,
  {
    tags: (email: NewEmail) => listOrNull(email.tags),
    size: (email: NewEmail) => email.sizeBytes,
    bulk: (email: NewEmail) => email.isBulk,
  },
)

const INSERT_EMAILS = `insert into email (${EMAILS.names}, last_event)
  select row.*, status
  from unnest(${EMAILS.arrays}) as row (${EMAILS.names})`

const CONTENTS = batchOf(
  `team_id uuid, email_id uuid, encoding text, message bytea, smtp_utf8 bool, headers jsonb, attachments jsonb,
   unsubscribe_scope text`,
  {
    email_id: (email: NewEmail) => email.id,
    headers: (email: NewEmail) => listOrNull(email.headers),
    attachments: (email: NewEmail) => listOrNull(email.attachments),
  },
)

const INSERT_CONTENTS = `insert into email_content (${CONTENTS.names})
  select *
  from unnest(${CONTENTS.arrays})`

/**
 * Inserts emails, sorted by key, inside the transaction that accepts them. Throws a unique violation
 * (constraints `email_...`) if rows exist: a batch that is repeated after a COMMIT without an answer must not
 * be counted twice.
 */
export async function insertEmails(tx: Tx, emails: readonly NewEmail[]): Promise<void> {
  const bytes = emails.reduce((sum, email) => sum + email.message.length, 0)
  await together([
    tx.query(INSERT_EMAILS, EMAILS.values(emails)),
    tx.query(INSERT_CONTENTS, CONTENTS.values(emails), { timeoutMs: contentTimeoutMs(bytes) }),
    insertTags(tx, emails),
  ])
}

function listOrNull(list: readonly unknown[]): readonly unknown[] | null {
  return list.length === 0 ? null : list
}

const TAGS = batchOf('team_id uuid, name text, value text, email_id uuid')

const INSERT_TAGS = `insert into email_tag (${TAGS.names})
  select * from unnest(${TAGS.arrays})
  on conflict do nothing`

async function insertTags(tx: Tx, emails: readonly NewEmail[]): Promise<void> {
  const tags = emails.flatMap((email) =>
    email.tags.map((tag) => ({ ...tag, teamId: email.teamId, emailId: email.id })),
  )
  if (tags.length > 0) await tx.query(INSERT_TAGS, TAGS.values(tags))
}

const KEYS = batchOf('team_id uuid, id uuid')

/** Returns which of these ids were committed, after a COMMIT without an answer. */
export async function findExistingEmails(
  db: Queryable,
  keys: readonly { teamId: string; id: string }[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select e.id
     from unnest(${KEYS.arrays}) as k (${KEYS.names})
     join email e on e.team_id = k.team_id and e.id = k.id`,
    KEYS.values(keys),
  )
  return new Set(rows.map((row) => row.id))
}
