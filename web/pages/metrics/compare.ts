import type { EmailMetrics } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { firstOpenOf, stepMsOf } from '../../ui/metrics/points.ts'
import { takenOf } from '../../ui/metrics/series.ts'
import { readTime } from '../../ui/times.ts'

type Counts = EmailMetrics['totals']

/** Two queries of equal length, for changes: the hours or days of a period that are over, and the same ones before it. */
export interface Compared {
  now: Query
  before: Query
}

/**
 * Returns the queries to compare, with the same filter. Every change on the page comes from them: today's emails are not
 * opened yet, so a day that is not over would make each share look worse. Null: no hour or day is over.
 */
export function comparedQueries(metrics: EmailMetrics, query: Query): Compared | null {
  const wholeCount = firstOpenOf(metrics)
  if (wholeCount === 0) return null
  const start = readTime(metrics.start_date)?.getTime() ?? 0
  const stepMs = stepMsOf(metrics)
  const queryFrom = (from: number): Query => ({
    ...query,
    start_date: new Date(from).toISOString(),
    end_date: new Date(from + wholeCount * stepMs).toISOString(),
  })
  return { now: queryFrom(start), before: queryFrom(start - metrics.series.length * stepMs) }
}

/** Adds up the hours or days of a series that are over. */
export function sumWhole(metrics: EmailMetrics): Counts {
  const sum = Object.fromEntries(Object.keys(metrics.totals).map((name) => [name, 0]))
  for (const { counts } of metrics.series.slice(0, firstOpenOf(metrics)))
    for (const [name, value] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + value
  return sum as Counts
}

const at = (counts: Counts, name: string): number => counts[name] ?? 0

/** A figure at the top of the page. */
export interface KeyFigure {
  key: string
  label: string
  countOf(counts: Counts): number
  /** Null: the figure is a number, not a share. */
  shareOf: ((counts: Counts) => number | null) | null
  /** Whether more is worse. */
  isBad: boolean
  /** The share from which mailbox providers begin to reject mail. */
  limit?: number
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
const ofTaken = (name: string) => (counts: Counts) => share(at(counts, name), takenOf(counts))

export const KEY_FIGURES: readonly KeyFigure[] = [
  {
    key: 'attempted',
    label: 'Recipients',
    // Not `accepted`, which providers do not have: they are known only once there is a result.
    countOf: (counts) => at(counts, 'attempted'),
    shareOf: null,
    isBad: false,
  },
  {
    key: 'delivered',
    label: 'Delivered',
    countOf: takenOf,
    shareOf: (counts) => share(takenOf(counts), at(counts, 'attempted')),
    isBad: false,
  },
  {
    key: 'bounced',
    label: 'Bounced',
    countOf: (counts) => at(counts, 'bounced'),
    shareOf: (counts) => share(at(counts, 'bounced'), at(counts, 'attempted')),
    isBad: true,
    limit: 0.02,
  },
  {
    key: 'complained',
    label: 'Complaints',
    countOf: (counts) => at(counts, 'complained'),
    shareOf: ofTaken('complained'),
    isBad: true,
    limit: 0.001,
  },
  {
    key: 'opened',
    label: 'Opened',
    countOf: (counts) => at(counts, 'opened_unique'),
    shareOf: ofTaken('opened_unique'),
    isBad: false,
  },
  {
    key: 'clicked',
    label: 'Clicked',
    countOf: (counts) => at(counts, 'clicked_unique'),
    shareOf: ofTaken('clicked_unique'),
    isBad: false,
  },
]

export interface Delta {
  /** With its sign, such as `−0.4`. */
  amount: string
  /** Percent of a number, percentage points of a share. */
  unit: '%' | 'pt'
  direction: 'better' | 'worse' | 'same'
}

/** Returns the change of a figure. Null: there is nothing to compare with. */
export function deltaOf(figure: KeyFigure, now: Counts, before: Counts): Delta | null {
  const { shareOf, countOf, isBad } = figure
  if (shareOf === null) {
    const was = countOf(before)
    if (was === 0) return null
    return toDelta(((countOf(now) - was) / was) * 100, '%', isBad, 0)
  }
  const [is, was] = [shareOf(now), shareOf(before)]
  return is === null || was === null ? null : toDelta((is - was) * 100, 'pt', isBad, 2)
}

function toDelta(change: number, unit: Delta['unit'], isBad: boolean, digits: number): Delta {
  const rounded = Number(change.toFixed(digits))
  if (rounded === 0) return { amount: '±0', unit, direction: 'same' }
  const size = Math.abs(rounded).toLocaleString(undefined, { maximumFractionDigits: digits })
  return {
    amount: `${rounded > 0 ? '+' : '−'}${size}`,
    unit,
    direction: rounded > 0 === isBad ? 'worse' : 'better',
  }
}
