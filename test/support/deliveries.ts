import type { Db } from '../../src/db/db-types.ts'
import { insertEmails, type NewEmail } from '../../src/emails/rows/emails-queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { enqueue, type NewDelivery } from '../../src/queue/enqueue-queries.ts'
import type { DeliveryKey } from '../../src/queue/types.ts'

export interface GivenDelivery {
  /** Of the email; a new one if it is absent. */
  id?: string
  domain: string
  status?: 'queued' | 'scheduled'
  dueAt?: Date
  isBulk?: boolean
}

const DAY_MS = 24 * 3_600_000
/** Acceptance writes far fewer at once: its timeout would end a statement of 10,000 emails on a busy machine. */
const BATCH_ROWS = 1000

/** Inserts emails with one recipient each, as acceptance writes them. */
export async function givenDeliveries(
  db: Db,
  teamId: string,
  given: readonly GivenDelivery[],
): Promise<void> {
  const now = new Date()
  const rows = given.map((one) => ({ ...one, id: one.id ?? newId() }))
  await db.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += BATCH_ROWS) {
      const batch = rows.slice(from, from + BATCH_ROWS)
      await insertEmails(
        tx,
        batch.map((row) => emailOf(teamId, row, now)),
      )
      await enqueue(
        tx,
        batch.map((row) => deliveryOf(teamId, row, now)),
        teamId,
        now,
      )
    }
  })
}

function emailOf(
  teamId: string,
  { id, status = 'queued', isBulk = false }: GivenDelivery & { id: string },
  now: Date,
): NewEmail {
  return {
    teamId,
    id,
    domainId: teamId,
    messageId: `${id}@sender.test`,
    originalMessageId: null,
    sender: 'ann@sender.test',
    senderAddress: 'ann@sender.test',
    addressees: { to: [], cc: [], bcc: [], reply_to: [] },
    subject: 'Hello',
    tags: [],
    recipientCount: 1,
    status,
    sizeBytes: 5,
    scheduledAt: null,
    createdAt: now,
    encoding: 'identity',
    message: Buffer.from('x\r\n\r\n'),
    smtpUtf8: false,
    headers: [],
    attachments: [],
    templateId: null,
    templateName: null,
    unsubscribeScope: null,
    isBulk,
    apiKeyId: null,
  }
}

function deliveryOf(teamId: string, row: GivenDelivery & { id: string }, now: Date): NewDelivery {
  return {
    teamId,
    emailId: row.id,
    no: 0,
    kind: 'to',
    address: `bob@${row.domain}`,
    addressKey: `bob@${row.domain}`,
    domain: row.domain,
    isBulk: row.isBulk ?? false,
    status: row.status ?? 'queued',
    dueAt: row.dueAt ?? now,
    expiresAt: new Date(now.getTime() + DAY_MS),
    leasedUntil: null,
  }
}

/** Returns only the key, for comparison. */
export const keysOf = ({ teamId, emailId, no }: DeliveryKey): DeliveryKey => ({ teamId, emailId, no })

/** Returns all rows of the queue, by key. */
export function statesOf(db: Db): Promise<Record<string, unknown>[]> {
  return db.query('select * from delivery order by team_id, email_id, no')
}
