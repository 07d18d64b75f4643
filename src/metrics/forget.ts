import type { Db } from '../db/db-types.ts'
import { firstIdAt } from '../lib/ids.ts'
import { DAY_MS } from './counting/calendar.ts'
import {
  forgetMetrics,
  forgetOutcomes,
  forgetStatuses,
  forgetVisits,
} from './counting/metric-visits-queries.ts'

/** Retention of metrics. A single query may cover less. */
const KEPT_DAYS = { hour: 100, day: 800, month: 800 }
/** Repeated visits are recognized for this long after an email was accepted. */
const VISITS_KEPT_DAYS = 100
/** Emails are scheduled up to a year ahead. Their status can change for some days more. */
const STATUSES_KEPT_DAYS = 400

/** Deletes metrics past their retention, some rows at a time. Returns true when there may be more. */
export async function forgetOldMetrics(db: Db, now: Date, countMax: number): Promise<boolean> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  let most = await forgetVisits(db, firstIdAt(before(VISITS_KEPT_DAYS)), countMax)
  most = Math.max(most, await forgetStatuses(db, firstIdAt(before(STATUSES_KEPT_DAYS)), countMax))
  for (const [grain, days] of Object.entries(KEPT_DAYS)) {
    for (const table of ['metric', 'metric_delay'] as const) {
      most = Math.max(most, await forgetMetrics(db, table, grain, before(days), countMax))
    }
    // A row for each hour, so few that hours are kept as long as days.
    most = Math.max(most, await forgetOutcomes(db, grain, before(KEPT_DAYS.day), countMax))
  }
  return most === countMax
}
