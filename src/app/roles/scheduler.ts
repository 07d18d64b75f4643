import { forgetAudit } from '../../access/audit-queries.ts'
import { expireAccounts, expireInvitations } from '../../accounts/expire-accounts-queries.ts'
import { sweepTombstones } from '../../audience/contacts/tombstones-queries.ts'
import { sweepImports } from '../../audience/imports/import-runner.ts'
import type { Db } from '../../db/db-types.ts'
import { preparePartitions } from '../../db/partitions/partitions.ts'
import { releaseDue } from '../../delivery/settle/release-due.ts'
import { forgetWarmup } from '../../delivery/sources/sources-queries.ts'
import { purgeStsPolicies } from '../../delivery/tls/sts-policies-queries.ts'
import { purgeTlsSessions } from '../../delivery/tls-reports/tls-sessions-queries.ts'
import { purgeRetiredDkimKeys } from '../../domains/domain-keys.ts'
import { recheckDueDomains } from '../../domains/verify-domain.ts'
import { forgetIdempotency } from '../../emails/idempotency/idempotency-queries.ts'
import { repeat } from '../../lib/async/repeat.ts'
import { forgetOldMetrics } from '../../metrics/forget.ts'
import { guardLimitsOf } from '../../metrics/guard.ts'
import { RollUp } from '../../metrics/roll-up.ts'
import { startErasing } from '../../privacy/erasure/start-erasing.ts'
import { installationPeriods } from '../../privacy/retention/periods.ts'
import { RetentionRound } from '../../privacy/retention/retention-round.ts'
import { PromoteRound } from '../../queue/promote-queries.ts'
import { forgetSoftBounces } from '../../suppressions/soft-bounces-queries.ts'
import type { Acceptance } from '../acceptance.ts'
import { countRetention } from '../metrics.ts'
import type { Runtime } from '../runtime.ts'
import { createTlsReports } from '../tls-reports.ts'

const RELEASE_MS = 500
const DOMAINS_MS = 30_000
const DOMAINS_MAX = 50
const FORGET_MS = 60_000
const FORGET_MAX = 5000
/** How long what a deleted list or property left behind may wait; once begun it is swept without pause. */
const SWEEP_MS = 10_000
/** Milliseconds for one statement, and no lock for longer. */
const SWEEP_MAX = 1000
const IMPORTS_MS = 60_000
const IMPORTS_MAX = 10
const TLS_REPORTS_MS = 60_000
const HOURLY_MS = 3_600_000
const DAILY_MS = 24 * HOURLY_MS
/** How far figures may lie behind, at least. Longer turns would count more events with each write of the same rows. */
const COUNT_MS = 1000
/** A week that somebody uses for long is tried again then. */
const RETENTION_MS = 10 * 60_000
const WARMUP_KEPT_MS = 35 * DAILY_MS
const AUDIT_DAYS = 365
/** An invitation that nobody followed or sent again. */
const INVITATION_DAYS = 30
/** An address whose mailbox was not full for so long begins anew. */
const FULL_MAILBOX_DAYS = 180

/** What happens again and again: its name in logs, how long after it ended, and what is done; true: there may be more. */
type Task = [name: string, everyMs: number, work: () => Promise<unknown>]

/** The scheduler role: what happens by time. Several processes may run it; rows are taken with SKIP LOCKED. */
export function startScheduler(runtime: Runtime, { acceptMime }: Pick<Acceptance, 'acceptMime'>): void {
  const { config, clock, log, nodeId, metrics, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const sendTlsReport = createTlsReports(runtime, acceptMime)
  const retention = new RetentionRound({
    db,
    clock,
    log,
    installation: installationPeriods(config),
    ...countRetention(metrics.registry),
  })
  const erasing = startErasing({ db, clock, log, nodeId })
  const tasks = listTasks(runtime, retention, sendTlsReport)
  const running = tasks.map(([name, everyMs, work]) => repeat(name, everyMs, work, log))
  lifecycle.add('scheduler', async () => {
    await retention
      .stop()
      .catch((error: unknown) => log.debug({ err: error }, 'retention was not told to stop'))
    await Promise.all([erasing.stop(), ...running.map((task) => task.stop())])
  })
}

/** @param sendTlsReport sends one that is due; true: there may be more */
function listTasks(
  { pools, clock, config, secret, due }: Runtime,
  retention: RetentionRound,
  sendTlsReport: () => Promise<boolean>,
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
    ['check domains', DOMAINS_MS, inPieces(DOMAINS_MAX, (most) => recheckDueDomains(domains, most))],
    [
      'forget idempotency keys',
      FORGET_MS,
      inPieces(FORGET_MAX, (most) => forgetIdempotency(db, now(), most)),
    ],
    ['sweep leftovers', SWEEP_MS, () => sweepTombstones(db, SWEEP_MAX)],
    ['sweep imports', IMPORTS_MS, inPieces(IMPORTS_MAX, (most) => sweepImports({ db, clock }, most))],
    ['drop what is over its period', RETENTION_MS, () => retention.run()],
    ['make partitions', HOURLY_MS, () => preparePartitions(db, now())],
    [
      'forget full mailboxes',
      HOURLY_MS,
      inPieces(FORGET_MAX, (most) => forgetSoftBounces(db, ago(FULL_MAILBOX_DAYS), most)),
    ],
    ['purge DKIM keys', DAILY_MS, () => purgeRetiredDkimKeys(db, now())],
    ['count events', COUNT_MS, () => rollUp.run()],
    ['forget old figures', HOURLY_MS, () => forgetOldMetrics(db, now(), FORGET_MAX)],
    [
      'forget audit entries',
      DAILY_MS,
      inPieces(FORGET_MAX, (most) => forgetAudit(db, ago(AUDIT_DAYS), most)),
    ],
    ['forget sessions and links', FORGET_MS, () => expireAccounts(db, now(), FORGET_MAX)],
    [
      'forget invitations',
      HOURLY_MS,
      inPieces(FORGET_MAX, (most) => expireInvitations(db, ago(INVITATION_DAYS), most)),
    ],
    ['send TLS reports', TLS_REPORTS_MS, sendTlsReport],
    ['forget TLS sessions', HOURLY_MS, () => forgetTls(db, now())],
    ['forget warm-up counts', DAILY_MS, () => forgetWarmup(db, aMonthAgo(now()))],
  ]
}

/** Work by pieces of so many; one that is full is followed by the next at once. */
function inPieces(countMax: number, work: (countMax: number) => Promise<number>): () => Promise<boolean> {
  return async () => (await work(countMax)) === countMax
}

/** True: there may be more. */
async function forgetTls(db: Db, now: Date): Promise<boolean> {
  const sessions = await purgeTlsSessions(db, aMonthAgo(now), FORGET_MAX)
  return (await purgeStsPolicies(db, now, FORGET_MAX)) === FORGET_MAX || sessions === FORGET_MAX
}

/** The UTC day before which counts of warming sources and TLS sessions are of no interest any more. */
function aMonthAgo(now: Date): string {
  return new Date(now.getTime() - WARMUP_KEPT_MS).toISOString().slice(0, 10)
}
