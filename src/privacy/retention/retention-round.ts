import type { Db, Queryable } from '../../db/db-types.ts'
import { queryOn } from '../../db/own-connection.ts'
import { compactPartition } from '../../db/partitions/compact-partition.ts'
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
import { sweepCaptured, sweepWeek } from './sweep.ts'

const HOUR_MS = 3_600_000
/** Any number that nothing else uses. A hint: it keeps two schedulers from doing the same work, not from doing harm. */
const LOCK = 7_306_085_242
/** A week is looked through for rows that are over at most so often. */
const SWEEP_EVERY_MS = 6 * HOUR_MS
/** Endpoints that have failed for longer are switched off (webhooks/webhooks.ts); what they missed is not kept for them. */
export const FAILING_MAX_MS = 5 * 24 * HOUR_MS
/** So many rows gone from a partition are worth a vacuum of our own. */
const VACUUM_ROWS_MIN = 1000
/** To count a week's emails before they go, or to vacuum a table of gigabytes. */
const PATIENCE_MS = HOUR_MS

export interface RetentionDeps {
  db: Db
  clock: Clock
  log: Log
  installation: Periods
  /** For metrics. */
  onDropped?(table: string): void
  onDeleted?(table: string, rows: number): void
}

/** Why a partition that is over stays for now; null: nothing keeps it. */
export type Hold =
  | 'open deliveries'
  | 'mail scheduled lately'
  | 'events that nobody has read yet'
  | 'webhooks that wait'

/**
 * Drops what is over its period: whole weeks where no team keeps them longer and nothing in them is open, else row by row.
 * Whatever is killed when, the next round goes on: a week is taken out of its table in one transaction and removed in
 * another, and rows go in small ones.
 */
export class RetentionRound {
  readonly #deps: RetentionDeps
  /** When each partition was last looked through by this process. */
  readonly #swept = new Map<string, number>()
  #isStopping = false
  #pid: number | null = null

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  /** Ends what is under way soon. */
  async stop(): Promise<void> {
    this.#isStopping = true
    // A vacuum, or the count of a week: both begin anew another time.
    if (this.#pid !== null) await this.#deps.db.query('select pg_cancel_backend($1)', [this.#pid])
  }

  async run(): Promise<void> {
    const connection = await this.#deps.db.connect()
    const client = queryOn(connection, PATIENCE_MS)
    try {
      await client.query(`set statement_timeout = ${PATIENCE_MS}`)
      const rows = await client.query<{ isOurs: boolean; pid: number }>(
        'select pg_try_advisory_lock($1) as is_ours, pg_backend_pid() as pid',
        [LOCK],
      )
      if (rows[0]?.isOurs !== true) return
      this.#pid = rows[0].pid
      await this.#work(client)
    } catch (error) {
      if (!this.#isStopping) throw error
    } finally {
      this.#pid = null
      await connection.end()
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
    if (this.#isDue('captured')) await this.#sweepCaptured(periods)
  }

  async #treat(client: Queryable, partition: Partition, fate: Fate, periods: AllPeriods): Promise<void> {
    const { db, clock, log } = this.#deps
    const { table, name } = partition
    if (fate === 'over') {
      const hold = await findHold(db, partition, periods, clock.now())
      if (hold === null) return this.#drop(client, partition)
      log.info({ partition: name, hold }, 'a week that is over its period is kept for now')
    }
    if (!this.#isDue(name)) return
    const count = await sweepWeek(this.#sweepDeps(periods), table, partition)
    this.#deps.onDeleted?.(table, count)
    if (count > 0) log.info({ partition: name, rows: count }, 'deleted what is over its period')
    if (this.#isStopping) return
    if (count >= VACUUM_ROWS_MIN) await vacuumWeek(client, partition)
    if (fate === 'over' && (await compactPartition(client, partition))) {
      log.info({ partition: name }, 'gave back the disk of a week in which little is left')
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
      return this.#deps.log.info({ partition: name }, 'a week could not be dropped beside those who use it')
    await this.#removeRetired(client)
    this.#deps.onDropped?.(table)
    this.#deps.log.info({ partition: name }, 'dropped a week that is over its period')
  }

  async #removeRetired(client: Queryable): Promise<void> {
    for (const name of await listRetired(client)) await dropRetired(client, name)
  }

  async #sweepCaptured(periods: AllPeriods): Promise<void> {
    const count = await sweepCaptured(this.#sweepDeps(periods))
    this.#deps.onDeleted?.('captured', count)
    if (!this.#isStopping) this.#swept.set('captured', this.#deps.clock.now().getTime())
  }

  #sweepDeps(periods: AllPeriods) {
    const { db, clock } = this.#deps
    const now = clock.now()
    return { db, now, periods, failingBefore: failingBefore(now), isStopping: () => this.#isStopping }
  }

  #isDue(name: string): boolean {
    const sweptMs = this.#swept.get(name)
    return sweptMs === undefined || this.#deps.clock.now().getTime() >= sweptMs + SWEEP_EVERY_MS
  }

  #forget(partitions: readonly Partition[]): void {
    const known = new Set([...partitions.map(({ name }) => name), 'captured'])
    for (const name of this.#swept.keys()) if (!known.has(name)) this.#swept.delete(name)
  }
}

export async function readPeriods(db: Db, installation: Periods): Promise<AllPeriods> {
  const [said, isPlain] = await Promise.all([listTeamRetention(db), hasPlainTeam(db)])
  return combinePeriods(installation, said, isPlain)
}

const failingBefore = (now: Date) => new Date(now.getTime() - FAILING_MAX_MS)

/** What keeps a partition that is over for every team. */
export async function findHold(
  db: Db,
  partition: Partition,
  { longest }: AllPeriods,
  now: Date,
): Promise<Hold | null> {
  const { table } = partition
  if (table === 'event') {
    const unread = await findUnread(db, partition, failingBefore(now))
    return unread === null ? null : 'events that nobody has read yet'
  }
  if (table === 'webhook_delivery') {
    return (await hasWaitingWebhook(db, partition)) ? 'webhooks that wait' : null
  }
  if (await hasOpenDelivery(db, partition)) return 'open deliveries'
  const cutoff = cutoffOf(longest, KIND_OF[table], now)
  return (await hasScheduledAfter(db, partition, cutoff)) ? 'mail scheduled lately' : null
}

/** Tags and recipients went with the emails. */
async function vacuumWeek(client: Queryable, { table, name }: Partition): Promise<void> {
  const week = name.slice(table.length)
  const tables = table === 'email' ? ['email', 'email_tag', 'delivery'] : [table]
  for (const one of tables) {
    await client.query(`vacuum (skip_locked) ${one}${week}`)
  }
}
