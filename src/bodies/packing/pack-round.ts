import { setTimeout as pause } from 'node:timers/promises'
import { cancelStatement, type OwnConnection, runAlone } from '../../db/own-connection.ts'
import { compactPartition, vacuumPartition } from '../../db/partitions/compact-partition.ts'
import {
  listPartitions,
  makePartition,
  type Partition,
  partitionsAt,
} from '../../db/partitions/partitions.ts'
import type { Log } from '../../lib/log.ts'
import { collectPacks } from './collect.ts'
import type { PackKey } from './collect-queries.ts'
import { DamagedBodies } from './damaged-bodies.ts'
import { type PackDeps, packTeam } from './pack-team.ts'
import { hasPacks, listTeamsToPack } from './packing-queries.ts'

/** The time limit of the vacuum of a week. */
const TIMEOUT_MS = 3_600_000
const TEAMS_MAX = 1000
/** The minimum interval between two searches for objects to delete. */
const COLLECT_EVERY_MS = 6 * 3_600_000
/** After so many moved bodies, the space that they leave is returned to the disk. */
const MOVED_MIN = 1000
const RECOGNIZE_MS = 10_000
const REST_MIN_MS = 10
/** After so many teams in a row, the store is probably away. */
const FAILURES_MAX = 3

export interface PackRoundDeps extends Omit<PackDeps, 'damaged' | 'isStopping' | 'rest'> {
  log: Log
}

/**
 * Moves bodies of settled emails to the store, team by team, and deletes objects that are no longer used. One process of the
 * installation does so at a time. The next round continues after a kill at any point.
 */
export class PackRound {
  readonly #deps: PackRoundDeps
  readonly #damaged = new DamagedBodies()
  #movedCount = 0
  #collectedMs: number | null = null
  /** The pack after which the next search for objects to delete begins; null: the first. */
  #collectedLast: PackKey | null = null
  /** The team after which the next round begins; null: the first. */
  #after: string | null = null
  #pid: number | null = null
  #isStopping = false

  constructor(deps: PackRoundDeps) {
    this.#deps = deps
  }

  /** Lets the current round end after the pack that it is writing. A vacuum is canceled, because it can start again. */
  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#pid !== null) await cancelStatement(this.#deps.db, this.#pid)
  }

  async run(): Promise<void> {
    try {
      await runAlone(this.#deps.db, 'packing', TIMEOUT_MS, (own) => {
        this.#pid = own.pid
        return this.#work(own)
      })
    } catch (error) {
      if (!this.#isStopping) throw error
    } finally {
      this.#pid = null
    }
  }

  async #work(own: OwnConnection): Promise<void> {
    const { log } = this.#deps
    await this.#deps.store.recognize(!(await hasPacks(this.#deps.db)), AbortSignal.timeout(RECOGNIZE_MS))
    await this.#preparePartitions(own)
    const moved = { packs: 0, bodies: 0, plainBytes: 0, bytes: 0 }
    const deps: PackDeps = {
      ...this.#deps,
      damaged: this.#damaged,
      isStopping: () => this.#isStopping,
      rest: (sinceMs) => pause(Math.max(REST_MIN_MS, performance.now() - sinceMs)),
      onPacked: (packed) => {
        moved.packs++
        moved.bodies += packed.bodies
        moved.plainBytes += packed.plainBytes
        moved.bytes += packed.bytes
        this.#deps.onPacked(packed)
      },
    }
    try {
      await this.#packTeams(deps)
    } finally {
      this.#damaged.endRound(log)
      this.#movedCount += moved.bodies
      if (moved.packs > 0) log.info(moved, 'moved bodies to their store')
    }
    await this.#freeSpace(own)
    await this.#collect(deps)
  }

  /** A team whose bodies cannot be moved does not keep those of others. */
  async #packTeams(deps: PackDeps): Promise<void> {
    let after = this.#after
    this.#after = null
    let failureCount = 0
    do {
      const teams: string[] = await listTeamsToPack(deps.db, after, TEAMS_MAX)
      for (const teamId of teams) {
        if (this.#isStopping) return
        const error = await packTeam(deps, teamId).catch((reason: unknown) => reason)
        failureCount = error === undefined ? 0 : failureCount + 1
        if (error !== undefined)
          this.#deps.log.warn({ err: error, team: teamId }, 'bodies could not be moved')
        if (failureCount < FAILURES_MAX) continue
        // If the store is not at fault, the teams after these must have their turn.
        this.#after = teamId
        return
      }
      after = teams.length === TEAMS_MAX ? (teams.at(-1) ?? null) : null
    } while (after !== null)
  }

  /** Creates the missing weeks of packed contents: those of emails from before the version that has packs. */
  async #preparePartitions({ connection, client }: OwnConnection): Promise<void> {
    const partitions = await listPartitions(client)
    const names = new Set(partitions.map(({ name }) => name))
    for (const { from } of partitions.filter(({ table }) => table === 'email_content')) {
      const packed = partitionsAt(from).find(({ table }) => table === 'packed_content') as Partition
      if (!names.has(packed.name)) await makePartition(connection, packed)
    }
  }

  /** Returns the space of moved bodies of past weeks. In this week, new bodies use it again. */
  async #freeSpace({ client }: OwnConnection): Promise<void> {
    const { clock, log } = this.#deps
    if (this.#movedCount < MOVED_MIN) return
    let isAnyBusy = false
    for (const partition of await listPartitions(client)) {
      if (this.#isStopping) return
      if (partition.table !== 'email_content' || partition.to > clock.now()) continue
      await vacuumPartition(client, partition)
      const result = await compactPartition(client, partition)
      isAnyBusy ||= result === 'busy'
      if (result === 'compacted')
        log.info({ partition: partition.name }, 'compacted a week whose bodies were moved')
    }
    // Otherwise the next round tries again.
    if (!isAnyBusy) this.#movedCount = 0
  }

  async #collect(deps: PackDeps): Promise<void> {
    const { log } = this.#deps
    const nowMs = deps.clock.now().getTime()
    if (this.#isStopping) return
    // A time ahead is from before the clock was set back.
    const sinceMs = this.#collectedMs === null ? null : nowMs - this.#collectedMs
    if (sinceMs !== null && sinceMs >= 0 && sinceMs < COLLECT_EVERY_MS) return
    this.#collectedMs = nowMs
    const { count, isLate, last } = await collectPacks({ ...deps, log }, this.#collectedLast)
    this.#collectedLast = last
    if (isLate) this.#collectedMs = null
    if (count > 0) log.info({ objects: count }, 'deleted packs that no email names')
  }
}
