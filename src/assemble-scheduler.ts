import type { Registry } from 'prom-client'
import { countRetention } from './assemble-metrics.ts'
import type { Log } from './base/log.ts'
import { repeat } from './base/repeat.ts'
import type { Config } from './config.ts'
import { sweepImports } from './operations/csv/import-runner.ts'
import { purgeRetiredDkimKeys } from './operations/domain-keys.ts'
import { forgetOldMetrics } from './operations/metrics/forget.ts'
import { RollUp } from './operations/metrics/roll-up.ts'
import { releaseDue } from './operations/release-due.ts'
import { installationPeriods } from './operations/retention/periods.ts'
import { RetentionRound } from './operations/retention/round.ts'
import { type DomainDeps, recheckDueDomains } from './operations/verify-domain.ts'
import { PromoteRound } from './queue/promote.ts'
import { forgetAudit } from './store/audit.ts'
import type { Db } from './store/db.ts'
import { forgetIdempotency } from './store/idempotency.ts'
import { sweepLeftovers } from './store/leftovers.ts'
import { keepPartitions } from './store/partitions.ts'
import { forgetSoftBounces } from './store/soft-bounces.ts'
import { forgetWarmup } from './store/sources.ts'
import { purgeStsPolicies } from './store/sts-policies.ts'
import { purgeTlsSessions } from './store/tls-sessions.ts'

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
/** An address whose mailbox was not full for so long begins anew. */
const FULL_MAILBOX_DAYS = 180

/** The scheduler role: what happens by time. Several processes may run it; rows are taken with SKIP LOCKED. */
export function startScheduler(
  deps: DomainDeps & {
    config: Config
    log: Log
    registry: Registry
    wake(): void
    /** Sends one that is due; true: there may be more. */
    sendTlsReport(): Promise<boolean>
  },
): () => Promise<void> {
  const { db, clock, log } = deps
  const round = new PromoteRound()
  const rollUp = new RollUp({ db, clock, guard: guardOf(deps.config) })
  const retention = new RetentionRound({
    db,
    clock,
    log,
    installation: installationPeriods(deps.config),
    ...countRetention(deps.registry),
  })
  const tasks = [
    repeat(
      'release due mail',
      RELEASE_MS,
      async () => {
        const { count, more } = await releaseDue(db, clock.now(), round)
        if (count > 0) deps.wake()
        return more
      },
      log,
    ),
    repeat(
      'check domains',
      DOMAINS_MS,
      async () => (await recheckDueDomains(deps, DOMAINS_MAX)) === DOMAINS_MAX,
      log,
    ),
    repeat(
      'forget idempotency keys',
      FORGET_MS,
      async () => (await forgetIdempotency(db, clock.now(), FORGET_MAX)) === FORGET_MAX,
      log,
    ),
    repeat('sweep leftovers', SWEEP_MS, () => sweepLeftovers(db, SWEEP_MAX), log),
    repeat(
      'sweep imports',
      IMPORTS_MS,
      async () => (await sweepImports({ db, clock }, IMPORTS_MAX)) === IMPORTS_MAX,
      log,
    ),
    repeat('drop what is over its period', RETENTION_MS, () => retention.run(), log),
    repeat('make partitions', HOURLY_MS, () => keepPartitions(db, clock.now()), log),
    repeat(
      'forget full mailboxes',
      HOURLY_MS,
      async () => {
        const before = new Date(clock.now().getTime() - FULL_MAILBOX_DAYS * DAILY_MS)
        return (await forgetSoftBounces(db, before, FORGET_MAX)) === FORGET_MAX
      },
      log,
    ),
    repeat(
      'purge DKIM keys',
      DAILY_MS,
      async () => {
        await purgeRetiredDkimKeys(db, clock.now())
      },
      log,
    ),
    repeat('count events', COUNT_MS, () => rollUp.run(), log),
    repeat('forget old figures', HOURLY_MS, () => forgetOldMetrics(db, clock.now(), FORGET_MAX), log),
    repeat('forget audit entries', DAILY_MS, () => forgetOldAudit(db, clock.now()), log),
    repeat('send TLS reports', TLS_REPORTS_MS, deps.sendTlsReport, log),
    repeat('forget TLS sessions', HOURLY_MS, () => forgetTls(db, clock.now()), log),
    repeat('forget warm-up counts', DAILY_MS, () => forgetWarmup(db, aMonthAgo(clock.now())), log),
  ]
  return async () => {
    await retention
      .stop()
      .catch((error: unknown) => log.debug({ err: error }, 'retention was not told to stop'))
    await Promise.all(tasks.map((task) => task.stop()))
  }
}

function guardOf(config: Config) {
  const { guardBounceRate: bounceRate, guardComplaintRate: complaintRate, guardRecipientsMin } = config
  return { bounceRate, complaintRate, recipientsMin: guardRecipientsMin }
}

/** True: there may be more. */
async function forgetOldAudit(db: Db, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - AUDIT_DAYS * DAILY_MS)
  return (await forgetAudit(db, before, FORGET_MAX)) === FORGET_MAX
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
