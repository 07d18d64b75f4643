import type { EmailMetrics } from '../../api/records.ts'
import type { Tone } from '../status-badge.tsx'

type Counts = EmailMetrics['totals']

interface Series {
  label: string
  countOf(counts: Counts): number
}

/** A metric that links to the list of its records. */
export interface Result extends Series {
  tone: Tone
  /** Below the team's path. */
  to: string
  search: Readonly<Record<string, string>>
}

const count = (counts: Counts, name: string): number => counts[name] ?? 0

/**
 * Recipients whose server accepted the email for good. A relay's acceptance counts, because Sendwright learns no more.
 * The API computes its rates from the same number.
 */
export const takenOf = (counts: Counts): number =>
  Math.max(
    0,
    count(counts, 'attempted') -
      count(counts, 'bounced') -
      count(counts, 'failed') -
      count(counts, 'rejected'),
  )

const ofStatus = (label: string, status: string, tone: Tone): Result => ({
  label,
  tone,
  countOf: (counts) => count(counts, status),
  to: 'emails',
  search: { status },
})

/** The results of recipients, which add up to those attempted. */
export const RESULTS: readonly Result[] = [
  { ...ofStatus('Delivered', 'delivered', 'green'), countOf: takenOf },
  ofStatus('Bounced', 'bounced', 'red'),
  ofStatus('Failed', 'failed', 'red'),
  ofStatus('Rejected', 'rejected', 'red'),
]

/** Counts that are not part of the results. */
export const OTHERS: readonly Result[] = [
  ofStatus('Suppressed', 'suppressed', 'violet'),
  {
    label: 'Complaints',
    tone: 'red',
    countOf: (counts) => count(counts, 'complained'),
    to: 'suppressions',
    search: { reason: 'complaint' },
  },
]

/** The columns of the table over time. */
export const SERIES: readonly Series[] = [
  { label: 'Recipients', countOf: (counts) => count(counts, 'attempted') },
  ...RESULTS,
  ...OTHERS,
  { label: 'Deferrals', countOf: (counts) => count(counts, 'delivery_delayed') },
]
