import { forgetMessages } from '../../accounts/notifications/messages-queries.ts'
import { sendMessages } from '../../accounts/notifications/send-messages.ts'
import { watchAlerts } from '../../accounts/notifications/watch-alerts.ts'
import { readSystemFrom } from '../../accounts/users/account-mail.ts'
import { expireAccounts, expireInvitations } from '../../accounts/users/expire-accounts-queries.ts'
import { sweepTombstones } from '../../audience/contacts/sweep-tombstones-queries.ts'
import { sweepImports } from '../../audience/imports/import-runner.ts'
import { forgetAudit } from '../../audit/audit-queries.ts'
import { sweepAutomations } from '../../automations/rows/sweep-automations-queries.ts'
import { startAutomationRunner } from '../../automations/working/automation-runner.ts'
import { startCampaignRunner } from '../../campaigns/sending/campaign-runner.ts'
import { sweepCampaigns } from '../../campaigns/sending/sweep-campaigns-queries.ts'
import type { Db } from '../../db/db-types.ts'
import { preparePartitions } from '../../db/partitions/partitions.ts'
import { releaseDue } from '../../delivery/settle/release-due.ts'
import { deleteWarmupBefore } from '../../delivery/sources/sources-queries.ts'
import { purgeStsPolicies } from '../../delivery/tls/sts-policies-queries.ts'
import { purgeTlsSessions } from '../../delivery/tls-reports/tls-sessions-queries.ts'
import { purgeRetiredDkimKeys } from '../../domains/domain-keys.ts'
import { recheckDueDomains } from '../../domains/verify-domain.ts'
import type { AcceptMime } from '../../emails/accept/accept-mime.ts'
import { makeUnsubscribeUrl, type UnsubscribeLink } from '../../emails/accept/unsubscribe-links.ts'
import { forgetIdempotency } from '../../emails/idempotency/idempotency-queries.ts'
import { repeat } from '../../lib/async/repeat.ts'
import { createGuardedConnector } from '../../lib/net/guarded-agent.ts'
import { guardLimitsOf } from '../../metrics/alerts/guard.ts'
import { forgetOldMetrics } from '../../metrics/forget.ts'
import { RollUp } from '../../metrics/roll-up.ts'
import { startErasing } from '../../privacy/erasure/start-erasing.ts'
import { installationPeriods } from '../../privacy/retention/periods.ts'
import { RetentionRound } from '../../privacy/retention/retention-round.ts'
import type { Backpressure } from '../../queue/backpressure.ts'
import { PromoteRound } from '../../queue/promote-queries.ts'
import { forgetSoftBounces } from '../../suppressions/soft-bounces-queries.ts'
import { openLine } from '../../webhooks/request/post.ts'
import type { Acceptance } from '../acceptance.ts'
import { countRetention } from '../metrics.ts'
import type { Runtime } from '../runtime.ts'
import { createTlsReports } from '../tls-reports.ts'
import { createPackRound } from './pack-bodies.ts'

const ALERT_CONNECT_TIMEOUT_MS = 5_000
const ALERT_POST_TIMEOUT_MS = 15_000
/** Messages in progress at once. */
const ALERT_SENDING_MAX = 10

const RELEASE_MS = 500
const DOMAINS_MS = 30_000
const DOMAINS_MAX = 50
const DELETE_MS = 60_000
const DELETE_MAX = 5000
/**
 * Maximum delay before the rows of a deleted list or property are swept. A sweep runs without pauses until it is
 * complete.
 */
const SWEEP_MS = 10_000
/** Time limit for one sweep statement and its locks, in milliseconds. */
const SWEEP_MAX = 1000
const IMPORTS_MS = 60_000
const IMPORTS_MAX = 10
const TLS_REPORTS_MS = 60_000
const HOURLY_MS = 3_600_000
const DAILY_MS = 24 * HOURLY_MS
/**
 * Interval of event counting, and the lag of metrics. A longer interval would count more events in each update of the
 * same rows.
 */
const COUNT_MS = 1000
/** Interval of retention, after which a week that was locked is retried. */
const RETENTION_MS = 10 * 60_000
/** Teams whose alerts are compared each second. Beyond 600 watched teams, each waits longer than a minute. */
const WATCHED_MAX = 10
const ALERTS_MS = 1000
const ALERT_MESSAGE_DAYS = 30
const WARMUP_KEPT_MS = 35 * DAILY_MS
const AUDIT_DAYS = 365
/** An unused invitation is deleted after this time, unless it was sent again. */
const INVITATION_DAYS = 30
/** The soft-bounce count of an address is reset when its mailbox was not full for this long. */
const FULL_MAILBOX_DAYS = 180

/**
 * A recurring task: its name in logs, the pause after each run, and the work, which resolves to true when more may
 * remain.
 */
type Task = [name: string, everyMs: number, work: () => Promise<unknown>]

interface Parts
  extends Pick<Acceptance, 'acceptMime' | 'acceptEmails' | 'findTemplate'>,
    Pick<Backpressure, 'yieldTurn'> {}

/**
 * Starts the scheduler role, which runs timed tasks. Several processes may run it: rows are claimed with SKIP LOCKED.
 */
export function startScheduler(runtime: Runtime, parts: Parts): void {
  const { acceptMime, acceptEmails, findTemplate, yieldTurn } = parts
  const { config, clock, log, nodeId, hashAddress, metrics, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const sendTlsReport = createTlsReports(runtime, acceptMime)
  const retention = new RetentionRound({
    db,
    clock,
    log,
    installation: installationPeriods(config),
    ...countRetention(metrics.registry),
  })
  const erasing = startErasing({ db, clock, log, nodeId, hashAddress })
  const unsubscribeUrl = (link: UnsubscribeLink) =>
    makeUnsubscribeUrl(runtime.keys.unsubscribeLinks, config.publicUrl, link)
  const campaigns = startCampaignRunner({ db, clock, log, nodeId, acceptEmails, unsubscribeUrl })
  const automations = startAutomationRunner({
    db,
    clock,
    log,
    acceptEmails,
    findTemplate,
    unsubscribeUrl,
    subscribe: (wake) => runtime.events.subscribe(wake),
  })
  const tasks = [
    ...listTasks(runtime, retention, sendTlsReport, yieldTurn),
    ...listAlertTasks(runtime, createSendAlerts(runtime, acceptMime), yieldTurn),
  ]
  const packing = createPackRound(runtime)
  if (packing !== null) tasks.push(['pack bodies', packing.everyMs, () => packing.round.run()])
  const loops = tasks.map(([name, everyMs, work]) => repeat(name, everyMs, work, log))
  lifecycle.add('scheduler', async () => {
    for (const round of [retention, packing?.round]) {
      await round?.stop().catch((error: unknown) => log.debug({ err: error }, 'a round could not be stopped'))
    }
    await Promise.all([
      campaigns.stop(),
      automations.stop(),
      erasing.stop(),
      ...loops.map((task) => task.stop()),
    ])
  })
}

/**
 * Lists the tasks of the scheduler.
 * @param sendTlsReport sends a due report; resolves to true when more may be due
 * @param yieldTurn see queue/backpressure.ts
 */
function listTasks(
  { pools, clock, config, secret, due }: Runtime,
  retention: RetentionRound,
  sendTlsReport: () => Promise<boolean>,
  yieldTurn: Backpressure['yieldTurn'],
): Task[] {
  const { engine: db } = pools
  const domains = { db, clock, config, secret }
  const round = new PromoteRound()
  const rollUp = new RollUp({ db, clock, guard: guardLimitsOf(config) })
  const now = () => clock.now()
  const ago = (days: number) => new Date(now().getTime() - days * DAILY_MS)
  const release = async () => {
    const { count, more } = await releaseDue(db, now(), round)
    if (count > 0) due.notify()
    return more
  }
  return [
    ['release due mail', RELEASE_MS, release],
    ['check domains', DOMAINS_MS, inBatches(DOMAINS_MAX, (batchMax) => recheckDueDomains(domains, batchMax))],
    [
      'delete idempotency keys',
      DELETE_MS,
      inBatches(DELETE_MAX, (batchMax) => forgetIdempotency(db, now(), batchMax)),
    ],
    ['sweep tombstones', SWEEP_MS, () => sweepTombstones(db, SWEEP_MAX)],
    [
      'sweep imports',
      IMPORTS_MS,
      inBatches(IMPORTS_MAX, (batchMax) => sweepImports({ db, clock }, batchMax)),
    ],
    ['sweep campaigns', SWEEP_MS, inBatches(DELETE_MAX, (batchMax) => sweepCampaigns(db, batchMax))],
    ['sweep automations', SWEEP_MS, inBatches(SWEEP_MAX, (batchMax) => sweepAutomations(db, batchMax))],
    ['run retention', RETENTION_MS, () => retention.run()],
    ['create partitions', HOURLY_MS, () => preparePartitions(db, now())],
    [
      'delete soft bounces',
      HOURLY_MS,
      inBatches(DELETE_MAX, (batchMax) => forgetSoftBounces(db, ago(FULL_MAILBOX_DAYS), batchMax)),
    ],
    ['purge DKIM keys', DAILY_MS, () => purgeRetiredDkimKeys(db, now())],
    ['count events', COUNT_MS, afterTurn(yieldTurn, () => rollUp.run())],
    ['delete old metrics', HOURLY_MS, () => forgetOldMetrics(db, now(), DELETE_MAX)],
    [
      'delete audit entries',
      DAILY_MS,
      inBatches(DELETE_MAX, (batchMax) => forgetAudit(db, ago(AUDIT_DAYS), batchMax)),
    ],
    ['delete sessions and links', DELETE_MS, () => expireAccounts(db, now(), DELETE_MAX)],
    [
      'delete invitations',
      HOURLY_MS,
      inBatches(DELETE_MAX, (batchMax) => expireInvitations(db, ago(INVITATION_DAYS), batchMax)),
    ],
    ['send TLS reports', TLS_REPORTS_MS, sendTlsReport],
    ['delete TLS sessions', HOURLY_MS, () => purgeTls(db, now())],
    ['delete warm-up counts', DAILY_MS, () => deleteWarmupBefore(db, oldestKeptDay(now()))],
  ]
}

/**
 * Lists the tasks of alert messages.
 * @param sendAlerts sends due messages; resolves to true when more may be due
 */
function listAlertTasks(
  { pools, clock, config, log }: Runtime,
  sendAlerts: () => Promise<boolean>,
  yieldTurn: Backpressure['yieldTurn'],
): Task[] {
  const watching = { db: pools.engine, clock, log, limits: guardLimitsOf(config) }
  const forgetBefore = () => new Date(clock.now().getTime() - ALERT_MESSAGE_DAYS * DAILY_MS)
  const forget = (batchMax: number) => forgetMessages(pools.engine, forgetBefore(), batchMax)
  return [
    ['compare alerts', ALERTS_MS, afterTurn(yieldTurn, () => watchAlerts(watching, WATCHED_MAX))],
    ['send alerts', ALERTS_MS, sendAlerts],
    ['delete alert messages', HOURLY_MS, inBatches(DELETE_MAX, forget)],
  ]
}

/** Runs work once the mail of teams with priority has had its turn. */
function afterTurn<T>(yieldTurn: Backpressure['yieldTurn'], work: () => Promise<T>): () => Promise<T> {
  return async () => {
    await yieldTurn()
    return work()
  }
}

/**
 * Runs work in batches of `countMax`. Resolves to true after a full batch, which is followed by the next immediately.
 */
function inBatches(countMax: number, work: (countMax: number) => Promise<number>): () => Promise<boolean> {
  return async () => (await work(countMax)) === countMax
}

/** Deletes old TLS sessions and policies. Resolves to true when more may remain. */
async function purgeTls(db: Db, now: Date): Promise<boolean> {
  const sessions = await purgeTlsSessions(db, oldestKeptDay(now), DELETE_MAX)
  return (await purgeStsPolicies(db, now, DELETE_MAX)) === DELETE_MAX || sessions === DELETE_MAX
}

/** Returns the UTC day before which warm-up counts and TLS sessions are deleted. */
function oldestKeptDay(now: Date): string {
  return new Date(now.getTime() - WARMUP_KEPT_MS).toISOString().slice(0, 10)
}

/** Creates a function that sends due messages about alerts. It resolves to true when more may be due. */
function createSendAlerts(runtime: Runtime, acceptMime: AcceptMime): () => Promise<boolean> {
  const { config, clock, log, nodeId, secret, guard, hostAddresses } = runtime
  const connect = createGuardedConnector({
    guard,
    timeoutMs: ALERT_CONNECT_TIMEOUT_MS,
    addressesOf: hostAddresses,
    allowH2: false,
  })
  const deps = {
    db: runtime.pools.engine,
    clock,
    log,
    nodeId,
    acceptMime,
    publicUrl: config.publicUrl,
    from: readSystemFrom(config.accountFrom),
    isCapturing: config.delivery.kind === 'capture',
    secret,
    openLine: (url: string) =>
      openLine({ url, connect, connectionsMax: 1, timeoutMs: ALERT_POST_TIMEOUT_MS }),
  }
  return async () => (await sendMessages(deps, ALERT_SENDING_MAX)) === ALERT_SENDING_MAX
}
