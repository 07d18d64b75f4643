import { adviseVerdict } from '../classification/advise.ts'
import type { Dsn, DsnRecipient } from '../classification/dsn.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { runAgainOnDeadlock } from '../db/transactions.ts'
import { deriveEmailStates } from '../emails/rows/email-states-queries.ts'
import {
  lockReportedDelivery,
  markComplained,
  markDelayReported,
  type ReportedDelivery,
  type ReportedKey,
  saveReportedOutcome,
} from '../emails/rows/reported-deliveries-queries.ts'
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
  /** It does not concern delivery: a vacation reply, a person's reply, or feedback that is not a complaint. */
  | 'not_applicable'
  /** Already known, or the delivery has another final status. */
  | 'nothing_new'
  /** The email is no longer stored. */
  | 'gone'

/** The message was sent, or may have been. A DSN about a recipient with any other status is not about our delivery. */
const OPEN = new Set(['queued', 'delivery_delayed'])
const TAKEN = new Set(['sent', 'delivered'])
/**
 * Feedback that is not a complaint of its recipient: a message that was not spam (RFC 6430); a report of failed DKIM or SPF
 * (RFC 6591); a scanner that found a virus (RFC 5965 section 7.3). A type that no RFC defines counts as a complaint.
 */
const NO_COMPLAINT = new Set(['not-spam', 'auth-failure', 'virus'])

/**
 * Applies a DSN to the recipient that a genuine return path identifies: state, event and suppression in one
 * transaction. Idempotent across repetitions and processes.
 */
export async function applyDsn(db: Db, key: ReportedKey, dsn: Dsn, now: Date): Promise<DsnEffect> {
  if (dsn.kind === 'complaint') return applyComplaint(db, key, dsn, now)
  if (dsn.kind !== 'delivery_status') return 'not_applicable'
  return runAgainOnDeadlock(db, async (tx) => {
    const delivery = await lockReportedDelivery(tx, key)
    if (delivery === null) return 'gone'
    const reported = pickRecipient(dsn.recipients, delivery)
    if (reported === null) return 'not_applicable'
    if (reported.action === 'failed') return applyFailure(tx, key, delivery, reported, now)
    if (reported.action === 'delayed') return applyDelay(tx, key, delivery, reported, now)
    if (reported.action === 'delivered') return applyDelivery(tx, key, delivery, reported, now)
    return 'not_applicable'
  })
}

/** Applies a complaint: records an event and suppresses the address. Feedback of other kinds changes nothing. */
async function applyComplaint(
  db: Db,
  key: ReportedKey,
  { feedback }: Extract<Dsn, { kind: 'complaint' }>,
  now: Date,
): Promise<DsnEffect> {
  if (NO_COMPLAINT.has(feedback.toLowerCase())) return 'not_applicable'
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

/** Returns whether the message was sent to the recipient, as far as is known. */
function wasSent({ status }: ReportedDelivery): boolean {
  return status !== 'scheduled' && status !== 'canceled' && status !== 'suppressed'
}

/**
 * Picks the recipient that the DSN is about. A return path belongs to one recipient, so any address in the DSN
 * concerns it: the address itself, a variant, or a forwarding target. Prefers the address itself, then one without a
 * failure.
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
  reported: DsnRecipient,
  now: Date,
): Promise<DsnEffect> {
  const { verdict } = reported
  if (verdict === null || !(OPEN.has(delivery.status) || TAKEN.has(delivery.status))) return 'nothing_new'
  const status = finalStatusOf(verdict.state)
  const { smtpCode, enhancedCode, response, mxHost } = reported
  const { category, suppress } = verdict
  await saveReportedOutcome(tx, key, { status, category, smtpCode, enhancedCode, response, mxHost }, now)
  await emitEvent(tx, key, status, dataOf(delivery, reported), now)
  const { teamId, emailId } = key
  await suppressBounced(
    tx,
    [{ teamId, emailId, addressKey: delivery.addressKey, status, category, suppress }],
    now,
  )
  return status
}

/** Returns the final status of a failure in a DSN, which is final regardless of the verdict: no server retries. */
function finalStatusOf(state: string): 'bounced' | 'failed' | 'rejected' {
  return state === 'bounced' || state === 'rejected' ? state : 'failed'
}

/**
 * Records that another server has the message and keeps retrying. Reported once per email and recipient; the status
 * stays unchanged.
 */
async function applyDelay(
  tx: Tx,
  key: ReportedKey,
  delivery: ReportedDelivery,
  reported: DsnRecipient,
  now: Date,
): Promise<DsnEffect> {
  const isOpen = OPEN.has(delivery.status) || TAKEN.has(delivery.status)
  if (!isOpen || delivery.delayNoticedAt !== null) return 'nothing_new'
  await markDelayReported(tx, key, now)
  await emitEvent(tx, key, 'delivery_delayed', dataOf(delivery, reported), now)
  return 'delivery_delayed'
}

/** Records a delivery behind a relay: the recipient's server has the message. */
async function applyDelivery(
  tx: Tx,
  key: ReportedKey,
  delivery: ReportedDelivery,
  reported: DsnRecipient,
  now: Date,
): Promise<DsnEffect> {
  if (delivery.status !== 'sent') return 'nothing_new'
  const { smtpCode, enhancedCode, response, mxHost } = reported
  const outcome = { status: 'delivered' as const, category: 'accepted' }
  await saveReportedOutcome(tx, key, { ...outcome, smtpCode, enhancedCode, response, mxHost }, now)
  await emitEvent(tx, key, 'delivered', dataOf(delivery, reported), now)
  return 'delivered'
}

function dataOf({ address, addressKey }: ReportedDelivery, reported: DsnRecipient): Record<string, unknown> {
  const data: Record<string, unknown> = { recipient: address, source: 'notice' }
  if (reported.address !== null && suppressionKey(reported.address) !== addressKey) {
    data.notice_recipient = reported.address
  }
  if (reported.response !== null) data.response = reported.response
  if (reported.smtpCode !== null) data.smtp_code = reported.smtpCode
  if (reported.enhancedCode !== null) data.enhanced_code = reported.enhancedCode
  if (reported.mxHost !== null) data.mx_host = reported.mxHost
  if (reported.verdict !== null) {
    Object.assign(data, { category: reported.verdict.category, advice: adviseVerdict(reported.verdict) })
  }
  // PostgreSQL rejects JSON with a lone surrogate.
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'string') data[name] = value.toWellFormed()
  }
  return data
}

type ReportedEvent = Exclude<DsnEffect, 'not_applicable' | 'nothing_new' | 'gone'>

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
