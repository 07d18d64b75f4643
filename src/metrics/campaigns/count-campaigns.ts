import type { Tx } from '../../db/db-types.ts'
import { compareTexts } from '../../lib/text/compare-texts.ts'
import { startOfHour } from '../counting/calendar.ts'
import { countersOf, mailProviderOf, nameOfVisit } from '../counting/count-events.ts'
import type { UncountedEvent } from '../counting/metric-feed-queries.ts'
import type { CountedVisit } from '../counting/metric-visits-queries.ts'
import {
  CAMPAIGN_COUNTERS,
  type CampaignCounter,
  type CampaignRow,
  findCampaignsOf,
  noCampaignCounts,
} from './campaign-counts-queries.ts'
import { countLinks } from './count-links.ts'
import type { LinkRow } from './link-counts-queries.ts'

const UNSUBSCRIBED = 'contact.unsubscribed'
const COUNTED: ReadonlySet<string> = new Set(CAMPAIGN_COUNTERS)

/** What events add to the counts of campaigns, in write order. */
export interface CampaignTally {
  campaigns: CampaignRow[]
  links: LinkRow[]
}

/** Returns the counts of those events that are about emails of campaigns. */
export async function countCampaignEvents(
  tx: Tx,
  events: readonly UncountedEvent[],
  firsts: readonly CountedVisit[],
): Promise<CampaignTally> {
  const emails = new Map(
    events.flatMap((event) => {
      const id = emailOf(event)
      return id === null ? [] : [[id, { teamId: event.teamId, id }] as const]
    }),
  )
  const campaigns = await findCampaignsOf(tx, [...emails.values()])
  if (campaigns.size === 0) return { campaigns: [], links: [] }
  const unique = new Set(firsts.map(nameOfVisit))
  const rows = new Map<string, CampaignRow>()
  for (const event of events) {
    const campaignId = campaigns.get(emailOf(event) ?? '')
    if (campaignId !== undefined) countEvent(rows, campaignId, event, unique)
  }
  return { campaigns: [...rows.values()].sort(byPlace), links: await countLinks(tx, events, campaigns) }
}

/** Returns the email that an event is about, or whose link it came from. */
function emailOf({ type, subjectId, emailId }: UncountedEvent): string | null {
  if (type === UNSUBSCRIBED) return emailId
  return type.startsWith('email.') ? subjectId : null
}

function countEvent(
  rows: Map<string, CampaignRow>,
  campaignId: string,
  event: UncountedEvent,
  unique: Set<string>,
): void {
  const { teamId, recipient, mxHost, type } = event
  if (recipient === null) return
  const counters = (type === UNSUBSCRIBED ? ['unsubscribed'] : countersOf(event, unique)).filter(isCounted)
  if (counters.length === 0) return
  const sinceMs = startOfHour(event.createdAt.getTime())
  const provider = mailProviderOf(recipient, mxHost)
  const place = `${campaignId} ${sinceMs} ${provider}`
  const row = rows.get(place) ?? { teamId, campaignId, sinceMs, provider, counts: noCampaignCounts() }
  for (const counter of counters) row.counts[counter]++
  rows.set(place, row)
}

function isCounted(counter: string): counter is CampaignCounter {
  return COUNTED.has(counter)
}

function byPlace(a: CampaignRow, b: CampaignRow): number {
  return (
    compareTexts(a.campaignId, b.campaignId) || a.sinceMs - b.sinceMs || compareTexts(a.provider, b.provider)
  )
}
