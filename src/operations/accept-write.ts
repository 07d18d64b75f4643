import { invalidField, Refusal } from '../base/refusal.ts'
import { type NewEvent, recordEvents } from '../events/record.ts'
import { LEASE_MS } from '../queue/claim.ts'
import { enqueue, type NewDelivery } from '../queue/enqueue.ts'
import type { DueDelivery } from '../queue/types.ts'
import { type Tx, together } from '../store/db.ts'
import { insertEmails, type NewEmail } from '../store/emails.ts'
import { findIdempotencyKeys, forgetKeys, takeIdempotencyKeys } from '../store/idempotency.ts'
import { type Allowance, addUsage, ensureUsageRows, lockAllowances, periodOf } from '../store/usage.ts'
import { type Acceptance, type AcceptDeps, answerFromEarlier, type Submission } from './accept-batch.ts'
import type { Facts, TeamFacts } from './accept-facts.ts'
import { PLANS } from './plans.ts'
import { simulatedOutcome } from './simulator.ts'

export interface Outcome {
  answers: (Acceptance | Error)[]
  /** True when a recipient was left for any worker to claim. */
  leftToClaim: boolean
}

type Deps = AcceptDeps & { seenUsageRows: Set<string> }

/**
 * The one transaction of acceptance: counters, idempotency keys, emails with content, a row a recipient, first events.
 * `reserved` collects the recipients that this process will deliver from memory once the commit is done.
 */
export async function writeBatch(
  tx: Tx,
  deps: Deps,
  facts: Facts,
  items: readonly Submission[],
  reserved: DueDelivery[],
  now: Date,
): Promise<Outcome> {
  const allowances = await lockQuotas(tx, deps, facts, items, now)
  const won = await takeKeys(tx, items, now)
  const answers: (Acceptance | Error)[] = []
  const accepted: { item: Submission; domainId: string }[] = []
  const refusedKeys: { teamId: string; key: string }[] = []
  for (const item of items) {
    const { teamId } = item.submitter
    if (item.idempotency !== null && !won.has(`${teamId}/${item.idempotency.key}`)) {
      const [earlier] = await findIdempotencyKeys(tx, [{ teamId, key: item.idempotency.key }], now)
      answers.push(answerFromEarlier(earlier ?? null, item.idempotency.requestHash))
      continue
    }
    const judged = judge(item, facts, allowances.get(teamId))
    if (judged instanceof Refusal) {
      if (item.idempotency !== null) refusedKeys.push({ teamId, key: item.idempotency.key })
      answers.push(judged)
      continue
    }
    accepted.push({ item, domainId: judged })
    answers.push({ emailId: item.emailId })
  }
  if (refusedKeys.length > 0) await forgetKeys(tx, refusedKeys)
  const leftToClaim = accepted.length > 0 && (await writeAccepted(tx, deps, facts, accepted, reserved, now))
  return { answers, leftToClaim }
}

/**
 * What teams with a quota may still send. Their month's rows are locked from here to the commit, so that quotas are
 * exact. Teams without one are not in the answer: their counts are added last, just before the commit, so that
 * batches of one busy team overlap but for that moment. All locks are taken in one order: teams with a quota by id,
 * then the others by id.
 */
async function lockQuotas(
  tx: Tx,
  deps: Deps,
  facts: Facts,
  items: readonly Submission[],
  now: Date,
): Promise<Map<string, Allowance>> {
  const teams = [...new Set(items.map((item) => item.submitter.teamId))].sort()
  const { month } = periodOf(now)
  const unseen = teams.filter((team) => !deps.seenUsageRows.has(`${team}/${month}`))
  if (unseen.length > 0) await ensureUsageRows(tx, unseen, now)
  const limited = teams.filter((team) => hasQuota(facts.teams.get(team)))
  if (limited.length === 0) return new Map()
  const allowances = await lockAllowances(tx, limited, now)
  return new Map(allowances.map((allowance) => [allowance.teamId, allowance]))
}

function hasQuota(team: TeamFacts | undefined): boolean {
  if (team === undefined) return false
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[team.plan]
  return monthRecipientsMax !== null || dayRecipientsMax !== null
}

async function takeKeys(tx: Tx, items: readonly Submission[], now: Date): Promise<Set<string>> {
  const entries = items
    .flatMap((item) =>
      item.idempotency === null
        ? []
        : [{ ...item.idempotency, teamId: item.submitter.teamId, emailIds: [item.emailId] }],
    )
    .sort((a, b) => (`${a.teamId}/${a.key}` < `${b.teamId}/${b.key}` ? -1 : 1))
  return entries.length === 0 ? new Set() : takeIdempotencyKeys(tx, entries, now)
}

/** The reasons to refuse, in the order of decisions.md section 4; the domain's id when there is none. */
function judge(item: Submission, facts: Facts, allowance: Allowance | undefined): string | Refusal {
  const { submitter, draft } = item
  const team = facts.teams.get(submitter.teamId)
  const domainId = facts.domainIds.get(`${submitter.teamId}/${draft.from.domain}`)
  if (submitter.domainId !== null && domainId !== submitter.domainId) return new Refusal('restricted_api_key')
  if (team === undefined) return new Refusal('invalid_api_key')
  if (team.isSendingPaused) return new Refusal('validation_error', 'Sending is paused for this account.')
  if (domainId === undefined) return invalidField('from', 'The from address domain is not verified.')
  if (allowance === undefined) return domainId
  const recipients = countBillable(item, facts)
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[team.plan]
  if (monthRecipientsMax !== null && allowance.monthRecipients + recipients > monthRecipientsMax) {
    return new Refusal('validation_error', 'Monthly email quota exceeded.')
  }
  if (dayRecipientsMax !== null && allowance.dayRecipients + recipients > dayRecipientsMax) {
    return new Refusal('validation_error', 'Daily email quota exceeded.')
  }
  allowance.monthRecipients += recipients
  allowance.dayRecipients += recipients
  return domainId
}

function isSuppressed(item: Submission, addressKey: string, facts: Facts): boolean {
  return (
    facts.suppressed.has(`${item.submitter.teamId}/${addressKey}`) ||
    simulatedOutcome(addressKey) === 'suppressed'
  )
}

/** Recipients that count against quotas: neither suppressed nor simulated. */
function countBillable(item: Submission, facts: Facts): number {
  let count = 0
  for (const { key } of item.draft.recipients) {
    if (!isSuppressed(item, key, facts) && simulatedOutcome(key) === null) count++
  }
  return count
}

async function writeAccepted(
  tx: Tx,
  deps: Deps,
  facts: Facts,
  accepted: readonly { item: Submission; domainId: string }[],
  reserved: DueDelivery[],
  now: Date,
): Promise<boolean> {
  const emails: NewEmail[] = []
  const deliveries: NewDelivery[] = []
  const events: NewEvent[] = []
  const used = new Map<string, { teamId: string; recipients: number; emails: number }>()
  for (const { item, domainId } of accepted) {
    const { teamId } = item.submitter
    const rows = item.draft.recipients.map((recipient, no) =>
      newDelivery(deps, item, facts, recipient, no, now),
    )
    const status = rows.every((row) => row.status === 'suppressed')
      ? 'suppressed'
      : item.draft.scheduledAt === null
        ? 'queued'
        : 'scheduled'
    emails.push(newEmail(item, domainId, status, rows.length))
    events.push(...firstEvents(item, status, rows))
    for (const row of rows) handOver(deps, item, domainId, row, rows.length, reserved, now)
    deliveries.push(...rows)
    const sum = used.get(teamId) ?? { teamId, recipients: 0, emails: 0 }
    used.set(teamId, {
      teamId,
      recipients: sum.recipients + countBillable(item, facts),
      emails: sum.emails + 1,
    })
  }
  const leftToClaim = deliveries.some((row) => row.status === 'queued' && row.leasedUntil === null)
  // Sent together, run in this order: usage last, because its rows are locked from then to the commit.
  await together([
    insertEmails(tx, emails),
    enqueue(tx, deliveries, deps.nodeId, now),
    recordEvents(tx, events, now),
    // One hint a batch for workers in other processes; the slow poll is the safety net.
    leftToClaim ? tx.query("select pg_notify('sendwright_due', '')") : Promise.resolve(),
    addUsage(
      tx,
      [...used.values()].sort((a, b) => (a.teamId < b.teamId ? -1 : 1)),
      now,
    ),
  ])
  return leftToClaim
}

function newEmail(
  item: Submission,
  domainId: string,
  status: NewEmail['status'],
  recipientCount: number,
): NewEmail {
  const { draft } = item
  return {
    teamId: item.submitter.teamId,
    id: item.emailId,
    domainId,
    messageId: item.messageId,
    sender: draft.from.name === '' ? draft.from.address : `${draft.from.name} <${draft.from.address}>`,
    senderAddress: draft.from.address.toLowerCase(),
    addressees: draft.addressees,
    subject: draft.subject,
    tags: draft.tags,
    recipientCount,
    status,
    sizeBytes: item.message.bytes.length,
    scheduledAt: draft.scheduledAt,
    createdAt: item.createdAt,
    encoding: item.stored.encoding,
    message: item.stored.bytes,
    smtpUtf8: item.message.smtpUtf8,
    headers: draft.headers,
    attachments: item.attachments,
  }
}

function newDelivery(
  deps: Deps,
  item: Submission,
  facts: Facts,
  recipient: Submission['draft']['recipients'][number],
  no: number,
  now: Date,
): NewDelivery {
  const scheduledAt = item.draft.scheduledAt
  const suppressed = isSuppressed(item, recipient.key, facts)
  const dueAt = scheduledAt ?? now
  return {
    teamId: item.submitter.teamId,
    emailId: item.emailId,
    no,
    kind: recipient.kind,
    address: recipient.mailbox.address,
    addressKey: recipient.key,
    domain: recipient.mailbox.domain,
    status: suppressed ? 'suppressed' : scheduledAt === null ? 'queued' : 'scheduled',
    dueAt: suppressed ? null : dueAt,
    expiresAt: new Date(dueAt.getTime() + deps.messageLifetimeMs),
    leasedUntil: null,
  }
}

/** Marks a recipient as leased to this process when there is room to deliver it from memory. */
function handOver(
  deps: Deps,
  item: Submission,
  domainId: string,
  row: NewDelivery,
  recipientCount: number,
  reserved: DueDelivery[],
  now: Date,
): void {
  if (row.status !== 'queued' || deps.handOff === null) return
  if (!deps.handOff.reserve(row.teamId, row.domain, item.message.bytes.length)) return
  row.leasedUntil = new Date(now.getTime() + LEASE_MS)
  reserved.push({
    teamId: row.teamId,
    emailId: row.emailId,
    no: row.no,
    address: row.address,
    addressKey: row.addressKey,
    domain: row.domain,
    domainId,
    attempts: 0,
    expiresAt: row.expiresAt,
    createdAt: item.createdAt,
    recipientCount,
    sizeBytes: item.message.bytes.length,
    leasedUntilMs: row.leasedUntil.getTime(),
    checkedAtMs: now.getTime(),
    message: item.message,
  })
}

function firstEvents(item: Submission, status: string, rows: readonly NewDelivery[]): NewEvent[] {
  const { teamId } = item.submitter
  const events: NewEvent[] = []
  if (status !== 'suppressed')
    events.push({ teamId, subjectId: item.emailId, type: `email.${status}`, data: {} })
  for (const row of rows) {
    if (row.status !== 'suppressed') continue
    events.push({
      teamId,
      subjectId: item.emailId,
      type: 'email.suppressed',
      data: { recipient: row.address },
    })
  }
  return events
}
