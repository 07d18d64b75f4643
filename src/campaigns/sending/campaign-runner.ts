import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createSignal } from '../../lib/async/signal.ts'
import type { Log } from '../../lib/log.ts'
import { CAMPAIGN_PAUSED } from '../../queue/campaign-paused.ts'
import { recordMove } from '../campaign-events.ts'
import type { PausedReason } from '../campaigns-queries.ts'
import { type FeedDeps, feedCampaign } from './feed-campaign.ts'
import { isQueueEmpty, Pacer } from './pacer.ts'
import { readAudiencePart } from './read-audience.ts'
import { pickWaiting } from './recipients-queries.ts'
import { type CompiledVersion, compileVersion } from './render-campaign.ts'
import {
  type CampaignVersion,
  extendRun,
  findVersion,
  holdRun,
  leaseRuns,
  type Move,
  moveCampaign,
  type Run,
  releaseHeld,
  releaseRun,
} from './runs-queries.ts'
import { startDue } from './start-campaign.ts'

export interface RunnerDeps extends FeedDeps {
  log: Log
  nodeId: string
}

export interface CampaignRunner {
  /** Waits for the emails that are being accepted. Another process, or the next start, continues. */
  stop(): Promise<void>
}

const POLL_MS = 500
/** Time after which another process takes over the campaigns of one that died. */
const LEASE_MS = 30_000
const EXTEND_MS = 5000
const RUNS_MAX = 4
/** The emails of one request. */
const FEED_COUNT = 100
/** The wait for the last emails to leave the queue. */
const FINISH_MS = 200
/** The wait after nothing could be done, or after a failure. */
const IDLE_MS = 500
const FAILURES_MAX = 20

/**
 * Sends campaigns until stopped. A process leases a campaign, reads its audience part by part, and meanwhile accepts emails of
 * those who wait. Any process may die at any point: what counts are the rows, which change with what they stand for.
 */
export function startCampaignRunner(deps: RunnerDeps): CampaignRunner {
  const stopping = new AbortController()
  const signal = createSignal()
  const running = new Map<string, Promise<void>>()

  async function look(): Promise<void> {
    const now = deps.clock.now()
    await startDue(deps.db, now)
    const free = RUNS_MAX - running.size
    if (free === 0) return
    const until = new Date(now.getTime() + LEASE_MS)
    for (const run of await leaseRuns(deps.db, deps.nodeId, { now, until }, free)) {
      const key = `${run.teamId}/${run.id}`
      const work = sendRun(deps, run, stopping.signal).finally(() => running.delete(key))
      running.set(key, work)
    }
  }

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'could not look for campaigns to send'),
      )
      if (!stopping.signal.aborted) await signal.wait(POLL_MS)
    }
  })()

  return {
    async stop() {
      stopping.abort()
      signal.notify()
      await loop
      await Promise.all(running.values())
    },
  }
}

interface Progress {
  /** Each resumption makes a version. */
  version: number
  /** How often its held mail was released. The second time finds what was on its way to be held at the resumption. */
  releaseCount: number
}

const RELEASES_MAX = 2

/** Sends one leased campaign until it ends, is paused or canceled, or the process stops. Never rejects. */
async function sendRun(deps: RunnerDeps, run: Run, stopping: AbortSignal): Promise<void> {
  const about = { campaign: run.id, team: run.teamId }
  let failureCount = 0
  deps.log.info(about, 'a campaign is being sent')
  const progress: Progress = { version: 0, releaseCount: 0 }
  while (!stopping.aborted) {
    try {
      if (!(await work(deps, run, progress, stopping))) break
      failureCount = 0
    } catch (error) {
      deps.log.warn({ err: error, ...about }, 'sending a campaign was interrupted and is resumed')
      if (!isPassing(error) && ++failureCount >= FAILURES_MAX)
        await stopRun(deps, run, 'errors').catch(() => {})
      await pause(IDLE_MS)
    }
  }
  await releaseRun(deps.db, run, deps.nodeId).catch(() => {})
}

/** Returns whether a failure passes by itself: the database is away, or the server has too much to do. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable ||
    (error instanceof ApiError && error.code === 'service_unavailable')
  )
}

/** Works on a campaign for one extension of its lease. Returns whether to continue. */
async function work(
  deps: RunnerDeps,
  { teamId, id }: Run,
  progress: Progress,
  stopping: AbortSignal,
): Promise<boolean> {
  const { db, clock, nodeId } = deps
  const run = await extendRun(db, { teamId, id }, nodeId, new Date(clock.now().getTime() + LEASE_MS))
  if (run === null) return false
  const version = await findVersion(db, run)
  if (version === null) throw new Error(`Campaign ${id} has no version ${run.version}.`)
  if (progress.version !== run.version) Object.assign(progress, { version: run.version, releaseCount: 0 })
  if (progress.releaseCount++ < RELEASES_MAX) await releaseAll(deps, run)
  const compiled = compileVersion(version)
  const endMs = performance.now() + EXTEND_MS
  const pacer = new Pacer(deps, run)
  let isAudienceDone = run.isAudienceDone
  while (!stopping.aborted && performance.now() < endMs) {
    if (!isAudienceDone) isAudienceDone = await readAudiencePart(db, run, version, clock.now())
    const contactIds = await pickWaiting(db, run, FEED_COUNT)
    if (contactIds.length === 0 && !isAudienceDone) continue
    if (contactIds.length === 0 && (await finish(deps, run))) return false
    const { count, waitMs } =
      contactIds.length === 0 ? { count: 0, waitMs: FINISH_MS } : await pacer.next(FEED_COUNT)
    if (count === 0) {
      if (isAudienceDone) await pauseUnless(stopping, waitMs)
      continue
    }
    const next = await feed(deps, run, compiled, contactIds.slice(0, count))
    if (next === 'stopped') return false
    if (next === 'nothing') return pause(IDLE_MS, true)
    pacer.accepted(next)
  }
  return true
}

/** Waits, but not while the process stops. */
async function pauseUnless(stopping: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: stopping }).catch(() => {})
}

/** Lets mail that a pause held go on. By itself it would look within a minute whether the pause is over. */
async function releaseAll({ db, clock }: RunnerDeps, run: Run): Promise<void> {
  while ((await releaseHeld(db, run, CAMPAIGN_PAUSED, clock.now())) > 0);
}

/** Returns how many emails were accepted, or why none was. */
async function feed(
  deps: RunnerDeps,
  run: Run,
  compiled: CompiledVersion<CampaignVersion>,
  contactIds: readonly string[],
): Promise<number | 'nothing' | 'stopped'> {
  const { acceptedCount, doneCount, obstacle } = await feedCampaign(deps, run, compiled, contactIds)
  if (obstacle !== null) {
    await stopRun(deps, run, obstacle)
    return 'stopped'
  }
  return doneCount === 0 ? 'nothing' : acceptedCount
}

/** Ends a campaign once nobody waits and its emails have left the queue. Returns whether it ended. */
async function finish({ db, clock, log }: RunnerDeps, run: Run): Promise<boolean> {
  if (!(await isQueueEmpty(db, run))) return false
  const hasEnded = await db.transaction(async (tx) => {
    const held = await holdRun(tx, run.teamId, run.id)
    if (held === null || !held.isAudienceDone) return false
    if ((await pickWaiting(tx, run, 1)).length > 0) return false
    await endRun(tx, run, { status: 'sent', pausedReason: null }, clock.now())
    return true
  })
  if (hasEnded) log.info({ campaign: run.id, team: run.teamId }, 'a campaign was sent')
  return hasEnded
}

async function endRun(tx: Tx, run: Run, move: Move, now: Date): Promise<void> {
  const name = await moveCampaign(tx, run, move, now)
  await recordMove(tx, { ...run, name }, move, now)
}

/** Pauses a campaign that cannot continue by itself. */
async function stopRun({ db, clock, log }: RunnerDeps, run: Run, pausedReason: PausedReason): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await holdRun(tx, run.teamId, run.id)) === null) return
    await endRun(tx, run, { status: 'paused', pausedReason }, clock.now())
  })
  log.warn({ campaign: run.id, team: run.teamId, reason: pausedReason }, 'a campaign was paused')
}
