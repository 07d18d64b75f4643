import type { CampaignMetrics } from '../../api/records.ts'
import type { Tone } from '../../ui/status-badge.tsx'

export type Counts = CampaignMetrics['totals']

export interface Stage {
  label: string
  tone: Tone
  countOf(counts: Counts): number
}

/** A relay's acceptance counts as delivered, as in the metrics of the team. */
const deliveredOf = ({ attempted, bounced, failed, rejected }: Counts) =>
  Math.max(0, attempted - bounced - failed - rejected)

const DELIVERED: Stage = { label: 'Delivered', tone: 'green', countOf: deliveredOf }
const OPENED: Stage = { label: 'Opened', tone: 'blue', countOf: (counts) => counts.opened_unique }
const CLICKED: Stage = {
  label: 'Clicked',
  tone: 'blue',
  countOf: (counts) => counts.clicked_unique,
}
const BOUNCED: Stage = { label: 'Bounced', tone: 'red', countOf: (counts) => counts.bounced }
export const STAGES: readonly Stage[] = [
  ...[DELIVERED, OPENED, CLICKED],
  { label: 'Unsubscribed', tone: 'amber', countOf: (counts) => counts.unsubscribed },
  { label: 'Complaints', tone: 'red', countOf: (counts) => counts.complained },
  BOUNCED,
  { label: 'Failed or rejected', tone: 'red', countOf: ({ failed, rejected }) => failed + rejected },
]
/** Of each campaign in the list. */
export const OF_LIST = [DELIVERED, OPENED, CLICKED]
/** Of each mailbox provider: as much as fits on a phone. */
export const OF_PROVIDERS = [DELIVERED, OPENED, CLICKED, BOUNCED]

/** Returns null without any result. An open may be counted before its delivery: no more than all opened. */
export const shareOf = (count: number, { attempted }: Counts): number | null =>
  attempted === 0 ? null : Math.min(1, count / attempted)
