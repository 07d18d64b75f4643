import type { EmailMetrics } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { stepMsOf } from '../../ui/metrics/points.ts'
import { takenOf } from '../../ui/metrics/series.ts'
import { readTime } from '../../ui/times.ts'
import { texts } from './texts.ts'

type Counts = EmailMetrics['totals']

/** Returns the query for as many hours or days before these, with the same filter. */
export function queryBefore(metrics: EmailMetrics, query: Query): Query {
  const start = readTime(metrics.start_date)?.getTime() ?? 0
  const lengthMs = metrics.series.length * stepMsOf(metrics)
  return {
    ...query,
    start_date: new Date(start - lengthMs).toISOString(),
    end_date: new Date(start).toISOString(),
  }
}

/** Adds up the first hours or days of a series. */
export function sumCounts({ series, totals }: EmailMetrics, count: number): Counts {
  const sum = Object.fromEntries(Object.keys(totals).map((name) => [name, 0]))
  for (const { counts } of series.slice(0, count))
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
    key: 'accepted',
    label: texts.compare.sent,
    countOf: (counts) => at(counts, 'accepted'),
    shareOf: null,
    isBad: false,
  },
  {
    key: 'delivered',
    label: texts.compare.delivered,
    countOf: takenOf,
    shareOf: (counts) => share(takenOf(counts), at(counts, 'attempted')),
    isBad: false,
  },
  {
    key: 'bounced',
    label: texts.compare.bounced,
    countOf: (counts) => at(counts, 'bounced'),
    shareOf: (counts) => share(at(counts, 'bounced'), at(counts, 'attempted')),
    isBad: true,
    limit: 0.02,
  },
  {
    key: 'complained',
    label: texts.compare.complaints,
    countOf: (counts) => at(counts, 'complained'),
    shareOf: ofTaken('complained'),
    isBad: true,
    limit: 0.001,
  },
  {
    key: 'opened',
    label: texts.compare.opened,
    countOf: (counts) => at(counts, 'opened_unique'),
    shareOf: ofTaken('opened_unique'),
    isBad: false,
  },
  {
    key: 'clicked',
    label: texts.compare.clicked,
    countOf: (counts) => at(counts, 'clicked_unique'),
    shareOf: ofTaken('clicked_unique'),
    isBad: false,
  },
]

export interface Delta {
  /** As people read it: `+12 %` of a number, `−0.4 pt` of a share. */
  text: string
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

function toDelta(change: number, unit: string, isBad: boolean, digits: number): Delta {
  const rounded = Number(change.toFixed(digits))
  if (rounded === 0) return { text: `±0 ${unit}`, direction: 'same' }
  const size = Math.abs(rounded).toLocaleString(undefined, { maximumFractionDigits: digits })
  return {
    text: `${rounded > 0 ? '+' : '−'}${size} ${unit}`,
    direction: rounded > 0 === isBad ? 'worse' : 'better',
  }
}
