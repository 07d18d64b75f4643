import type { Db, Queryable } from '../../db/db-types.ts'
import { cancelStatement, runAlone } from '../../db/own-connection.ts'
import { compactPartition, vacuumPartition } from '../../db/partitions/compact-partition.ts'
import {
  dropRetired,
  findUnread,
  hasOpenDelivery,
  hasScheduledAfter,
  hasWaitingWebhook,
  listRetired,
  retirePartition,
} from '../../db/partitions/drop-partitions.ts'
import { listPartitions, type Partition } from '../../db/partitions/partitions.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { hasPlainTeam, listTeamRetention } from '../../teams/team-retention-queries.ts'
import { type AllPeriods, combinePeriods, KIND_OF, type Periods } from './periods.ts'
import { classifyPartition, cutoffOf, type Fate } from './plan-retention.ts'
import { type SweepDeps, sweepCaptured, sweepWeek } from './sweep.ts'
import { sweepEndedCampaigns } from './sweep-ended-campaigns.ts'
import { sweepEndedRuns } from './sweep-ended-runs.ts'

const HOUR_MS = 3_600_000
/** The minimum interval between two sweeps of a week. */
const SWEEP_EVERY_MS = 6 * HOUR_MS
/** Endpoints that fail for longer are disabled (webhooks/webhooks.ts), and missed events are not kept for them. */
export const FAILING_MAX_MS = 5 * 24 * HOUR_MS
/** The tables without weeks that a round sweeps. */
const WHOLE_TABLES = ['captured', 'campaign_recipient', 'automation_run'] as const
type WholeTable = (typeof WHOLE_TABLES)[number]
/** The number of deleted rows that justifies an explicit vacuum. */
const VACUUM_ROWS_MIN = 1000
/** The time limit for counting a week's emails before they are dropped, and for vacuuming a table of gigabytes. */
const TIMEOUT_MS = HOUR_MS

export interface RetentionDeps {
  db: Db
  clock: Clock
  log: Log
  installation: Periods
  /** For metrics. */
  onDropped?(table: string): void
  onDeleted?(table: string, rows: number): void
}

/** The reason why an expired partition stays for now. */
export type Hold =
  | 'open deliveries'
  | 'recently scheduled emails'
  | 'unread events'
  | 'webhook deliveries waiting for a retry'

/**
 * Deletes expired data: whole weeks if no team keeps them longer and nothing in them is open, otherwise row by row.
 * The next round continues after a kill at any point: a week is detached from its table in one transaction and
 * removed in another, and rows are deleted in small transactions.
 */
export class RetentionRound {
  readonly #deps: RetentionDeps
  /** When this process last swept each partition. */
  readonly #swept = new Map<string, number>()
  #isStopping = false
  #pid: number | null = null

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  /** Stops the current work soon. */
  async stop(): Promise<void> {
    this.#isStopping = true
    // A vacuum or the count of a week may be canceled, because both can start again.
    if (this.#pid !== null) await cancelStatement(this.#deps.db, this.#pid)
  }

  async run(): Promise<void> {
    try {
      await runAlone(this.#deps.db, 'retention', TIMEOUT_MS, async ({ client, pid }) => {
        this.#pid = pid
        await this.#work(client)
      })
    } catch (error) {
      if (!this.#isStopping) throw error
    } finally {
      this.#pid = null
    }
  }

  async #work(client: Queryable): Promise<void> {
    await this.#removeRetired(client)
    const periods = await readPeriods(this.#deps.db, this.#deps.installation)
    const partitions = await listPartitions(client)
    this.#forget(partitions)
    for (const partition of partitions) {
      if (this.#isStopping) return
      const fate = classifyPartition(partition, periods, this.#deps.clock.now())
      if (fate !== 'kept') await this.#treat(client, partition, fate, periods)
    }
    if (this.#isDue('captured')) await this.#sweep('captured', sweepCaptured, periods)
    if (this.#isDue('campaign_recipient'))
      await this.#sweep('campaign_recipient', sweepEndedCampaigns, periods)
    if (this.#isDue('automation_run')) await this.#sweep('automation_run', sweepEndedRuns, periods)
  }

  async #treat(client: Queryable, partition: Partition, fate: Fate, periods: AllPeriods): Promise<void> {
    const { db, clock, log } = this.#deps
    const { table, name } = partition
    if (fate === 'over') {
      const hold = await findHold(db, partition, periods, clock.now())
      if (hold === null) return this.#drop(client, partition)
      log.info({ partition: name, hold }, 'an expired week is kept for now')
    }
    if (!this.#isDue(name)) return
    const count = await sweepWeek(this.#sweepDeps(periods), table, partition)
    this.#deps.onDeleted?.(table, count)
    if (count > 0) log.info({ partition: name, rows: count }, 'deleted expired rows')
    if (this.#isStopping) return
    if (count >= VACUUM_ROWS_MIN) await vacuumWeek(client, partition)
    if (fate === 'over' && (await compactPartition(client, partition)) === 'compacted') {
      log.info({ partition: name }, 'compacted a week that has few rows left')
    }
    this.#swept.set(name, clock.now().getTime())
  }

  async #drop(client: Queryable, partition: Partition): Promise<void> {
    const { table, name } = partition
    const isRetired = await retirePartition(
      client,
      partition,
      async () => table !== 'delivery' || !(await hasOpenDelivery(client, partition)),
    )
    if (!isRetired)
      return this.#deps.log.info({ partition: name }, 'a week could not be dropped because it is in use')
    await this.#removeRetired(client)
    this.#deps.onDropped?.(table)
    this.#deps.log.info({ partition: name }, 'dropped an expired week')
  }

  async #removeRetired(client: Queryable): Promise<void> {
    for (const name of await listRetired(client)) await dropRetired(client, name)
  }

  /** Sweeps a table that has no weeks. */
  async #sweep(
    table: WholeTable,
    sweep: (deps: SweepDeps) => Promise<number>,
    periods: AllPeriods,
  ): Promise<void> {
    const count = await sweep(this.#sweepDeps(periods))
    this.#deps.onDeleted?.(table, count)
    if (!this.#isStopping) this.#swept.set(table, this.#deps.clock.now().getTime())
  }

  #sweepDeps(periods: AllPeriods) {
    const { db, clock } = this.#deps
    const now = clock.now()
    return { db, now, periods, failingBefore: failingBefore(now), isStopping: () => this.#isStopping }
  }

  #isDue(name: string): boolean {
    const sweptMs = this.#swept.get(name)
    const nowMs = this.#deps.clock.now().getTime()
    // A time ahead is from before the clock was set back.
    return sweptMs === undefined || nowMs < sweptMs || nowMs >= sweptMs + SWEEP_EVERY_MS
  }

  #forget(partitions: readonly Partition[]): void {
    const known = new Set([...partitions.map(({ name }) => name), ...WHOLE_TABLES])
    for (const name of this.#swept.keys()) if (!known.has(name)) this.#swept.delete(name)
  }
}

export async function readPeriods(db: Db, installation: Periods): Promise<AllPeriods> {
  const [settings, isPlain] = await Promise.all([listTeamRetention(db), hasPlainTeam(db)])
  return combinePeriods(installation, settings, isPlain)
}

const failingBefore = (now: Date) => new Date(now.getTime() - FAILING_MAX_MS)

/** Returns the reason to keep a partition that has expired for every team, or null. */
export async function findHold(
  db: Db,
  partition: Partition,
  { longest }: AllPeriods,
  now: Date,
): Promise<Hold | null> {
  const { table } = partition
  if (table === 'request_log') return null
  if (table === 'event') {
    const unread = await findUnread(db, partition, failingBefore(now))
    return unread === null ? null : 'unread events'
  }
  if (table === 'webhook_delivery') {
    return (await hasWaitingWebhook(db, partition)) ? 'webhook deliveries waiting for a retry' : null
  }
  if (await hasOpenDelivery(db, partition)) return 'open deliveries'
  const cutoff = cutoffOf(longest, KIND_OF[table], now)
  return (await hasScheduledAfter(db, partition, cutoff)) ? 'recently scheduled emails' : null
}

/** Vacuums a week. Tags and recipients are deleted with the emails. */
async function vacuumWeek(client: Queryable, { table, name }: Partition): Promise<void> {
  const week = name.slice(table.length)
  const tables = table === 'email' ? ['email', 'email_tag', 'delivery'] : [table]
  for (const one of tables) {
    await vacuumPartition(client, { name: `${one}${week}` })
  }
}
