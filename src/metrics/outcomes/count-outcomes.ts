import { startOfDay, startOfHour, startOfMonth } from '../counting/calendar.ts'
import { countReal, isAcceptance } from '../counting/count-events.ts'
import type { Grain } from '../counting/metric-counts-queries.ts'
import type { CountedEmail, UncountedEvent } from '../counting/metric-feed-queries.ts'
import { noOutcomes, type Outcome, type OutcomeCounts, type OutcomeRow } from './outcome-counts-queries.ts'

/** The statuses that end an email, by the API's name. Other statuses are in progress. */
const STATUSES: ReadonlySet<string> = new Set<Outcome>([
  ...(['delivered', 'sent', 'partially_delivered', 'bounced'] as const),
  ...(['failed', 'rejected', 'suppressed', 'canceled'] as const),
])

/** Adds up the changes of outcomes by the hour in which the email was accepted, and by whether it is simulated. */
export class OutcomeChanges {
  readonly #rows = new Map<string, OutcomeRow>()

  find(teamId: string, emailId: string, email: CountedEmail): OutcomeCounts {
    // The list of emails filters by the time in the id.
    const sinceMs = startOfHour(Number.parseInt(emailId.slice(0, 8) + emailId.slice(9, 13), 16))
    const isSimulated = countReal(email) === 0
    const place = `${teamId} ${sinceMs} ${isSimulated}`
    let row = this.#rows.get(place)
    if (row === undefined) {
      row = { teamId, grain: 'hour', sinceMs, isSimulated, counts: noOutcomes() }
      this.#rows.set(place, row)
    }
    return row.counts
  }

  /** Returns the changes of hours, days and months, in write order. */
  listRows(): OutcomeRow[] {
    const hours = [...this.#rows.values()]
    const days = coarsen(hours, 'day', startOfDay)
    const months = coarsen(days, 'month', startOfMonth)
    return [...hours, ...days, ...months].sort(byPlace)
  }
}

function coarsen(rows: readonly OutcomeRow[], grain: Grain, startOf: (ms: number) => number): OutcomeRow[] {
  const merged = new Map<string, OutcomeRow>()
  for (const row of rows) {
    const sinceMs = startOf(row.sinceMs)
    const place = `${row.teamId} ${sinceMs} ${row.isSimulated}`
    const sum = merged.get(place) ?? { ...row, grain, sinceMs, counts: noOutcomes() }
    addOutcomeCounts(sum.counts, row.counts)
    merged.set(place, sum)
  }
  return [...merged.values()]
}

export function addOutcomeCounts(sum: OutcomeCounts, counts: OutcomeCounts): void {
  for (const [outcome, count] of Object.entries(counts)) sum[outcome as Outcome] += count
}

function byPlace(a: OutcomeRow, b: OutcomeRow): number {
  const [x, y] = [placeOf(a), placeOf(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

const placeOf = ({ teamId, grain, sinceMs, isSimulated }: OutcomeRow) =>
  `${teamId} ${grain} ${String(sinceMs).padStart(16, '0')} ${isSimulated}`

/** Moves an email from one status to another. */
export function moveStatus(counts: OutcomeCounts, before: string | null, after: string): void {
  if (before !== null && STATUSES.has(before)) counts[before as Outcome]--
  if (STATUSES.has(after)) counts[after as Outcome]++
}

const RESULTS: ReadonlySet<string> = new Set([
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.failed',
  'email.rejected',
  'email.suppressed',
  'email.canceled',
])

/** Counts an event of an email with one recipient, whose status is that of the email. */
export function countSingle(counts: OutcomeCounts, event: UncountedEvent, email: CountedEmail): void {
  if (isAcceptance(event, email) || event.isSuppressedAtOnce) counts.emails++
  if (!RESULTS.has(event.type)) return
  moveStatus(counts, event.resultBefore?.slice('email.'.length) ?? null, event.type.slice('email.'.length))
}
