import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable, type Tx } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createSignal } from '../../lib/async/signal.ts'
import type { Log } from '../../lib/log.ts'
import { CAMPAIGN_PAUSED } from '../../queue/campaign-paused.ts'
import type { PausedReason } from '../rows/campaigns-queries.ts'
import { pickWaiting } from '../rows/recipients-queries.ts'
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
} from '../rows/runs-queries.ts'
import { recordMove } from './campaign-events.ts'
import { type Fed, type FeedDeps, feedCampaign } from './feed-campaign.ts'
import { Feeds } from './feeds.ts'
import { isQueueEmpty, Pacer } from './pacer.ts'
import { readAudiencePart } from './read-audience.ts'
import { continueRetry } from './read-retry.ts'
import { type CompiledVersion, compileVersion } from './render-campaign.ts'
import { Slots } from './slots.ts'
import { startDue } from './start-campaign.ts'
import { pickWaitingIn } from './zone-queries.ts'
import { Zones } from './zones.ts'

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
/** The campaigns that a process works on at a time, which bounds its connections to the database. */
const WORKING_MAX = 4
/** The campaigns that a process leases. Most of many wait for their hours, their rate or the queue. */
const RUNS_MAX = 64
/** The emails of one request. */
const FEED_COUNT = 100
/** The requests that may be under way when another begins. Bulk mail is committed one request at a time. */
const AHEAD_MAX = 1
/** The wait for the last emails to leave the queue. */
const FINISH_MS = 200
/** The longest wait for the hours of the next contacts, after which these are looked for again: clocks may be set. */
const OPENS_MS = 1000
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
  const slots = new Slots(WORKING_MAX)
  // With all leases taken, each campaign gives its lease up after a while, to those that wait for one.
  const isFull = () => running.size >= RUNS_MAX
  const worker: Worker = { ...deps, slots, isFull }

  async function look(): Promise<void> {
    const now = deps.clock.now()
    await startDue(deps.db, now)
    // Few at a time, so that several processes share the campaigns.
    const free = Math.min(WORKING_MAX, RUNS_MAX - running.size)
    if (free === 0) return
    const until = new Date(now.getTime() + LEASE_MS)
    for (const run of await leaseRuns(deps.db, deps.nodeId, { now, until }, free)) {
      const key = `${run.teamId}/${run.id}`
      const work = sendRun(worker, run, stopping.signal).finally(() => running.delete(key))
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

/** What the campaigns of a process share. */
interface Worker extends RunnerDeps {
  slots: Slots
  /** Whether no further campaign can be leased. */
  isFull(): boolean
}

interface Progress {
  /** Each resumption makes a version. */
  version: number
  /** How often its held mail was released. The second time finds what was on its way to be held at the resumption. */
  releaseCount: number
  /** Null: it is not sent by the clocks of its contacts. Its hours change with its versions only. */
  zones: Zones | null
}

const RELEASES_MAX = 2

function zonesOf(deps: RunnerDeps, { sendWindow }: Run): Zones | null {
  return sendWindow?.byContact === true ? new Zones(deps, sendWindow) : null
}

/** Sends one leased campaign until it ends, is paused or canceled, or the process stops. Never rejects. */
async function sendRun(deps: Worker, run: Run, stopping: AbortSignal): Promise<void> {
  const about = { campaign: run.id, team: run.teamId }
  let failureCount = 0
  deps.log.info(about, 'a campaign is being sent')
  const progress: Progress = { version: 0, releaseCount: 0, zones: null }
  while (!stopping.aborted) {
    try {
      if (!(await work(deps, run, progress, stopping)) || deps.isFull()) break
      failureCount = 0
    } catch (error) {
      deps.log.warn({ err: error, ...about }, 'sending a campaign was interrupted and is resumed')
      if (!isPassing(error) && ++failureCount >= FAILURES_MAX)
        await stopRun(deps, run, 'errors').catch(() => {})
      await pause(IDLE_MS)
    }
  }
  await releaseRun(deps.db, run, deps.nodeId, deps.clock.now()).catch(() => {})
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
  deps: Worker,
  { teamId, id }: Run,
  progress: Progress,
  stopping: AbortSignal,
): Promise<boolean> {
  const { db, clock, nodeId } = deps
  const run = await extendRun(db, { teamId, id }, nodeId, new Date(clock.now().getTime() + LEASE_MS))
  if (run === null) return false
  const version = await findVersion(db, run)
  if (version === null) throw new Error(`Campaign ${id} has no version ${run.version}.`)
  if (progress.version !== run.version)
    Object.assign(progress, { version: run.version, releaseCount: 0, zones: zonesOf(deps, run) })
  if (progress.releaseCount++ < RELEASES_MAX) await releaseAll(deps, run)
  let compiled: CompiledVersion<CampaignVersion> | null = null
  const feeds = new Feeds()
  const sending: Sending = {
    ...{ run, version, feeds, pacer: new Pacer(deps, run), zones: progress.zones, stopping },
    // Most turns of a campaign that waits need no content.
    feed(contactIds) {
      compiled ??= compileVersion(version)
      return feedCampaign(deps, run, compiled, contactIds)
    },
  }
  return deps.slots.during(() => accept(deps, sending).finally(() => feeds.end()))
}

/** What one extension of a lease works with. */
interface Sending {
  run: Run
  version: CampaignVersion
  feeds: Feeds
  pacer: Pacer
  zones: Zones | null
  stopping: AbortSignal
  feed(contactIds: readonly string[]): Promise<Fed>
}

/**
 * Accepts emails until the lease must be extended, and meanwhile lets further recipients wait. Between two parts of those, one
 * request is accepted: each would otherwise keep the locks of its team while it waits for the part. Returns whether to continue.
 */
async function accept(deps: Worker, sending: Sending): Promise<boolean> {
  const { run, feeds, pacer, stopping } = sending
  const endMs = performance.now() + EXTEND_MS
  const growth: Growth = { isAudienceDone: run.isAudienceDone, retryAfter: run.retryAfter }
  while (!stopping.aborted && performance.now() < endMs) {
    const isGrowing = await grow(deps, sending, growth)
    const contactIds = await pick(deps, sending, { after: feeds.after, until: growth.retryAfter })
    if (contactIds.length === 0) {
      const next = await startOver(deps, sending, isGrowing)
      if (next !== 'continue') return next === 'later'
      continue
    }
    const { count, waitMs } = await pacer.next(FEED_COUNT, feeds.count)
    if (count > 0) {
      pacer.take(count)
      feeds.begin(contactIds.slice(0, count), sending.feed)
    }
    const isAhead = count > 0 && !isGrowing && run.ratePerHour === null
    const next = await settle(deps, sending, isAhead ? AHEAD_MAX : 0)
    if (next !== 'continue') return next === 'later'
    if (count === 0 && !isGrowing) await deps.slots.meanwhile(() => pauseUnless(stopping, waitMs))
    else if (!(await giveWay(deps, sending))) return false
  }
  return (await settle(deps, sending, 0)) !== 'stopped'
}

/** Returns the next who wait; those of one time zone, if the hours are those of the contacts. */
async function pick(
  { db }: RunnerDeps,
  { run, zones }: Sending,
  range: { after: string | null; until: string | null },
): Promise<string[]> {
  if (zones === null) return pickWaiting(db, run, FEED_COUNT, range)
  const timeZone = await zones.current(run)
  return timeZone === null ? [] : pickWaitingIn(db, run, timeZone, FEED_COUNT, range)
}

/** Lets other campaigns go on before the next request, if any wait. Returns whether to continue. */
async function giveWay(deps: Worker, sending: Sending): Promise<boolean> {
  if (!deps.slots.isWanted) return true
  const next = await settle(deps, sending, 0)
  await deps.slots.meanwhile(async () => {})
  return next !== 'stopped'
}

/** Whether recipients are still to be added, or to wait again. */
interface Growth {
  isAudienceDone: boolean
  retryAfter: string | null
}

/** Lets the next part of the audience, and of a retry, wait. Returns whether there may be more. */
async function grow({ db, clock }: RunnerDeps, { run, version }: Sending, growth: Growth): Promise<boolean> {
  if (!growth.isAudienceDone) growth.isAudienceDone = await readAudiencePart(db, run, version, clock.now())
  if (growth.retryAfter !== null) growth.retryAfter = await continueRetry(db, run, clock.now())
  return !growth.isAudienceDone || growth.retryAfter !== null
}

/** Whether the work goes on: at once, later, or not at all. */
type Next = 'continue' | 'later' | 'stopped'

/** Nobody waits behind those of the last request. Waits for the requests, then looks again or ends the campaign. */
async function startOver(deps: Worker, sending: Sending, isGrowing: boolean): Promise<Next> {
  const { feeds, run, stopping, zones } = sending
  const wasBehind = feeds.after !== null
  const next = await settle(deps, sending, 0)
  if (next !== 'continue') return next
  feeds.startOver()
  zones?.leave()
  if (wasBehind || isGrowing) return 'continue'
  if (await finish(deps, run)) return 'stopped'
  const waitMs = waitMsOf(zones?.opensAt ?? null, deps.clock.now())
  await deps.slots.meanwhile(() => pauseUnless(stopping, waitMs))
  return 'continue'
}

function waitMsOf(opensAt: Date | null, now: Date): number {
  return opensAt === null ? FINISH_MS : Math.min(Math.max(opensAt.getTime() - now.getTime(), 1), OPENS_MS)
}

/** Waits until at most so many requests are under way. */
async function settle(deps: Worker, { run, feeds }: Sending, aheadMax: number): Promise<Next> {
  for (let fed = await feeds.settle(aheadMax); fed !== null; fed = await feeds.settle(aheadMax)) {
    if (fed.obstacle !== null) {
      await stopRun(deps, run, fed.obstacle)
      return 'stopped'
    }
    if (fed.doneCount === 0) {
      await deps.slots.meanwhile(() => pause(IDLE_MS))
      return 'later'
    }
  }
  return 'continue'
}

/** Waits, but not while the process stops. */
async function pauseUnless(stopping: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: stopping }).catch(() => {})
}

/** Lets mail that a pause held go on. By itself it would look within a minute whether the pause is over. */
async function releaseAll({ db, clock }: RunnerDeps, run: Run): Promise<void> {
  while ((await releaseHeld(db, run, CAMPAIGN_PAUSED, clock.now())) > 0);
}

/** Ends a campaign once nobody waits and its emails have left the queue. Returns whether it ended. */
async function finish({ db, clock, log }: RunnerDeps, run: Run): Promise<boolean> {
  if (!(await isQueueEmpty(db, run))) return false
  const hasEnded = await db.transaction(async (tx) => {
    const held = await holdRun(tx, run.teamId, run.id)
    if (held === null || !held.isAudienceDone || held.retryAfter !== null) return false
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
