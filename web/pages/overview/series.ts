import type { EmailMetrics } from '../../api/records.ts'

type Counts = EmailMetrics['totals']
type Rates = EmailMetrics['rates']

interface Series {
  key: string
  label: string
  /** Shown below the total of a series without a rate. */
  hint: string
  countOf(counts: Counts): number
  rateOf?(rates: Rates): number | null
}

const count = (counts: Counts, name: string) => counts[name] ?? 0

/** The series of the overview, in order. The totals and the table share them. */
export const SERIES: readonly Series[] = [
  {
    key: 'sent',
    label: 'Sent',
    hint: 'recipients',
    countOf: (counts) => count(counts, 'accepted'),
  },
  {
    key: 'delivered',
    label: 'Delivered',
    hint: 'recipients',
    // A relay's acceptance counts as delivery, because nothing more is known here.
    countOf: (counts) => count(counts, 'delivered') + count(counts, 'sent'),
    rateOf: ({ delivered }) => delivered,
  },
  {
    key: 'bounced',
    label: 'Bounced',
    hint: 'permanently rejected',
    countOf: (counts) => count(counts, 'bounced'),
    rateOf: ({ bounced }) => bounced,
  },
  {
    key: 'complained',
    label: 'Complained',
    hint: 'reported as spam',
    countOf: (counts) => count(counts, 'complained'),
    rateOf: ({ complained }) => complained,
  },
  {
    key: 'delayed',
    label: 'Delayed',
    hint: 'deferred attempts',
    countOf: (counts) => count(counts, 'delivery_delayed'),
  },
]
