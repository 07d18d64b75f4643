import type { Db } from '../../src/db/db-types.ts'
import { insertEmails, type NewEmail } from '../../src/emails/rows/emails-queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { enqueue, type NewDelivery } from '../../src/queue/enqueue-queries.ts'
import { byKey } from '../../src/queue/lease-queries.ts'
import { makeDraft } from '../support/message.ts'
import type { SendingTeam } from './world.ts'

/** Emails per transaction. */
const BATCH = 2000
const LIFETIME_MS = 72 * 3_600_000

/** A waiting email with one recipient. */
export interface WaitingEmail {
  team: SendingTeam
  recipient: string
  isBulk?: boolean
}

/** Writes emails that are due, or scheduled, with the statements that acceptance uses. */
export async function fillBacklog(
  db: Db,
  count: number,
  emailAt: (number: number) => WaitingEmail,
  scheduledAt: Date | null = null,
): Promise<void> {
  const body = makeDraft(1).text
  for (let from = 0; from < count; from += BATCH) {
    const now = new Date()
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => {
      const email = emailAt(from + index)
      return { ...email, teamId: email.team.teamId, emailId: newId(), no: 0 }
    }).sort(byKey)
    await db.transaction(async (tx) => {
      await insertEmails(
        tx,
        rows.map((row) => emailOf(row, body, now, scheduledAt)),
      )
      await enqueue(
        tx,
        rows.map((row) => deliveryOf(row, now, scheduledAt)),
        newId(),
        now,
      )
    })
  }
}

type Row = WaitingEmail & { teamId: string; emailId: string }

function emailOf(
  { team, teamId, emailId, recipient, isBulk = false }: Row,
  body: string,
  now: Date,
  scheduledAt: Date | null,
): NewEmail {
  const messageId = `${emailId}@${team.from.slice(team.from.indexOf('@') + 1).replace('>', '')}`
  const head = [`From: ${team.from}`, `To: ${recipient}`, 'Subject: Order', `Message-ID: <${messageId}>`]
  const message = Buffer.from(
    `${[...head, `Date: ${now.toUTCString()}`, 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'].join('\r\n')}\r\n\r\n${toAscii(body)}`,
  )
  return {
    teamId,
    id: emailId,
    domainId: team.domainId,
    messageId: `<${messageId}>`,
    originalMessageId: null,
    sender: team.from,
    senderAddress: team.from,
    addressees: { to: [recipient], cc: [], bcc: [], reply_to: [] },
    subject: 'Order',
    tags: [],
    recipientCount: 1,
    status: scheduledAt === null ? 'queued' : 'scheduled',
    sizeBytes: message.length,
    scheduledAt,
    createdAt: now,
    encoding: 'identity',
    message,
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

function toAscii(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[^ -~]/g, '?').slice(0, 70))
    .join('\r\n')
}

function deliveryOf(row: Row, now: Date, scheduledAt: Date | null): NewDelivery {
  return {
    teamId: row.teamId,
    emailId: row.emailId,
    no: 0,
    kind: 'to',
    address: row.recipient,
    addressKey: row.recipient,
    domain: row.recipient.slice(row.recipient.indexOf('@') + 1),
    isBulk: row.isBulk ?? false,
    status: scheduledAt === null ? 'queued' : 'scheduled',
    dueAt: scheduledAt ?? now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    leasedUntil: null,
  }
}
