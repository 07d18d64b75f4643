import type { Queryable, Tx } from '../../db/db-types.ts'
import { pauseForReputation } from '../../teams/teams.ts'
import { HOUR_MS } from '../counting/calendar.ts'
import type { MetricRow } from '../counting/metric-counts-queries.ts'
import { type Reputation, sumReputations } from '../reading/read-metrics-queries.ts'

/** The limits on a team's rates, as shares of 1. */
export interface GuardLimits {
  /** The maximum share of attempted recipients. Null if bounces never pause a team. */
  bounceRate: number | null
  /** The maximum share of the recipients delivered on one day. Null if complaints never pause a team. */
  complaintRate: number | null
  /** Rates of fewer recipients are not significant. */
  recipientsMin: number
}

/** Returns the limits of the installation's configuration. */
export function guardLimitsOf(config: {
  guardBounceRate: number | null
  guardComplaintRate: number | null
  guardRecipientsMin: number
}): GuardLimits {
  return {
    bounceRate: config.guardBounceRate,
    complaintRate: config.guardComplaintRate,
    recipientsMin: config.guardRecipientsMin,
  }
}

/** Whole hours, including the current one. */
const WINDOW_HOURS = 24
/** Complaints in the window may concern mail delivered up to this many days earlier. */
const DAYS_BEFORE = 3

/**
 * Pauses teams among those just counted whose bounce or complaint rate of the last day exceeds the limit, in the
 * transaction that counted it: of all processes only one does it, once. Mail accepted earlier is still delivered.
 */
export async function guardReputation(
  tx: Tx,
  rows: readonly MetricRow[],
  limits: GuardLimits,
  now: Date,
): Promise<void> {
  if (limits.bounceRate === null && limits.complaintRate === null) return
  const teams = rows.filter(isJudged).map(({ teamId }) => teamId)
  for (const reputation of await findReputations(tx, [...new Set(teams)], now)) {
    const reason = pauseReason(reputation, limits)
    if (reason !== null) await pauseForReputation(tx, reputation.teamId, reason, now)
  }
}

/** Returns the sending statistics of these teams in the guard's window. */
export async function findReputations(
  db: Queryable,
  teams: readonly string[],
  now: Date,
): Promise<Reputation[]> {
  const since = new Date((Math.floor(now.getTime() / HOUR_MS) + 1 - WINDOW_HOURS) * HOUR_MS)
  return sumReputations(db, teams, since, DAYS_BEFORE)
}

/** Returns whether the counts of a row can have changed its team's rates. */
function isJudged({ grain, dimension, counts }: MetricRow): boolean {
  if (grain !== 'hour' || dimension !== 'all') return false
  return counts.attempted > 0 || counts.bounced_hard > 0 || counts.complained > 0
}

/** Returns why the team must pause, for its members, or null if it need not. */
export function pauseReason(reputation: Omit<Reputation, 'teamId'>, limits: GuardLimits): string | null {
  const { attempted, bouncedHard, complained, takenMost } = reputation
  const { bounceRate, complaintRate, recipientsMin } = limits
  if (bounceRate !== null && attempted >= recipientsMin && bouncedHard > bounceRate * attempted) {
    return `${show(bouncedHard)} of ${show(attempted)} recipients of the last ${WINDOW_HOURS} hours do not exist (${percent(bouncedHard / attempted)}); at most ${percent(bounceRate)} may. Remove addresses that bounced, and send only to people who asked for it.`
  }
  if (complaintRate !== null && takenMost >= recipientsMin && complained > complaintRate * takenMost) {
    return `${show(complained)} complaints came in ${WINDOW_HOURS} hours, for ${show(takenMost)} emails that were delivered on the busiest of ${DAYS_BEFORE + 1} days (${percent(complained / takenMost)}); at most ${percent(complaintRate)} may. Send only to people who asked for it, and let them leave.`
  }
  return null
}

function show(count: number): string {
  return count.toLocaleString('en-US')
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}
