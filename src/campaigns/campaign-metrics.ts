import type { Queryable } from '../db/db-types.ts'
import {
  CAMPAIGN_COUNTERS,
  type CampaignCounts,
  noCampaignCounts,
  sumByHour,
  sumByProvider,
} from '../metrics/campaigns/campaign-counts-queries.ts'
import { type CountedCampaign, findCountedCampaign } from './counted-campaign.ts'

/** A month, beyond which little is opened. */
const HOURS_MAX = 744

export interface CampaignMetrics {
  campaign: CountedCampaign
  totals: CampaignCounts
  providers: readonly { provider: string; counts: CampaignCounts }[]
  /** The first month of hours in which anything happened. */
  hours: readonly { since: Date; counts: CampaignCounts }[]
}

/** Reads what became of a campaign's emails; null if the team has no such campaign. */
export async function readCampaignMetrics(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<CampaignMetrics | null> {
  const campaign = await findCountedCampaign(db, teamId, id)
  if (campaign === null) return null
  const [providers, hours] = await Promise.all([
    sumByProvider(db, teamId, id),
    sumByHour(db, teamId, id, HOURS_MAX),
  ])
  const totals = noCampaignCounts()
  for (const { counts } of providers) {
    for (const counter of CAMPAIGN_COUNTERS) totals[counter] += counts[counter]
  }
  return { campaign, totals, providers, hours }
}
