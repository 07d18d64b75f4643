import type { Dsn, DsnRecipient } from '../classification/dsn.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { deriveEmailStates } from '../emails/email-states-queries.ts'
import {
  lockReportedDelivery,
  markComplained,
  markDelayReported,
  type ReportedDelivery,
  type ReportedKey,
  saveReportedOutcome,
} from '../emails/reported-deliveries-queries.ts'
import { type NewEvent, recordEvents } from '../events/record-queries.ts'
import { suppressionKey } from '../mime/address.ts'
import { suppressBounced } from '../suppressions/suppress-bounced.ts'
import { suppressKeys } from '../suppressions/suppressions.ts'

/** The effect of a DSN: an event's name without `email.`, or why it changed nothing. */
export type DsnEffect =
  | 'bounced'
  | 'failed'
  | 'rejected'
  | 'delivered'
  | 'delivery_delayed'
  | 'complained'
  /** It does not concern delivery: vacation responders, people, feedback that is not a complaint. */
  | 'nothing_said'
  /** Already known, or decided otherwise before. */
  | 'nothing_new'
  /** Its email is no longer stored. */
  | 'gone'

/** These were sent, or may have been: a DSN about any other recipient was not caused by us. */
const OPEN = new Set(['queued', 'delivery_delayed'])
const TAKEN = new Set(['sent', 'delivered'])
/** Feedback that is not a complaint: a message that was not spam; a report of failed DKIM or SPF (RFC 6591). */
const NO_COMPLAINT = new Set(['not-spam', 'auth-failure'])

/**
 * Applies a DSN to one recipient of one email, whom a genuine return path identifies: state, event and suppression in
 * one transaction. It is idempotent across repetitions and processes.
 */
export async function applyDsn(db: Db, key: ReportedKey, dsn: Dsn, now: Date): Promise<DsnEffect> {
  if (dsn.kind === 'complaint') return applyComplaint(db, key, dsn, now)
  if (dsn.kind !== 'delivery_status') return 'nothing_said'
  return runAgainOnDeadlock(db, async (tx) => {
    const delivery = await lockReportedDelivery(tx, key)
    if (delivery === null) return 'gone'
    const told = pickRecipient(dsn.recipients, delivery)
    if (told === null) return 'nothing_said'
    if (told.action === 'failed') return applyFailure(tx, key, delivery, told, now)
    if (told.action === 'delayed') return applyDelay(tx, key, delivery, told, now)
    if (told.action === 'delivered') return applyDelivery(tx, key, delivery, told, now)
    return 'nothing_said'
  })
}

/** Applies a complaint: an event, and the address is suppressed. Feedback of other kinds changes nothing. */
export async function applyComplaint(
  db: Db,
  key: ReportedKey,
  { feedback }: Extract<Dsn, { kind: 'complaint' }>,
  now: Date,
): Promise<DsnEffect> {
  if (NO_COMPLAINT.has(feedback.toLowerCase())) return 'nothing_said'
  return runAgainOnDeadlock(db, async (tx) => {
    const delivery = await lockReportedDelivery(tx, key)
    if (delivery === null) return 'gone'
    if (delivery.complainedAt !== null || !wasSent(delivery)) return 'nothing_new'
    await markComplained(tx, key, now)
    await emitEvent(tx, key, 'complained', { recipient: delivery.address, feedback, source: 'notice' }, now)
    const { teamId, emailId: sourceEmailId } = key
    await suppressKeys(tx, [{ teamId, email: delivery.addressKey, reason: 'complaint', sourceEmailId }], now)
    return 'complained'
  })
}

/** Returns whether a message was sent to the recipient, as far as is known. */
function wasSent({ status }: ReportedDelivery): boolean {
  return status !== 'scheduled' && status !== 'canceled' && status !== 'suppressed'
}

/**
 * Picks the recipient that the DSN is about. A return path belongs to one recipient, so whatever the DSN names concerns
 * it: the address itself, a variant of it, or one that it is forwarded to. Of several, the address itself counts;
 * otherwise one that got the message.
 */
function pickRecipient(
  recipients: readonly DsnRecipient[],
  { addressKey }: ReportedDelivery,
): DsnRecipient | null {
  const own = recipients.find(({ address }) => address !== null && suppressionKey(address) === addressKey)
  const find = (test: (recipient: DsnRecipient) => boolean) => recipients.find(test)
  return (
    own ??
    find(({ verdict }) => verdict === null) ??
    find(({ action }) => action === 'failed') ??
    recipients[0] ??
    null
  )
}

async function applyFailure(
  tx: Tx,
  key: ReportedKey,
  delivery: ReportedDelivery,
  told: DsnRecipient,
  now: Date,
): Promise<DsnEffect> {
  const { verdict } = told
  if (verdict === null || !(OPEN.has(delivery.status) || TAKEN.has(delivery.status))) return 'nothing_new'
  const status = endingOf(verdict.state)
  const { smtpCode, enhancedCode, response, mxHost } = told
  const { category, suppress } = verdict
  await saveReportedOutcome(tx, key, { status, category, smtpCode, enhancedCode, response, mxHost }, now)
  await emitEvent(tx, key, status, dataOf(delivery, told), now)
  const { teamId, emailId } = key
  await suppressBounced(
    tx,
    [{ teamId, emailId, addressKey: delivery.addressKey, status, category, suppress }],
    now,
  )
  return status
}

/** A failure in a DSN is final whatever the verdict: no server retries any more. */
function endingOf(state: string): 'bounced' | 'failed' | 'rejected' {
  return state === 'bounced' || state === 'rejected' ? state : 'failed'
}

/**
 * Records that another server has the message and keeps retrying. Reported once for each email and recipient; the
 * status stays.
 */
async function applyDelay(
  tx: Tx,
  key: ReportedKey,
  delivery: ReportedDelivery,
  told: DsnRecipient,
  now: Date,
): Promise<DsnEffect> {
  const isOpen = OPEN.has(delivery.status) || TAKEN.has(delivery.status)
  if (!isOpen || delivery.delayNoticedAt !== null) return 'nothing_new'
  await markDelayReported(tx, key, now)
  await emitEvent(tx, key, 'delivery_delayed', dataOf(delivery, told), now)
  return 'delivery_delayed'
}

/** Records a delivery behind a relay: the recipient's server has the message. */
async function applyDelivery(
  tx: Tx,
  key: ReportedKey,
  delivery: ReportedDelivery,
  told: DsnRecipient,
  now: Date,
): Promise<DsnEffect> {
  if (delivery.status !== 'sent') return 'nothing_new'
  const { smtpCode, enhancedCode, response, mxHost } = told
  const outcome = { status: 'delivered' as const, category: 'accepted' }
  await saveReportedOutcome(tx, key, { ...outcome, smtpCode, enhancedCode, response, mxHost }, now)
  await emitEvent(tx, key, 'delivered', dataOf(delivery, told), now)
  return 'delivered'
}

function dataOf({ address, addressKey }: ReportedDelivery, told: DsnRecipient): Record<string, unknown> {
  const data: Record<string, unknown> = { recipient: address, source: 'notice' }
  if (told.address !== null && suppressionKey(told.address) !== addressKey) {
    data.notice_recipient = told.address
  }
  if (told.response !== null) data.response = told.response
  if (told.smtpCode !== null) data.smtp_code = told.smtpCode
  if (told.enhancedCode !== null) data.enhanced_code = told.enhancedCode
  if (told.mxHost !== null) data.mx_host = told.mxHost
  if (told.verdict !== null)
    Object.assign(data, { category: told.verdict.category, advice: told.verdict.advice })
  // PostgreSQL rejects JSON with a lone surrogate.
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'string') data[name] = value.toWellFormed()
  }
  return data
}

type ReportedEvent = Exclude<DsnEffect, 'nothing_said' | 'nothing_new' | 'gone'>

/** Records the event, and updates the email's state from its recipients. */
async function emitEvent(
  tx: Tx,
  key: ReportedKey,
  name: ReportedEvent,
  data: NewEvent['data'],
  now: Date,
): Promise<void> {
  const { teamId, emailId } = key
  await deriveEmailStates(tx, [{ teamId, emailId, lastEvent: name, sentAt: null }])
  recordEvents(tx, [{ teamId, subjectId: emailId, type: `email.${name}`, data }], now)
}
