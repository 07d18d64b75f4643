import type { Queryable, Tx } from '../db/db.ts'
import { pauseForReputation } from '../teams/access.ts'
import { HOUR_MS } from './calendar.ts'
import type { MetricRow } from './metric-counts-queries.ts'
import { type Reputation, sumReputations } from './read-metrics-queries.ts'

/** What a team's mail may be like. Rates are shares of 1. */
export interface GuardLimits {
  /** Of the recipients that were tried; null: bounces pause nobody. */
  bounceRate: number | null
  /** Of those that took it on one day; null: complaints pause nobody. */
  complaintRate: number | null
  /** Fewer than so many say nothing. */
  recipientsMin: number
}

/** As the installation is set. */
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

/** Whole hours, with the one that has begun. */
const WINDOW_HOURS = 24
/** Complaints of these hours may be about what was delivered on so many days before. */
const DAYS_BEFORE = 3

/**
 * Pauses the teams among those just counted whose mail of the last day bounced or was complained about too much, in the
 * transaction that counted it: one of all processes does it, once. Mail that was accepted before is still delivered.
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

/** What the sending of these teams was like in the time that is judged. */
export async function findReputations(
  db: Queryable,
  teams: readonly string[],
  now: Date,
): Promise<Reputation[]> {
  const since = new Date((Math.floor(now.getTime() / HOUR_MS) + 1 - WINDOW_HOURS) * HOUR_MS)
  return sumReputations(db, teams, since, DAYS_BEFORE)
}

/** Whether the counts of a row can have moved its team's rates. */
function isJudged({ grain, dimension, counts }: MetricRow): boolean {
  if (grain !== 'hour' || dimension !== 'all') return false
  return counts.attempted > 0 || counts.bounced_hard > 0 || counts.complained > 0
}

/** Why the team must stop, in words for its people; null: it need not. */
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
