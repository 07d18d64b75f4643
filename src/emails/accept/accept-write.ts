import { PLANS } from '../../access/plans.ts'
import { simulatedOutcome } from '../../classification/simulator.ts'
import { type Tx, together } from '../../db/db.ts'
import { type NewEvent, recordEvents } from '../../events/record.ts'
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { LEASE_MS } from '../../queue/claim.ts'
import { enqueue, type NewDelivery } from '../../queue/enqueue.ts'
import type { DueDelivery } from '../../queue/types.ts'
import {
  type Allowance,
  addUsage,
  ensureUsageRows,
  lockAllowances,
  periodOf,
} from '../../teams/usage-queries.ts'
import { insertEmails, type NewEmail } from '../emails-queries.ts'
import {
  type Acceptance,
  type AcceptDeps,
  type AcceptRequest,
  answerFromEarlier,
  type Submission,
} from './accept-batch.ts'
import type { Submitter } from './accept-email.ts'
import type { Facts, TeamFacts } from './accept-facts.ts'
import {
  findIdempotencyKeys,
  forgetKeys,
  rememberAnswers,
  takeIdempotencyKeys,
} from './idempotency-queries.ts'
import { refuseItem } from './refuse-item.ts'
import { scopeText, UNSUBSCRIBED } from './unsubscribe-scope.ts'
import { StaleTemplate } from './with-templates.ts'

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
  items: readonly AcceptRequest[],
  reserved: DueDelivery[],
  now: Date,
): Promise<Outcome> {
  const allowances = await lockQuotas(tx, deps, facts, items, now)
  const won = await takeKeys(tx, items, now)
  const answers: (Acceptance | Error)[] = []
  const accepted: Accepted[] = []
  const refusedKeys: { teamId: string; key: string }[] = []
  const corrected: { teamId: string; key: string; answer: Acceptance }[] = []
  for (const item of items) {
    const { teamId } = item.submitter
    const key = item.idempotency?.key
    if (item.idempotency !== null && key !== undefined && !won.has(`${teamId}/${key}`)) {
      const [earlier] = await findIdempotencyKeys(tx, [{ teamId, key }], now)
      answers.push(answerFromEarlier(earlier ?? null, item.idempotency.requestHash))
      continue
    }
    const answer = validateRequest(item, facts, allowances.get(teamId), accepted)
    answers.push(answer)
    if (key === undefined) continue
    if (answer instanceof Error || answer.emailIds.length === 0) refusedKeys.push({ teamId, key })
    else if (answer.refused.length > 0) corrected.push({ teamId, key, answer })
  }
  if (refusedKeys.length > 0) await forgetKeys(tx, refusedKeys)
  if (corrected.length > 0) await rememberAnswers(tx, corrected)
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
  items: readonly AcceptRequest[],
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

async function takeKeys(tx: Tx, items: readonly AcceptRequest[], now: Date): Promise<Set<string>> {
  const entries = items
    .flatMap((item) =>
      item.idempotency === null
        ? []
        : [{ ...item.idempotency, teamId: item.submitter.teamId, answer: answerOf(item.submissions) }],
    )
    .sort((a, b) => (`${a.teamId}/${a.key}` < `${b.teamId}/${b.key}` ? -1 : 1))
  return entries.length === 0 ? new Set() : takeIdempotencyKeys(tx, entries, now)
}

/** One submission that nothing speaks against. */
interface Accepted {
  item: Submission
  teamId: string
  domainId: string
}

function answerOf(submissions: readonly Submission[]): Acceptance {
  return { emailIds: submissions.map(({ emailId }) => emailId), refused: [] }
}

/** Adds what may be written to `accepted`. A whole batch adds all or nothing, and counts against no quota then. */
function validateRequest(
  { submissions, submitter, batch }: AcceptRequest,
  facts: Facts,
  allowance: Allowance | undefined,
  accepted: Accepted[],
): Acceptance | Error {
  if (!areFresh(submissions, submitter, facts)) return new StaleTemplate()
  const before = { ...allowance }
  const passed: Accepted[] = []
  const refused = [...(batch?.refused ?? [])]
  for (const [position, item] of submissions.entries()) {
    const validated = validateItem(item, submitter, facts, allowance)
    const index = batch?.indexes[position] ?? 0
    if (!(validated instanceof ApiError)) passed.push({ item, teamId: submitter.teamId, domainId: validated })
    else if (batch === null) return validated
    else if (batch.isWhole) {
      if (allowance !== undefined) Object.assign(allowance, before)
      return refuseItem(index, validated)
    } else refused.push({ index, message: validated.message })
  }
  accepted.push(...passed)
  const ids = passed.map(({ item }) => item.emailId)
  return { emailIds: ids, refused: refused.sort((a, b) => a.index - b.index) }
}

/** Whether what the messages were made from is still what there is. */
function areFresh(submissions: readonly Submission[], { teamId }: Submitter, { templates }: Facts): boolean {
  return submissions.every(
    ({ template }) => template === null || templates.has(`${teamId}/${template.id}/${template.stamp}`),
  )
}

/** The reasons to refuse, in the order of ERR-15; the domain's id when there is none. */
function validateItem(
  item: Submission,
  submitter: Submitter,
  facts: Facts,
  allowance: Allowance | undefined,
): string | ApiError {
  const { teamId } = submitter
  const team = facts.teams.get(teamId)
  const domainIds = item.senderDomains.map(({ name }) => facts.domainIds.get(`${teamId}/${name}`))
  const domainId = domainIds[0]
  if (submitter.domainId !== null && domainIds.some((id) => id !== submitter.domainId))
    return new ApiError('restricted_api_key')
  if (team === undefined) return new ApiError('invalid_api_key')
  if (team.isSendingPaused) return new ApiError('validation_error', 'Sending is paused for this account.')
  const unverified = item.senderDomains[domainIds.indexOf(undefined)]
  if (domainId === undefined || unverified !== undefined) {
    return invalidField(unverified?.field ?? 'from', 'The from address domain is not verified.')
  }
  const { unsubscribe } = item
  if (unsubscribe?.kind === 'list' && !facts.lists.has(`${teamId}/${unsubscribe.listId}`)) {
    const field = 'unsubscribe.list_id'
    return invalidField(field, `The ${field} field must be the id of a list of this account.`)
  }
  if (allowance === undefined) return domainId
  const recipients = countBillable(item, teamId, facts)
  const { monthRecipientsMax, dayRecipientsMax } = PLANS[team.plan]
  if (monthRecipientsMax !== null && allowance.monthRecipients + recipients > monthRecipientsMax) {
    return new ApiError('validation_error', 'Monthly email quota exceeded.')
  }
  if (dayRecipientsMax !== null && allowance.dayRecipients + recipients > dayRecipientsMax) {
    return new ApiError('validation_error', 'Daily email quota exceeded.')
  }
  allowance.monthRecipients += recipients
  allowance.dayRecipients += recipients
  return domainId
}

function isSuppressed(item: Submission, teamId: string, addressKey: string, facts: Facts): boolean {
  if (facts.suppressed.has(`${teamId}/${addressKey}`)) return true
  return isUnsubscribed(item, teamId, addressKey, facts) || simulatedOutcome(addressKey) === 'suppressed'
}

/** Whether the recipient wants no more of what the email belongs to. */
function isUnsubscribed(
  { unsubscribe }: Submission,
  teamId: string,
  addressKey: string,
  facts: Facts,
): boolean {
  return unsubscribe !== null && facts.unsubscribed.has(`${teamId}/${scopeText(unsubscribe)}/${addressKey}`)
}

/** Recipients that count against quotas: neither suppressed nor simulated. */
function countBillable(item: Submission, teamId: string, facts: Facts): number {
  let count = 0
  for (const { key } of item.recipients) {
    if (!isSuppressed(item, teamId, key, facts) && simulatedOutcome(key) === null) count++
  }
  return count
}

async function writeAccepted(
  tx: Tx,
  deps: Deps,
  facts: Facts,
  accepted: readonly Accepted[],
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
    for (const row of rows) handOver(deps, one, row, rows.length, reserved, now)
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
  // Sent together, run in this order: usage last, because its rows are locked from then to the commit.
  await together([
    insertEmails(tx, emails),
    enqueue(tx, deliveries, deps.nodeId, now),
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
  { item, teamId, domainId }: Accepted,
  status: NewEmail['status'],
  recipientCount: number,
): NewEmail {
  const { from } = item
  return {
    teamId,
    id: item.emailId,
    domainId,
    messageId: item.messageId,
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
  }
}

function newDelivery(
  deps: Deps,
  { item, teamId }: Accepted,
  facts: Facts,
  recipient: Submission['recipients'][number],
  no: number,
  now: Date,
): NewDelivery {
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
    status: suppressed ? 'suppressed' : scheduledAt === null ? 'queued' : 'scheduled',
    dueAt: suppressed ? null : dueAt,
    expiresAt: new Date(dueAt.getTime() + deps.messageLifetimeMs),
    leasedUntil: null,
  }
}

/** Marks a recipient as leased to this process when there is room to deliver it from memory. */
function handOver(
  deps: Deps,
  { item, domainId }: Accepted,
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
    tags: item.tags,
  })
}

type FirstStatus = 'suppressed' | 'queued' | 'scheduled'

function firstEvents(
  { item, teamId }: Accepted,
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
