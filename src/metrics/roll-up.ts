import { SIMULATOR_DOMAIN } from '../classification/simulator.ts'
import type { Db, Tx } from '../db/db-types.ts'
import { together } from '../db/transactions.ts'
import { compareTexts } from '../lib/text/compare-texts.ts'
import type { Clock } from '../lib/time/clock.ts'
import { type GuardLimits, guardReputation } from './alerts/guard.ts'
import { countStepEvents } from './automations/count-steps.ts'
import { addStepCounts, type StepRow } from './automations/step-counts-queries.ts'
import { addCampaignCounts } from './campaigns/campaign-counts-queries.ts'
import { type CampaignTally, countCampaignEvents } from './campaigns/count-campaigns.ts'
import { addLinkCounts } from './campaigns/link-counts-queries.ts'
import { boundKeys, mergeRows } from './counting/bound-keys.ts'
import { startOfDay, startOfMonth } from './counting/calendar.ts'
import { countEvents, findVisits } from './counting/count-events.ts'
import {
  addMetricCounts,
  addMetricDelays,
  type Grain,
  type MetricRow,
} from './counting/metric-counts-queries.ts'
import {
  ensureMetricFeeds,
  findCountedEmails,
  findUncountedTeams,
  lockMetricFeeds,
  type MetricFeed,
  moveMetricFeeds,
  readUncounted,
  type UncountedEvent,
} from './counting/metric-feed-queries.ts'
import { storeVisits } from './counting/metric-visits-queries.ts'
import { addOutcomes, type OutcomeRow } from './outcomes/outcome-counts-queries.ts'
import { rollUpOutcomes } from './outcomes/roll-up-outcomes.ts'

/** The most teams and counted events in one transaction. It takes a few milliseconds of the event loop. */
const TEAMS_MAX = 50
const EVENTS_MAX = 1000
/** The most positions that PostgreSQL scans for them. An import records an event for each contact, which is not counted. */
const SCAN_MAX = 20_000

export interface RollUpDeps {
  db: Db
  clock: Clock
  guard: GuardLimits
}

/**
 * Counts the events since the last run, for some teams at a time. A row holds each team's position, which the
 * transaction that adds to its metrics locks and advances, so that each event is counted once despite crashes. Several
 * processes may run: a team that one is counting is skipped by the others.
 */
export class RollUp {
  readonly #deps: RollUpDeps
  /** The team after which the next scan starts, so that all teams get their turn. */
  #after: string | null = null

  constructor(deps: RollUpDeps) {
    this.#deps = deps
  }

  /** Runs one transaction. Returns true when there may be more to count. */
  async run(): Promise<boolean> {
    const { db, clock, guard } = this.#deps
    const teams = await findUncountedTeams(db, this.#after, TEAMS_MAX)
    const wasWithin = this.#after !== null
    this.#after = teams.length === TEAMS_MAX ? (teams.at(-1) ?? null) : null
    if (teams.length === 0) return wasWithin
    await ensureMetricFeeds(db, teams)
    const hasLeft = await db.transaction((tx) => countTeams(tx, teams, guard, clock.now()))
    return hasLeft || this.#after !== null || wasWithin
  }
}

/** Returns true when a team has more events than were counted now. */
async function countTeams(tx: Tx, teams: readonly string[], guard: GuardLimits, now: Date): Promise<boolean> {
  const feeds = await lockMetricFeeds(tx, teams, Math.ceil(SCAN_MAX / teams.length))
  if (feeds.length === 0) return false
  const countMax = Math.ceil(EVENTS_MAX / feeds.length)
  const events = await readUncounted(tx, feeds, countMax)
  const { rows, outcomes, campaigns, links, steps } = await tally(tx, events)
  const moves = moveOn(feeds, events, countMax)
  await together([
    addMetricCounts(tx, rows),
    addMetricDelays(tx, rows),
    addOutcomes(tx, outcomes),
    addCampaignCounts(tx, campaigns),
    addLinkCounts(tx, links),
    addStepCounts(tx, steps),
    moveMetricFeeds(tx, moves),
  ])
  await guardReputation(tx, rows, guard, now)
  return moves.some(({ isWhole }) => !isWhole)
}

/**
 * Returns the counts of the events, the outcomes of their emails, as rows of hours, days and months, and the counts of campaigns and of
 * steps of automations, in write order.
 */
async function tally(
  tx: Tx,
  events: readonly UncountedEvent[],
): Promise<CampaignTally & { rows: MetricRow[]; outcomes: OutcomeRow[]; steps: StepRow[] }> {
  const ofEmails = events.filter(({ type }) => type.startsWith('email.'))
  const ids = new Map(ofEmails.map(({ teamId, subjectId }) => [subjectId, { teamId, id: subjectId }]))
  const [emails, firsts] = await together([
    findCountedEmails(tx, [...ids.values()], SIMULATOR_DOMAIN),
    storeVisits(tx, findVisits(ofEmails)),
  ])
  const hours = await boundKeys(tx, countEvents(ofEmails, emails, firsts))
  const days = mergeRows(hours.map((row) => coarsen(row, 'day', startOfDay(row.sinceMs))))
  const months = mergeRows(days.map((row) => coarsen(row, 'month', startOfMonth(row.sinceMs))))
  const rows = [...hours, ...days, ...months].sort(byPlace)
  const outcomes = await rollUpOutcomes(tx, ofEmails, emails, firsts)
  const steps = await countStepEvents(tx, events, firsts)
  return { rows, outcomes, steps, ...(await countCampaignEvents(tx, events, firsts)) }
}

function coarsen(row: MetricRow, grain: Grain, sinceMs: number): MetricRow {
  return { ...row, grain, sinceMs }
}

function byPlace(a: MetricRow, b: MetricRow): number {
  return (
    compareTexts(a.teamId, b.teamId) ||
    compareTexts(a.grain, b.grain) ||
    compareTexts(a.dimension, b.dimension) ||
    a.sinceMs - b.sinceMs ||
    compareTexts(a.key, b.key)
  )
}

/**
 * Returns the new position of each feed: its last event read or, when all were read, its end as read before. Events missing in
 * between are not counted, or were erased and will never come.
 */
function moveOn(feeds: readonly MetricFeed[], events: readonly UncountedEvent[], countMax: number) {
  const batches = new Map<string, { count: number; last: UncountedEvent }>()
  for (const event of events) {
    batches.set(event.teamId, { count: (batches.get(event.teamId)?.count ?? 0) + 1, last: event })
  }
  return feeds.map(({ teamId, end, isWhole }) => {
    const batch = batches.get(teamId)
    const isRead = batch === undefined || batch.count < countMax
    const position = isRead ? end : batch.last.position
    return { teamId, isWhole: isRead && isWhole, position, countedAt: batch?.last.createdAt ?? null }
  })
}
