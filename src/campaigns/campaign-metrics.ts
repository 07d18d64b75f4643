import type { Queryable } from '../db/db-types.ts'
import {
  CAMPAIGN_COUNTERS,
  type CampaignCounts,
  noCampaignCounts,
  sumByHour,
  sumByProvider,
} from '../metrics/campaigns/campaign-counts-queries.ts'
import { findCampaign } from './rows/campaigns-queries.ts'
import { type CampaignProgress, findProgress } from './rows/progress-queries.ts'

/** A month, beyond which little is opened. */
const HOURS_MAX = 744

export interface CampaignMetrics {
  id: string
  /** Null before its start. */
  progress: CampaignProgress | null
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
  const campaign = await findCampaign(db, teamId, id)
  if (campaign === null) return null
  const [progress, providers, hours] = await Promise.all([
    findProgress(db, campaign),
    sumByProvider(db, teamId, id),
    sumByHour(db, teamId, id, HOURS_MAX),
  ])
  const totals = noCampaignCounts()
  for (const { counts } of providers) {
    for (const counter of CAMPAIGN_COUNTERS) totals[counter] += counts[counter]
  }
  return { id: campaign.id, progress, totals, providers, hours }
}
