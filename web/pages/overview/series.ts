import type { EmailMetrics } from '../../api/records.ts'

type Counts = EmailMetrics['totals']
type Rates = EmailMetrics['rates']

interface Series {
  key: string
  label: string
  /** Below the total, where there is no rate. */
  hint: string
  color: string
  countOf(counts: Counts): number
  rateOf?(rates: Rates): number | null
}

const count = (counts: Counts, name: string) => counts[name] ?? 0

/** What is counted on the overview, in its order: totals, chart and table say the same. */
export const SERIES: readonly Series[] = [
  {
    key: 'sent',
    label: 'Sent',
    hint: 'recipients',
    color: 'blue.6',
    countOf: (counts) => count(counts, 'accepted'),
  },
  {
    key: 'delivered',
    label: 'Delivered',
    hint: 'recipients',
    color: 'teal.6',
    // What a relay took is delivered as far as can be known here.
    countOf: (counts) => count(counts, 'delivered') + count(counts, 'sent'),
    rateOf: ({ delivered }) => delivered,
  },
  {
    key: 'bounced',
    label: 'Bounced',
    hint: 'refused for good',
    color: 'red.6',
    countOf: (counts) => count(counts, 'bounced'),
    rateOf: ({ bounced }) => bounced,
  },
  {
    key: 'complained',
    label: 'Complained',
    hint: 'reported as spam',
    color: 'grape.6',
    countOf: (counts) => count(counts, 'complained'),
    rateOf: ({ complained }) => complained,
  },
  {
    key: 'delayed',
    label: 'Delayed',
    hint: 'times put off',
    color: 'orange.6',
    countOf: (counts) => count(counts, 'delivery_delayed'),
  },
]
