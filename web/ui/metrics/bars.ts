import type { EmailMetrics } from '../../api/records.ts'
import type { Tone } from '../status-badge.tsx'
import { firstOpenOf, showAt, type Timeline } from './points.ts'

export interface Part {
  key: string
  label: string
  tone: Tone
  countOf(counts: EmailMetrics['totals']): number
}

/** The parts of a bar, from the bottom up. */
export const STACK: readonly Part[] = [
  {
    key: 'delivered',
    label: 'Delivered',
    tone: 'green',
    // A relay's acceptance counts as delivery, because Sendwright learns no more.
    countOf: (counts) => (counts.delivered ?? 0) + (counts.sent ?? 0),
  },
  {
    key: 'deferred',
    label: 'Deferrals',
    tone: 'amber',
    countOf: (counts) => counts.delivery_delayed ?? 0,
  },
  { key: 'bounced', label: 'Bounced', tone: 'red', countOf: (counts) => counts.bounced ?? 0 },
]

export interface Bar {
  /** The start of the hour or day, in UTC. */
  at: string
  label: string
  /** In the order of its parts. */
  counts: readonly number[]
  /** Its time is not over, or not everything in it is counted yet. */
  isOpen: boolean
}

/** Returns a bar for each hour or day of the metrics. */
export function barsOf(metrics: Timeline, stack: readonly Part[] = STACK): Bar[] {
  const firstOpen = firstOpenOf(metrics)
  return metrics.series.map(({ at, counts }, index) => ({
    at,
    label: showAt(at, metrics.interval),
    counts: stack.map(({ countOf }) => countOf(counts)),
    isOpen: index >= firstOpen,
  }))
}

/** Returns the end of the y axis: the next round number above the highest bar, half of which is a whole number. */
export function topOf(bars: readonly Bar[]): number {
  const highest = Math.max(0, ...bars.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0)))
  if (highest <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(highest))
  const steps = power === 1 ? [4, 6, 8, 10] : [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10]
  return power * (steps.find((step) => step * power >= highest) ?? 10)
}
