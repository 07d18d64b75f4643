import type { Queryable } from '../db/db-types.ts'
import { type Campaign, findCampaign } from './campaigns-queries.ts'
import { type CampaignProgress, findProgress } from './sending/progress-queries.ts'

/** A campaign with its progress, which is null before its start. */
export interface CountedCampaign extends Campaign {
  progress: CampaignProgress | null
}

export async function countCampaign(db: Queryable, campaign: Campaign): Promise<CountedCampaign> {
  return { ...campaign, progress: await findProgress(db, campaign) }
}

export async function findCountedCampaign(
  db: Queryable,
  teamId: string,
  id: string,
): Promise<CountedCampaign | null> {
  const campaign = await findCampaign(db, teamId, id)
  return campaign === null ? null : countCampaign(db, campaign)
}
