import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/db-types.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { audienceCondition } from '../audience/audience-condition.ts'
import { addAudience, analyzeRecipients, pickWaiting } from '../rows/recipients-queries.ts'
import { type CampaignVersion, holdRun, type Run, saveAudienceProgress } from '../rows/runs-queries.ts'
import { finishRun, stopRun } from './end-run.ts'
import type { Fed, FeedDeps } from './feed-campaign.ts'
import type { Feeds } from './feeds.ts'
import type { Pacer } from './pacer.ts'
import { continueRetry } from './read-retry.ts'
import type { Slots } from './slots.ts'
import { pickWaitingIn } from './zone-queries.ts'
import type { Zones } from './zones.ts'

export interface AcceptRunDeps extends FeedDeps {
  log: Log
  /** Shared by all campaigns of the process. */
  slots: Slots
}

/** How long emails are accepted before the lease is extended again. */
const EXTEND_MS = 5000
/** The emails of one request. */
const FEED_COUNT = 100
/** The requests that may be under way when another begins. Bulk mail is committed one request at a time. */
const AHEAD_MAX = 1
/** The wait for the last emails to leave the queue. */
const FINISH_MS = 200
/** The longest wait for the hours of the next contacts, after which these are looked for again: clocks may be set. */
const OPENS_MS = 1000
/** The wait after nothing could be done. */
const IDLE_MS = 500

/** What one extension of a lease works with. */
export interface Sending {
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
export async function acceptRun(deps: AcceptRunDeps, sending: Sending): Promise<boolean> {
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
  { db }: AcceptRunDeps,
  { run, zones }: Sending,
  range: { after: string | null; until: string | null },
): Promise<string[]> {
  if (zones === null) return pickWaiting(db, run, FEED_COUNT, range)
  const timeZone = await zones.current(run)
  return timeZone === null ? [] : pickWaitingIn(db, run, timeZone, FEED_COUNT, range)
}

/** Lets other campaigns go on before the next request, if any wait. Returns whether to continue. */
async function giveWay(deps: AcceptRunDeps, sending: Sending): Promise<boolean> {
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
async function grow(
  { db, clock }: AcceptRunDeps,
  { run, version }: Sending,
  growth: Growth,
): Promise<boolean> {
  if (!growth.isAudienceDone) growth.isAudienceDone = await readAudiencePart(db, run, version, clock.now())
  if (growth.retryAfter !== null) growth.retryAfter = await continueRetry(db, run, clock.now())
  return !growth.isAudienceDone || growth.retryAfter !== null
}

/** Whether the work goes on: at once, later, or not at all. */
type Next = 'continue' | 'later' | 'stopped'

/** Nobody waits behind those of the last request. Waits for the requests, then looks again or ends the campaign. */
async function startOver(deps: AcceptRunDeps, sending: Sending, isGrowing: boolean): Promise<Next> {
  const { feeds, run, stopping, zones } = sending
  const wasBehind = feeds.after !== null
  const next = await settle(deps, sending, 0)
  if (next !== 'continue') return next
  feeds.startOver()
  zones?.leave()
  if (wasBehind || isGrowing) return 'continue'
  if (await finishRun(deps, run)) return 'stopped'
  const waitMs = waitMsOf(zones?.opensAt ?? null, deps.clock.now())
  await deps.slots.meanwhile(() => pauseUnless(stopping, waitMs))
  return 'continue'
}

function waitMsOf(opensAt: Date | null, now: Date): number {
  return opensAt === null ? FINISH_MS : Math.min(Math.max(opensAt.getTime() - now.getTime(), 1), OPENS_MS)
}

/** Waits until at most so many requests are under way. */
async function settle(deps: AcceptRunDeps, { run, feeds }: Sending, aheadMax: number): Promise<Next> {
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

/** Contacts that the first transaction tests: some tens of milliseconds, so that the first emails are accepted soon. */
const FIRST_COUNT = 5000
/** Contacts of each further one: some hundred milliseconds, for which a pause waits. Between two, a batch of emails is accepted. */
const PART_COUNT = 20_000

/**
 * Adds the next part of the audience, in the transaction that saves how far it was read. Does nothing if the campaign is no
 * longer being sent. Returns whether the audience is complete.
 */
async function readAudiencePart(
  db: Db,
  run: Run,
  { audience }: Pick<CampaignVersion, 'audience'>,
  now: Date,
): Promise<boolean> {
  const startedAt = run.startedAt ?? now
  const condition = await audienceCondition(db, run.teamId, audience, startedAt)
  // Not the time of the start: a clock that was set back since gives earlier contacts later ids.
  const until = audience.newestContactId ?? firstIdAt(new Date(startedAt.getTime() + 1))
  const isDone = await db.transaction(async (tx) => {
    const current = await holdRun(tx, run.teamId, run.id)
    if (current === null || current.isAudienceDone) return true
    const range = { after: current.audienceAfter, until }
    const countMax = current.audienceAfter === null ? FIRST_COUNT : PART_COUNT
    const hasZones = current.sendWindow?.byContact === true
    const { last, testedCount } = await addAudience(tx, run, condition, range, countMax, now, hasZones)
    const isLast = testedCount < countMax
    await saveAudienceProgress(tx, run, { after: last ?? current.audienceAfter, isDone: isLast })
    return isLast
  })
  // The first part of a large audience: all further statements are planned for one.
  if (!isDone) await analyzeRecipients(db, FIRST_COUNT)
  return isDone
}
