import { setTimeout as pause } from 'node:timers/promises'
import { adviseVerdict, explainCategory } from '../../classification/advise.ts'
import { simulatedOutcome } from '../../classification/simulator.ts'
import { DatabaseUnavailable, type Db, type Tx } from '../../db/db-types.ts'
import { isBadData } from '../../db/sqlstate.ts'
import { together } from '../../db/transactions.ts'
import { deriveEmailStates, type EmailState, setEmailStates } from '../../emails/rows/email-states-queries.ts'
import { type NewEvent, recordEvents } from '../../events/record-queries.ts'
import { type Batcher, createBatcher, type Gathering } from '../../lib/async/batcher.ts'
import type { Log } from '../../lib/log.ts'
import { retryDelayMs } from '../../lib/time/backoff.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { CAMPAIGN_PAUSED } from '../../queue/campaign-paused.ts'
import { byKey } from '../../queue/lease-queries.ts'
import { insertAttempts, type Settlement, settle } from '../../queue/settle-queries.ts'
import type { DueDelivery, Verdict } from '../../queue/types.ts'
import { type Ending, suppressBounced } from '../../suppressions/suppress-bounced.ts'
import { giveBackUsage } from '../../teams/usage-queries.ts'
import type { AttemptReport, Report, Withdrawal } from '../sites/outcomes.ts'

export interface SettleDeps {
  db: Db
  clock: Clock
  log: Log
  nodeId: string
  retryScheduleMs: readonly number[]
  random: () => number
  /** Whether the results come from capture mode, whose server knows no addresses: they suppress nothing. */
  isCapturing?: boolean
  /** Resolves when a batch may begin, within a moment. */
  ready?(): Promise<void>
  /** What lets batches wait for more reports. Absent: they never wait. */
  gather?: Pick<Gathering, 'inProgressCount' | 'stopped'>
}

const BATCH_COUNT_MAX = 500
const RUNS_MAX = 1
/**
 * From this many deliveries in progress on, a batch waits this long for more reports, because its transaction costs as
 * much for one report as for a dozen. A lone result never waits.
 */
const GATHER_COUNT_MIN = 60
const GATHER_MS = 40
const OUTAGE_MS = 250
const FAULT_MS = 5000
/** The wait of mail of a paused campaign until it is looked at again. */
const HELD_MS = 60_000

/** Writes the outcomes of deliveries. `add` resolves when its report is committed, and never rejects. */
export type Settler = Batcher<Report, void>

/**
 * Settles reports in batches. While the database is down they are kept and retried: a known delivery must be recorded
 * before another process may claim it. A report that cannot be written because of its content is retried beside the
 * batches, so that it blocks no other, and first without its texts, which a server chose.
 */
export function createSettler(deps: SettleDeps): Settler {
  const run = (reports: readonly Report[]) => settleEach(deps, reports)
  const batches = { itemsMax: BATCH_COUNT_MAX, runsMax: RUNS_MAX, run }
  const batcher = createBatcher<Report, void>({
    ...batches,
    ...(deps.ready && { ready: deps.ready }),
    ...(deps.gather && { gather: { ...deps.gather, countMin: GATHER_COUNT_MIN, waitMsMax: GATHER_MS } }),
  })
  // These change the use of the quota, for which they may wait while their team's next emails are accepted.
  const withdrawn = createBatcher<Report, void>(batches)
  return {
    add(report) {
      const givesBack = report.kind === 'canceled' || report.kind === 'deleted'
      return (givesBack ? withdrawn : batcher)
        .add(report)
        .catch((error: unknown) => settleInTheEnd(deps, report, error))
    },
  }
}

/**
 * Waits for the database. On any other error it settles each report alone and returns an Error for each one that fails.
 */
async function settleEach(deps: SettleDeps, reports: readonly Report[]): Promise<(undefined | Error)[]> {
  for (;;) {
    try {
      await settleReports(deps, reports)
      return reports.map(() => undefined)
    } catch (error) {
      deps.log.error({ err: error, count: reports.length }, 'could not settle deliveries; retrying')
      if (error instanceof DatabaseUnavailable) await pause(OUTAGE_MS)
      else if (reports.length === 1) return [error as Error]
      else break
    }
  }
  const answers: (undefined | Error)[] = []
  for (const report of reports) answers.push(...(await settleEach(deps, [report])))
  return answers
}

async function settleInTheEnd(deps: SettleDeps, report: Report, failure: unknown): Promise<void> {
  const writable = isBadData(failure) ? withoutTexts(report) : report
  if (writable !== report && (await settleEach(deps, [writable]))[0] === undefined) return
  do await pause(FAULT_MS)
  while ((await settleEach(deps, [writable]))[0] !== undefined)
}

/** Otherwise a server whose text the database rejects would hold its deliveries, and the room that they take, for good. */
function withoutTexts(report: Report): Report {
  if (report.kind === 'postponed') return { ...report, response: UNWRITABLE }
  if (report.kind !== 'attempted') return report
  return { ...report, result: { ...report.result, response: UNWRITABLE, transcript: [] } }
}

const UNWRITABLE = 'The text of the reply cannot be stored.'

/**
 * Writes recipients' states, attempts, emails' states, events and suppressions in one transaction. It is idempotent.
 */
export async function settleReports(deps: SettleDeps, reports: readonly Report[]): Promise<void> {
  const now = deps.clock.now()
  const settlements = reports
    .map((report) => toSettlement(report, deps, now))
    .sort((a, b) => byKey(a.delivery, b.delivery))
  await deps.db.transaction(async (tx) => {
    const results = settlements.flatMap((settlement) => settlement.result ?? [])
    const [keys] = await together([settle(tx, settlements, deps.nodeId, now), insertAttempts(tx, results)])
    const changedKeys = new Set(keys.map(keyText))
    const changes = settlements.filter(
      (settlement) => settlement.status !== null && changedKeys.has(keyText(settlement.delivery)),
    )
    if (changes.length === 0) return
    recordEvents(tx, changes.flatMap(eventsOf), now)
    const endings = deps.isCapturing === true ? [] : changes.map(endingOf)
    await together([moveEmails(tx, changes, now), suppressBounced(tx, endings, now)])
    await giveBackCanceled(tx, changes, now)
  })
}

/** Returns what canceled recipients had taken of the quota. */
async function giveBackCanceled(tx: Tx, changes: readonly Settlement[], now: Date): Promise<void> {
  const canceled = changes.flatMap(({ delivery, status }) =>
    status === 'canceled' && simulatedOutcome(delivery.addressKey) === null ? [delivery] : [],
  )
  const groups = Map.groupBy(
    canceled,
    ({ teamId, createdAt }) => `${teamId} ${createdAt.toISOString().slice(0, 10)}`,
  )
  // In one order in all processes, because the rows stay locked until the commit.
  for (const key of [...groups.keys()].sort()) {
    const group = groups.get(key) as DueDelivery[]
    const { teamId, createdAt } = group[0] as DueDelivery
    await giveBackUsage(tx, teamId, group.length, createdAt, now)
  }
}

function endingOf({ delivery, status, category, result }: Settlement): Ending {
  const { teamId, emailId, addressKey } = delivery
  return { teamId, emailId, addressKey, status, category, suppress: result?.verdict.suppress === true }
}

function keyText(key: { teamId: string; emailId: string; no: number }): string {
  return `${key.teamId}/${key.emailId}/${key.no}`
}

function toSettlement(report: Report, deps: SettleDeps, now: Date): Settlement {
  if (report.kind === 'attempted') return settleAttempt(report, deps, now)
  const noReply = { smtpCode: null, enhancedCode: null, mxHost: null, result: null, waitsFor: null }
  if (report.kind !== 'postponed')
    return { ...noReply, delivery: report.delivery, ...settleWithdrawal(report.kind, now) }
  const { delivery, until, category, response, waitsFor = null } = report
  if (now >= delivery.expiresAt) {
    return { ...noReply, delivery, status: 'failed', dueAt: null, category, response }
  }
  const dueAt = new Date(Math.min(until.getTime(), delivery.expiresAt.getTime()))
  return { ...noReply, delivery, status: null, dueAt, category, response, waitsFor }
}

/** Returns how a delivery ends that must not be attempted now, or how it waits. */
function settleWithdrawal(
  why: Withdrawal,
  now: Date,
): Pick<Settlement, 'status' | 'dueAt' | 'category' | 'response'> {
  switch (why) {
    case 'suppressed':
      return { status: why, dueAt: null, category: why, response: 'The address is on the suppression list.' }
    case 'deleted':
      return {
        status: 'canceled',
        dueAt: null,
        category: 'canceled',
        response: 'The contact was deleted.',
      }
    case 'canceled':
      return { status: why, dueAt: null, category: why, response: 'The campaign was canceled.' }
    case 'held': {
      // It looks again now and then, in case that nobody tells of the end of the pause. No lifetime ends meanwhile.
      const dueAt = new Date(now.getTime() + HELD_MS)
      return { status: null, dueAt, category: CAMPAIGN_PAUSED, response: 'The campaign is paused.' }
    }
  }
}

/** A deferral waits by the schedule or as the reply asked, and becomes a failure once the email's lifetime is over. */
function settleAttempt(report: AttemptReport, deps: SettleDeps, now: Date): Settlement {
  const { result } = report
  const { delivery, verdict } = result
  const { smtpCode, enhancedCode, response, mxHost } = result
  const category = verdict.category
  const base = { delivery, smtpCode, enhancedCode, response, mxHost, result, category, waitsFor: null }
  if (verdict.state === 'delivered' && report.isRelay === true)
    return { ...base, status: 'sent', dueAt: null }
  if (verdict.state !== 'deferred') return { ...base, status: verdict.state, dueAt: null }
  if (now >= delivery.expiresAt) return { ...base, status: 'failed', dueAt: null }
  const delayMs = retryDelayMs(deps.retryScheduleMs, delivery.attempts + 1, deps.random)
  const dueMs = report.dueAt?.getTime() ?? now.getTime() + Math.max(delayMs, verdict.retryAfterMs ?? 0)
  return {
    ...base,
    waitsFor: report.waitsFor ?? null,
    status: 'delivery_delayed',
    dueAt: new Date(Math.min(dueMs, delivery.expiresAt.getTime())),
  }
}

async function moveEmails(tx: Tx, changes: readonly Settlement[], now: Date): Promise<void> {
  const states = new Map<string, EmailState & { recipientCount: number }>()
  for (const { delivery, status } of changes) {
    const isSent = status === 'delivered' || status === 'sent'
    states.set(`${delivery.teamId}/${delivery.emailId}`, {
      teamId: delivery.teamId,
      emailId: delivery.emailId,
      status: status as string,
      lastEvent: complains(delivery, status) ? 'complained' : (status as string),
      sentAt: isSent ? now : (states.get(`${delivery.teamId}/${delivery.emailId}`)?.sentAt ?? null),
      recipientCount: delivery.recipientCount,
    })
  }
  const all = [...states.values()]
  await together([
    setEmailStates(
      tx,
      all.filter((state) => state.recipientCount === 1),
    ),
    deriveEmailStates(
      tx,
      all.filter((state) => state.recipientCount > 1),
    ),
  ])
}

function eventsOf(settlement: Settlement): NewEvent[] {
  const { delivery, status, result } = settlement
  if (status === null) return []
  const data: Record<string, unknown> = { recipient: delivery.address }
  if (status === 'canceled')
    return [{ teamId: delivery.teamId, subjectId: delivery.emailId, type: 'email.canceled', data }]
  if (settlement.response !== null) data.response = settlement.response
  if (settlement.smtpCode !== null) data.smtp_code = settlement.smtpCode
  if (settlement.enhancedCode !== null) data.enhanced_code = settlement.enhancedCode
  if (settlement.mxHost !== null) data.mx_host = settlement.mxHost
  if (status !== 'delivered' && status !== 'sent') {
    data.category = settlement.category
    data.advice = adviceOf(result?.verdict, settlement)
  }
  if (settlement.dueAt !== null) data.next_attempt_at = formatTime(settlement.dueAt)
  const about = { teamId: delivery.teamId, subjectId: delivery.emailId }
  const events: NewEvent[] = [{ ...about, type: `email.${status}`, data }]
  if (complains(delivery, status)) {
    events.push({ ...about, type: 'email.complained', data: { recipient: delivery.address } })
  }
  return events
}

/** The simulator's complaint belongs to its own delivery and suppresses nothing. */
function complains(delivery: DueDelivery, status: Settlement['status']): boolean {
  return status === 'delivered' && simulatedOutcome(delivery.addressKey) === 'complained'
}

function adviceOf(verdict: Verdict | undefined, { delivery, status, mxHost, response }: Settlement): string {
  if (verdict === undefined) {
    return status === 'failed'
      ? `The lifetime of the email was over while it waited: ${response ?? ''}`
      : (response ?? '')
  }
  const server = { domain: delivery.domain, mxHost }
  if (status !== 'failed' || verdict.state !== 'deferred') return adviseVerdict(verdict, server)
  const last = explainCategory(verdict.category, server)
  return `Sendwright retried until the lifetime of the email was over. The last attempt: ${last}`
}
