import type { Tx } from '../../db/db-types.ts'
import { notify } from '../../db/listen.ts'
import { together } from '../../db/transactions.ts'
import { type NewEvent, recordEvents } from '../../events/record-queries.ts'
import { enqueue, type NewDelivery } from '../../queue/enqueue-queries.ts'
import { LEASE_MS } from '../../queue/lease-queries.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { addUsage } from '../../teams/usage-queries.ts'
import { scopeText, UNSUBSCRIBED } from '../request/unsubscribe-scope.ts'
import { insertEmails, type NewEmail } from '../rows/emails-queries.ts'
import { countBillable, type Facts, isSuppressed, isUnsubscribed } from './accept-facts-queries.ts'
import type { BatchDeps, Submission } from './accept-types.ts'
import { replacedId } from './message-ids.ts'
import type { ValidSubmission } from './validate-request.ts'

/** A recipient as it is inserted, and as it is delivered from memory if there is room. */
type RecipientRow = NewDelivery & DueDelivery

/** Signing a larger message takes longer than its commit. */
const PREPARED_BYTES_MAX = 256 * 1024

type FirstStatus = 'suppressed' | 'queued' | 'scheduled'

/**
 * Writes the rows of accepted submissions: emails, deliveries, first events, usage. Returns whether a recipient was left for
 * any worker to claim.
 * @param reserved receives the recipients that this process will deliver from memory after the commit
 */
export async function writeAccepted(
  tx: Tx,
  deps: BatchDeps,
  facts: Facts,
  accepted: readonly ValidSubmission[],
  reserved: DueDelivery[],
  now: Date,
): Promise<boolean> {
  const emails: NewEmail[] = []
  const deliveries: NewDelivery[] = []
  const events: NewEvent[] = []
  const used = new Map<string, { teamId: string; recipients: number; emails: number }>()
  for (const one of accepted) {
    const { item, teamId } = one
    const rows = item.recipients.map((recipient, no) => newDelivery(deps, one, facts, recipient, no, now))
    const status: FirstStatus = rows.every((row) => row.status === 'suppressed')
      ? 'suppressed'
      : item.scheduledAt === null
        ? 'queued'
        : 'scheduled'
    emails.push(newEmail(one, status, rows.length))
    events.push(...firstEvents(one, status, rows, facts))
    for (const row of rows) handOver(deps, row, reserved, now)
    deliveries.push(...rows)
    const sum = used.get(teamId) ?? { teamId, recipients: 0, emails: 0 }
    used.set(teamId, {
      teamId,
      recipients: sum.recipients + countBillable(item, teamId, facts),
      emails: sum.emails + 1,
    })
  }
  const leftToClaim = deliveries.some((row) => row.status === 'queued' && row.leasedUntil === null)
  recordEvents(tx, events, now)
  // Sent together and run in this order. Usage comes last because its rows stay locked until the commit.
  const written = together([
    insertEmails(tx, emails),
    enqueue(tx, deliveries, deps.nodeId, now),
    // One notification per batch for workers in other processes. The slow poll is the safety net.
    leftToClaim ? notify(tx, 'sendwright_due') : Promise.resolve(),
    addUsage(
      tx,
      [...used.values()].sort((a, b) => (a.teamId < b.teamId ? -1 : 1)),
      now,
    ),
  ])
  prepareLone(deps, reserved)
  await written
  return leftToClaim
}

/** Prepares the delivery of a lone email while this process waits for its commit. */
function prepareLone({ handOff }: BatchDeps, [lone, ...others]: readonly DueDelivery[]): void {
  if (handOff === null || lone === undefined || others.length > 0) return
  if (lone.isBulk || lone.sizeBytes > PREPARED_BYTES_MAX) return
  // Not before the statements are on their way, at the end of this turn.
  setImmediate(() => handOff.prepare(lone))
}

function newEmail(
  { item, teamId, domainId, keyId }: ValidSubmission,
  status: NewEmail['status'],
  recipientCount: number,
): NewEmail {
  const { from } = item
  return {
    teamId,
    id: item.emailId,
    domainId,
    messageId: item.messageId,
    originalMessageId: replacedId(item.headers),
    sender: from.name === '' ? from.address : `${from.name} <${from.address}>`,
    senderAddress: from.address.toLowerCase(),
    addressees: item.addressees,
    subject: item.subject,
    tags: item.tags,
    recipientCount,
    status,
    sizeBytes: item.message.bytes.length,
    scheduledAt: item.scheduledAt,
    createdAt: item.createdAt,
    encoding: item.stored.encoding,
    message: item.stored.bytes,
    smtpUtf8: item.message.smtpUtf8,
    headers: item.headers,
    attachments: item.attachments,
    templateId: item.template?.id ?? null,
    templateName: item.template?.name ?? null,
    unsubscribeScope: item.unsubscribe === null ? null : scopeText(item.unsubscribe),
    isBulk: item.isBulk,
    apiKeyId: keyId,
  }
}

function newDelivery(
  deps: BatchDeps,
  { item, teamId, domainId }: ValidSubmission,
  facts: Facts,
  recipient: Submission['recipients'][number],
  no: number,
  now: Date,
): RecipientRow {
  const { scheduledAt } = item
  const suppressed = isSuppressed(item, teamId, recipient.key, facts)
  const dueAt = scheduledAt ?? now
  return {
    teamId,
    emailId: item.emailId,
    no,
    kind: recipient.kind,
    address: recipient.mailbox.address,
    addressKey: recipient.key,
    domain: recipient.mailbox.domain,
    isBulk: item.isBulk,
    status: suppressed ? 'suppressed' : scheduledAt === null ? 'queued' : 'scheduled',
    dueAt: suppressed ? null : dueAt,
    expiresAt: new Date(dueAt.getTime() + deps.messageLifetimeMs),
    leasedUntil: null,
    domainId,
    attempts: 0,
    createdAt: item.createdAt,
    recipientCount: item.recipients.length,
    sizeBytes: item.message.bytes.length,
    leasedUntilMs: 0,
    checkedAtMs: now.getTime(),
    message: item.message,
    tags: item.tags,
  }
}

/** Marks a recipient as leased to this process if there is room to deliver it from memory. */
function handOver(deps: BatchDeps, row: RecipientRow, reserved: DueDelivery[], now: Date): void {
  if (row.status !== 'queued' || deps.handOff === null) return
  if (!deps.handOff.reserve(row.teamId, row.domain, row.sizeBytes, row.isBulk)) return
  row.leasedUntil = new Date(now.getTime() + LEASE_MS)
  row.leasedUntilMs = row.leasedUntil.getTime()
  reserved.push(row)
}

function firstEvents(
  { item, teamId }: ValidSubmission,
  status: FirstStatus,
  rows: readonly NewDelivery[],
  facts: Facts,
): NewEvent[] {
  const events: NewEvent[] = []
  if (status !== 'suppressed')
    events.push({ teamId, subjectId: item.emailId, type: `email.${status}`, data: {} })
  for (const row of rows) {
    if (row.status !== 'suppressed') continue
    events.push({
      teamId,
      subjectId: item.emailId,
      type: 'email.suppressed',
      data: {
        recipient: row.address,
        ...(isUnsubscribed(item, teamId, row.addressKey, facts) ? UNSUBSCRIBED : {}),
      },
    })
  }
  return events
}
