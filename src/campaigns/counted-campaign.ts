import type { Queryable } from '../db/db-types.ts'
import {
  type CampaignCounts,
  noCampaignCounts,
  sumOfCampaign,
} from '../metrics/campaigns/campaign-counts-queries.ts'
import { type Campaign, findCampaign } from './rows/campaigns-queries.ts'
import { type CampaignProgress, findProgress } from './rows/progress-queries.ts'

/** A campaign with its progress and the results of its emails. */
export interface CountedCampaign extends Campaign {
  /** Null before its start. */
  progress: CampaignProgress | null
  totals: CampaignCounts
}

export async function countCampaign(db: Queryable, campaign: Campaign): Promise<CountedCampaign> {
  if (campaign.version === 0) return { ...campaign, progress: null, totals: noCampaignCounts() }
  const { teamId, id } = campaign
  return {
    ...campaign,
    progress: await findProgress(db, campaign),
    totals: await sumOfCampaign(db, teamId, id),
  }
}

export async function findCountedCampaign(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<CountedCampaign | null> {
  const campaign = await findCampaign(db, teamId, id)
  return campaign === null ? null : countCampaign(db, campaign)
}
